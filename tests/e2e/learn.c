/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * learn PROGRAM [ARGUMENT...]: reads names of syscalls from standard input, one per line. Then runs
 * a program under a seccomp filter that makes all other syscalls fail with EPERM. libseccomp builds
 * the filter. Exits with status 77 if libseccomp is missing.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* From seccomp.h. */
#define SCMP_ACT_ERRNO(x) (0x00050000u | (x))
#define SCMP_ACT_ALLOW	  0x7fff0000u

int main(int argc, char **argv)
{
	void *library = dlopen("libseccomp.so.2", RTLD_NOW);
	void *(*init)(uint32_t) = library ? dlsym(library, "seccomp_init") : NULL;
	int (*resolve)(const char *) =
		library ? dlsym(library, "seccomp_syscall_resolve_name") : NULL;
	int (*add)(void *, uint32_t, int, unsigned, ...) =
		library ? dlsym(library, "seccomp_rule_add") : NULL;
	int (*load)(void *) = library ? dlsym(library, "seccomp_load") : NULL;
	char name[64];
	void *filter;

	if (argc < 2 || !init || !resolve || !add || !load)
		return 77;
	filter = init(SCMP_ACT_ERRNO(EPERM));
	while (fgets(name, sizeof(name), stdin)) {
		name[strcspn(name, "\n")] = 0;
		if (resolve(name) == -1)
			fprintf(stderr, "libseccomp does not know %s\n", name);
		else if (add(filter, SCMP_ACT_ALLOW, resolve(name), 0))
			return 3;
	}
	if (load(filter))
		return 4;
	execvp(argv[1], argv + 1);
	return 5;
}
