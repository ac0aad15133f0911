/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* So many calls with nothing to read, with one buffer, with two strings; see cost.sh. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[2]) : 0, null = open("/dev/null", O_WRONLY);

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
		}
	}
	return 0;
}
