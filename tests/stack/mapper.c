/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mapper COUNT STEP FILE...: maps files made by tests/stack/greedy.py and calls the code in each at
 * 0x1000, 0x1000 + STEP, and so on, COUNT times. The code makes a syscall, so the file is on its
 * stack. If FILE is "jit", the code is generated instead, and each of 8 processes calls it.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const unsigned char code[] = {0xb8, 110, 0, 0, 0, 0x0f, 0x05, 0xc3}; /* getppid(); */

static void call_all(const char *p, int count, int step)
{
	for (int i = 0; i < count; i++) {
		((void (*)(void))(p + (long)i * step))();
		__asm__ volatile("");
	}
}

static void jit(void)
{
	char name[64], *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(p, code, sizeof(code));
	for (int i = 0; i < 8; i++) {
		pid_t pid = fork();

		if (!pid) {
			snprintf(name, sizeof(name), "/tmp/perf-%d.map", (int)getpid());
			if (link(getenv("MAP"), name))
				_exit(1);
			call_all(p, 1, 0);
			/* Let all processes exist at the same time. */
			sleep(2);
			unlink(name);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	int count = atoi(argv[1]), step = atoi(argv[2]);

	for (int i = 3; i < argc; i++) {
		int fd = open(argv[i], O_RDONLY);
		char *p;

		if (!strcmp(argv[i], "jit")) {
			jit();
			continue;
		}
		p = mmap(NULL, 65536, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0x1000);
		if (p == MAP_FAILED)
			return 1;
		call_all(p, count, step);
	}
	return 0;
}
