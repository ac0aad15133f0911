/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads one byte of each MiB of a mapped file whose pages are not in memory. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

static __attribute__((noinline)) unsigned touch_pages(const volatile unsigned char *p, size_t size)
{
	unsigned sum = 0;

	for (size_t i = 0; i < size; i += MIB)
		sum += p[i];
	return sum;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR) : -1;
	struct stat st;
	unsigned char *p;

	if (fd < 0 || fstat(fd, &st) || fsync(fd) || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		return 1;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED || madvise(p, (size_t)st.st_size, MADV_RANDOM))
		return 1;
	return touch_pages(p, (size_t)st.st_size) == 1;
}
