/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * cost KIND N: makes N syscalls of one kind, for cost.sh. The kinds differ in the memory to read:
 * - p: nothing to read
 * - w: a buffer
 * - r: two strings
 * - s: a struct that contains a pointer
 * - d: the entries of a directory
 * - e: an environment whose list begins at the end of a page
 * - v: 33 strings that each cross a page boundary
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	/* struct rseq from linux/rseq.h, with a pointer in the middle and other bytes around it */
	static __attribute__((aligned(32))) unsigned char area[32] = {1, 2, 3, 4, 5, 6, 7};
	static char entries[32768];
	static __attribute__((aligned(4096))) char pages[2 * 4096];
	static __attribute__((aligned(4096))) char text[34 * 4096];
	struct iovec vector[33];
	char **variables = (char **)(pages + 4096 - 64);
	int n = argc > 2 ? atoi(argv[2]) : 0, null = open("/dev/null", O_WRONLY);
	int dir = open("/proc/self/fdinfo/..", O_RDONLY | O_DIRECTORY);

	for (int i = 0; i < 37; i++) {
		static __attribute__((aligned(4096))) char strings[37][64];

		snprintf(strings[i], sizeof(strings[i]), "NAME%d=the value of a variable", i);
		variables[i] = strings[i];
	}
	memset(text, 'x', sizeof(text));
	for (int i = 0; i < 33; i++)
		vector[i] = (struct iovec){text + (i + 1) * 4096 - 8, 16};
	for (int i = 0; i < n; i++) {
		switch (argv[1][0]) {
		case 'p':
			syscall(SYS_getppid);
			break;
		case 'w':
			if (write(null, "12345678", 8) != 8)
				return 1;
			break;
		case 'r':
			rename("/nonexistent/from", "/nonexistent/to");
			break;
		case 's':
			syscall(SYS_rseq, area, 32, 0, 0);
			break;
		case 'd':
			lseek(dir, 0, SEEK_SET);
			syscall(SYS_getdents64, dir, entries, sizeof(entries));
			break;
		case 'v':
			if (writev(null, vector, 33) != 33 * 16)
				return 1;
			break;
		case 'e':
			execve("/nonexistent/program", argv, variables);
			break;
		}
	}
	return 0;
}
