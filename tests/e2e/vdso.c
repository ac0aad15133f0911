/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asks for the time by the C library, in a program and in the one that it executes: "vdso again".
 * Exits with 1 if it finds a vDSO although "hidden" is its last argument.
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
