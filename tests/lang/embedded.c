/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program that contains a runtime: Python (with -DPYTHON), or a JVM that runs Truth.main(). */
#ifdef PYTHON
#include <Python.h>

int main(int argc, char **argv)
{
	return Py_BytesMain(argc, argv);
}
#else
#include <jni.h>
#include <pthread.h>
#include <stdio.h>

/* Runs the JVM in a thread, as programs with a user interface do. */
static void *run(void *arg)
{
	char path[4096];
	JavaVMOption option = {.optionString = path};
	JavaVMInitArgs args = {JNI_VERSION_1_8, 1, &option, JNI_FALSE};
	JavaVM *vm;
	JNIEnv *env;
	jclass class;

	snprintf(path, sizeof(path), "-Djava.class.path=%s", (char *)arg);
	if (JNI_CreateJavaVM(&vm, (void **)&env, &args))
		return NULL;
	class = (*env)->FindClass(env, "Truth");
	(*env)->CallStaticVoidMethod(
		env, class, (*env)->GetStaticMethodID(env, class, "main", "([Ljava/lang/String;)V"),
		(*env)->NewObjectArray(env, 0, (*env)->FindClass(env, "java/lang/String"), NULL));
	return arg;
}

int main(int argc, char **argv)
{
	void *result = NULL;
	pthread_t t;

	if (argc < 2 || pthread_create(&t, NULL, run, argv[1]) || pthread_join(t, &result))
		return 1;
	return result == NULL;
}
#endif
