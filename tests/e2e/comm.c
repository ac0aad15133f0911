/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For comm.sh: threads that change their names. */
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char *me;

static void rename_by_file(const char *name)
{
	int fd = open("/proc/self/comm", O_WRONLY);

	if (write(fd, name, strlen(name)) < 0)
		_exit(9);
	close(fd);
}

static void child(int which)
{
	usleep(20000); /* give tracer enough time to attach */
	switch (which) {
	case 0:
		getppid();
		prctl(PR_SET_NAME, "set");
		break;
	case 1:
		chdir("/nosuch");
		prctl(PR_SET_NAME, "after failure");
		getppid();
		prctl(PR_SET_NAME, "again");
		break;
	case 2:
		chdir("/nosuch");
		/* getuid() is not traced, so the failed chdir() remains the last traced syscall. */
		getuid();
		execl(me, me, "again", NULL);
		break;
	case 3:
		getppid();
		execl(me, me, "again", NULL);
		break;
	case 4:
		getppid();
		rename_by_file("seen late");
		getppid();
		execl("/nosuch", me, NULL);
		break;
	case 5:
		getppid();
		rename_by_file("never seen");
		prctl(PR_GET_DUMPABLE);
		break;
	}
	getppid();
	_exit(0);
}

int main(int argc, char **argv)
{
	me = argv[0];
	if (argc > 1) {
		getppid();
		return 0;
	}
	for (int i = 0; i < 6; i++) {
		prctl(PR_SET_NAME, "parent");
		if (!fork())
			child(i);
		wait(NULL);
	}
	return 0;
}
