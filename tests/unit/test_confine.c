/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks which operations a confined namer process may still perform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stack/namer/confine.h"

/* Calls newfstatat() in a confined process. Returns 0 or its errno. */
static int state_of(int fd, const char *path, int flags)
{
	struct stat st;

	return syscall(SYS_newfstatat, fd, path, &st, flags) ? errno : 0;
}

/*
 * Exits with status 0 if everything is as expected, otherwise with the number of the failed check.
 */
static void confined(int sock)
{
	struct stat st;

	sock = namer_confine(sock);
	if (sock < 0)
		_exit(1);
	if (fstat(sock, &st) || !S_ISSOCK(st.st_mode))
		_exit(2);
	if (state_of(sock, "", AT_EMPTY_PATH))
		_exit(3);
	if (state_of(AT_FDCWD, "/etc/passwd", AT_EMPTY_PATH) != EPERM)
		_exit(4);
	if (state_of(AT_FDCWD, "/etc/passwd", 0) != EPERM)
		_exit(5);
	if (state_of(77, "", AT_EMPTY_PATH) != EBADF)
		_exit(6);
	if (open("/etc/passwd", O_RDONLY) >= 0 || errno != EPERM)
		_exit(7);
	_exit(0);
}

static void test_confined(void **state)
{
	int ends[2], status;
	pid_t pid;

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	pid = fork();
	if (!pid)
		confined(ends[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_confined)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
