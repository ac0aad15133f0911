/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bpf_results CALLS: calls getppid(2) CALLS times and open(2) of a missing file 50 times, then
 * sleeps for 20 ms.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const long calls = argc > 1 ? atol(argv[1]) : 0;

	for (long i = 0; i < calls; i++)
		syscall(SYS_getppid);
	for (int i = 0; i < 50; i++)
		open("/nosuch", O_RDONLY);
	usleep(20000);
	return 0;
}
