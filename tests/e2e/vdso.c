/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Gets the time through the C library. With the argument "again", does the same after execve. If
 * the last argument is "hidden", exits with status 1 if there is a vDSO.
 */
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct timespec t;

	for (int i = 0; i < 5; i++)
		if (clock_gettime(CLOCK_MONOTONIC, &t) || t.tv_nsec < 0)
			return 2;
	if (argc > 1 && !strcmp(argv[1], "again")) {
		argv[1] = argv[0];
		execv(argv[0], argv + 1);
		return 3;
	}
	return !strcmp(argv[argc - 1], "hidden") && getauxval(AT_SYSINFO_EHDR);
}
