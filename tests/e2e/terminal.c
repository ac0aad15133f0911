/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens files whose names contain characters that are not ASCII. */
#include <fcntl.h>
#include <unistd.h>

__attribute__((noinline)) static int work(void)
{
	int fd = open("Gr\303\274\303\237e/\346\227\245\346\234\254", O_RDONLY);

	__asm__ volatile("");
	return fd;
}

int main(void)
{
	int fd = work();

	return open("end", O_RDONLY) + fd != -2;
}
