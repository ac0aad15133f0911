/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * killed FILE PAUSE: calls lseek(-1, NOW, SEEK_SET) again and again, with pauses of up to PAUSE
 * microseconds. NOW is CLOCK_MONOTONIC in nanoseconds. FILE contains the number of calls that have
 * returned, and the times of all calls. The file stays valid if this process or its tracer is
 * killed.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define CALLS ((size_t)1 << 22)

int main(int argc, char **argv)
{
	volatile uint64_t *times;
	long pause;
	int fd;

	if (argc != 3)
		return 2;
	pause = atol(argv[2]);
	fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || ftruncate(fd, (CALLS + 1) * sizeof(*times)))
		return 1;
	times = mmap(NULL, (CALLS + 1) * sizeof(*times), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (times == MAP_FAILED)
		return 1;
	for (size_t i = 0; i < CALLS; i++) {
		struct timespec t;

		clock_gettime(CLOCK_MONOTONIC, &t);
		times[i + 1] = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
		lseek(-1, (off_t)times[i + 1], SEEK_SET);
		times[0] = i + 1;
		if (pause)
			usleep((unsigned)(rand() % pause));
	}
	return 0;
}
