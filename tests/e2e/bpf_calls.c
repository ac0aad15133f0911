/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program with several modes, for the tests of --engine=bpf:
 *
 * - count PROCESSES THREADS CALLS: each thread of each process makes CALLS syscalls.
 * - deep CALLS: each of three processes makes CALLS syscalls: lseek(-1, DEPTH, 0), with DEPTH
 *   functions on the stack.
 * - wait: 20 threads make syscalls until a line arrives on standard input.
 * - heir FORKS: the first thread ends after a line of input. After a second line, another thread
 *   forks FORKS times. This thread and its children run on one CPU.
 * - strangers FORKS: forks FORKS times, and creates two processes that make syscalls. These
 * processes continue to run. One of them calls execve.
 * - stranger: continues such a process.
 * - busy SECONDS: four processes create children that make syscalls and end soon. Another process
 *   makes syscalls that occupy a CPU for 12 ms.
 * - int80: i386 syscalls from a 64-bit program.
 * - denied: syscalls that a seccomp filter rejects with an error.
 * - arm FILE: writes a 32-bit Arm program to FILE, without a compiler.
 * - huge: maps a file of 256 MiB 16 times, so that the exit takes much longer than 20 ms.
 * - gone ID…: exits with status 0 if no BPF program has one of these ids.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "e2e.h"

#define THREADS_MAX 64

static long calls;
static atomic_bool enough;

static void *make_calls(void *arg)
{
	for (long i = 0; i < calls; i++)
		syscall(SYS_lseek, -1, i, 0);
	return arg;
}

static void *call_on(void *arg)
{
	while (!enough) {
		syscall(SYS_lseek, -1, 0, 0);
		usleep(1000);
	}
	return arg;
}

static void run_threads(int n, void *(*f)(void *))
{
	pthread_t threads[THREADS_MAX];

	for (int i = 0; i < n; i++)
		if (pthread_create(&threads[i], NULL, f, NULL))
			exit(2);
	if (f == call_on) {
		puts("ready");
		fflush(stdout);
		getchar();
		enough = true;
	}
	for (int i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

static pthread_t first;
static long forks;

static void stay_on_cpu(void)
{
	cpu_set_t here;

	CPU_ZERO(&here);
	CPU_SET(sched_getcpu(), &here);
	sched_setaffinity(0, sizeof(here), &here);
}

static void fork_often(long n)
{
	for (long i = 0; i < n; i++) {
		if (!vfork())
			_exit(0);
		wait(NULL);
	}
}

static void *fork_on(void *arg)
{
	stay_on_cpu();
	pthread_join(first, NULL);
	puts("ready");
	fflush(stdout);
	getchar();
	fork_often(forks);
	return arg;
}

static void leave_to_heir(long n)
{
	pthread_t heir;

	forks = n;
	first = pthread_self();
	if (pthread_create(&heir, NULL, fork_on, NULL))
		exit(2);
	getchar();
	pthread_exit(NULL);
}

static int count(char **argv)
{
	int processes = atoi(argv[0]), threads = atoi(argv[1]);

	calls = atol(argv[2]);
	for (int i = 0; i < processes; i++) {
		if (fork())
			continue;
		run_threads(threads, make_calls);
		_exit(0);
	}
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return 0;
}

/*
 * Makes syscalls that a seccomp filter denies, in this process and in a child, which inherits the
 * filter.
 */
static int denied(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mkdirat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pipe2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {sizeof(code) / sizeof(code[0]), code};
	int ends[2] = {3, 4}, status;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter))
		return 1;
	syscall(SYS_mkdirat, -100, "/no/such", 0700);
	syscall(SYS_chdir, "/no/such");
	syscall(SYS_pipe2, ends, 0);
	if (!fork()) {
		/*
		 * The child has not accessed the page of the string yet, so the kernel must load
		 * the page.
		 */
		syscall(SYS_chdir, "/nor/this");
		syscall(SYS_mkdirat, -100, "/nor/this", 0700);
		_exit(0);
	}
	wait(&status);
	return syscall(SYS_mkdirat, -100, "/nor/that", 0700) == 0;
}

__attribute__((noinline)) static void down(long depth, long number)
{
	/* The size of the stack frame depends on the syscall and on the process. */
	volatile long size = 2 + (number + getpid()) % 29, mine[size];

	mine[0] = depth;
	mine[size - 1] = number;
	if (depth > 1)
		down(depth - 1, number);
	else
		syscall(SYS_lseek, -1, mine[size - 1] % 23 + 1, 0);
	__asm__ volatile("");
}

static int deep(long n)
{
	for (int i = 0; i < 3; i++) {
		if (fork())
			continue;
		for (long k = 0; k < n; k++)
			down(k % 23 + 1, k);
		_exit(0);
	}
	while (wait(NULL) > 0 || errno == EINTR)
		;
	return 0;
}

static void go_down(long depth)
{
	for (int i = 0; i < 10; i++)
		down(depth, depth - 1);
}

static void wait_for_file(const char *path)
{
	while (access(path, F_OK))
		usleep(10000);
}

static int stranger(void)
{
	go_down(4);
	wait_for_file("go");
	go_down(6);
	wait_for_file("end");
	return 0;
}

static int strangers(long n)
{
	stay_on_cpu();
	fork_often(n);
	for (int i = 0; i < 2; i++) {
		if (fork())
			continue;
		go_down(3);
		if (i)
			execl("/proc/self/exe", "bpf_calls", "stranger", NULL);
		_exit(stranger());
	}
	return 0;
}

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#define OCCUPIED 0.012 /* duration of a call that occupies a CPU, in seconds */

static void occupy_cpu(void)
{
	const struct sched_param param = {.sched_priority = 1};
	const size_t most = 128u << 20, least = 4096;
	int zeros = open("/dev/zero", O_RDONLY);
	double n = (double)least;
	char *buf = mmap(NULL, most, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (buf == MAP_FAILED || zeros < 0)
		_exit(2);
	/* Other threads should not interrupt the calls. This needs a privilege. */
	sched_setscheduler(0, SCHED_FIFO, &param);
	for (;;) {
		const double begin = seconds();

		if (read(zeros, buf, (size_t)n) < 0)
			_exit(2);
		n *= OCCUPIED / (seconds() - begin);
		n = n < (double)least ? (double)least : n > (double)most ? (double)most : n;
		usleep(2000);
	}
}

static void create_children(double end)
{
	while (seconds() < end) {
		if (!fork()) {
			for (int i = 0; i < 5; i++)
				syscall(SYS_lseek, -1, i, 0);
			usleep(1000);
			syscall(SYS_lseek, -1, 5, 0);
			_exit(0);
		}
		wait(NULL);
	}
	_exit(0);
}

static int busy(double length)
{
	const double end = seconds() + length;
	pid_t creators[4], occupier = fork();

	if (!occupier)
		occupy_cpu();
	for (int i = 0; i < 4; i++) {
		creators[i] = fork();
		if (!creators[i])
			create_children(end);
	}
	for (int i = 0; i < 4; i++)
		waitpid(creators[i], NULL, 0);
	kill(occupier, SIGKILL);
	wait(NULL);
	return 0;
}

#ifdef __x86_64__
static long call_of_i386(long nr, long a, long b, long c, long d, long e)
{
	long r;

	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
			 : "memory", "r8", "r9", "r10", "r11");
	return r;
}

/*
 * Makes i386 syscalls whose arguments are in memory, or whose first argument selects another
 * syscall.
 */
static void calls_in_calls(void)
{
	uint32_t *words = mmap((void *)0x20000000, 4096, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	const long at = (long)words;
	const uint32_t socketpair[] = {1, 1, 0, (uint32_t)at + 64}, map[] = {0, 0, 3, 0x22, -1, 0};
	const uint32_t select[] = {0, 0, 0, 0, (uint32_t)at + 72}, option[] = {0, 1, 2, at + 80, 4};
	const int16_t semop[] = {3, -1, 0};

	memcpy(words, socketpair, sizeof(socketpair));
	call_of_i386(102, 8, at, 0, 0, 0);
	memcpy(words, option, sizeof(option));
	words[0] = words[16];
	words[20] = 1;
	call_of_i386(102, 14, at, 0, 0, 0);
	call_of_i386(102, 99, at, 0, 0, 0);
	memcpy(words, map, sizeof(map));
	call_of_i386(90, at, 0, 0, 0, 0);
	memcpy(words, select, sizeof(select));
	call_of_i386(82, at, 0, 0, 0, 0);
	memcpy(words, semop, sizeof(semop));
	call_of_i386(117, 1, 999999, 1, 0, at);
	words[0] = 5;
	memcpy(words + 1, "text", 4);
	call_of_i386(117, 11, 999999, 4, 04000, at);
	/* The arguments are at an unmapped address. */
	call_of_i386(102, 8, 8, 0, 0, 0);
}
#endif

static int int80(void)
{
#ifdef __x86_64__
	trace_from_here();
	/* getpid and close(-1) */
	call_of_i386(20, 0, 0, 0, 0, 0);
	call_of_i386(6, -1, 0, 0, 0, 0);
	calls_in_calls();
#endif
	return 0;
}

#define ARM_AT 0x10000

/*
 * Writes a program that calls close(-1), open("/narrow", O_RDONLY), writev(-1, …), ftruncate64(-1,
 * 6 << 32 | 5) and set_tls(7).
 */
static int make_arm(const char *path)
{
	static const uint32_t code[] = {0xe3e00000,
					0xe3a07006,
					0xef000000, /* mvn r0, 0; mov r7, 6; svc 0 */
					0xe28f0054,
					0xe3a01000,
					0xe3a07005,
					0xef000000, /* adr r0, path; mov r1, 0; … */
					0xe3e00000,
					0xe28f1038,
					0xe3a02001, /* mvn r0, 0; adr r1, vector; … */
					0xe3a07092,
					0xef000000, /* mov r7, 146; svc 0 */
					0xe3e00000,
					0xe3a02005,
					0xe3a03006, /* mvn r0, 0; mov r2, 5; … */
					0xe3a070c2,
					0xef000000, /* mov r7, 194; svc 0 */
					0xe3a00007,
					0xe59f700c,
					0xef000000, /* mov r0, 7; ldr r7, own; svc 0 */
					0xe3a00000,
					0xe3a070f8,
					0xef000000, /* exit_group(0) */
					0x000f0005, /* own: __ARM_NR_set_tls */
					ARM_AT + sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr) + 104,
					7, /* vector */
					0x72616e2f,
					0x00776f72 /* path */};
	struct {
		Elf32_Ehdr head;
		Elf32_Phdr part;
		uint32_t code[sizeof(code) / sizeof(*code)];
	} file = {.head = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS32, ELFDATA2LSB,
				       EV_CURRENT},
			   .e_type = ET_EXEC,
			   .e_machine = EM_ARM,
			   .e_version = EV_CURRENT,
			   .e_entry = ARM_AT + sizeof(Elf32_Ehdr) + sizeof(Elf32_Phdr),
			   .e_phoff = sizeof(Elf32_Ehdr),
			   .e_flags = EF_ARM_EABI_VER5,
			   .e_ehsize = sizeof(Elf32_Ehdr),
			   .e_phentsize = sizeof(Elf32_Phdr),
			   .e_phnum = 1},
		  .part = {.p_type = PT_LOAD,
			   .p_vaddr = ARM_AT,
			   .p_filesz = sizeof(file),
			   .p_memsz = sizeof(file),
			   .p_flags = PF_R | PF_X,
			   .p_align = 0x10000}};
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	memcpy(file.code, code, sizeof(code));
	return write(fd, &file, sizeof(file)) != sizeof(file) || close(fd);
}

static int map_huge(void)
{
	const size_t size = 256u << 20;
	int fd = memfd_create("huge", 0);

	if (fd < 0 || ftruncate(fd, (off_t)size))
		return 1;
	for (int i = 0; i < 16; i++)
		if (mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0) ==
		    MAP_FAILED)
			return 1;
	return 0;
}

static int gone(char **ids)
{
	for (; *ids; ids++) {
		union bpf_attr attr;

		memset(&attr, 0, sizeof(attr));
		attr.prog_id = (unsigned)atoi(*ids);
		if (syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof(attr)) >= 0 ||
		    errno != ENOENT)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 5 && !strcmp(argv[1], "count"))
		return count(argv + 2);
	if (argc == 3 && !strcmp(argv[1], "deep"))
		return deep(atol(argv[2]));
	if (argc == 3 && !strcmp(argv[1], "strangers"))
		return strangers(atol(argv[2]));
	if (argc == 2 && !strcmp(argv[1], "stranger"))
		return stranger();
	if (argc == 3 && !strcmp(argv[1], "busy"))
		return busy(atof(argv[2]));
	if (argc == 2 && !strcmp(argv[1], "wait"))
		run_threads(20, call_on);
	else if (argc == 3 && !strcmp(argv[1], "heir"))
		leave_to_heir(atol(argv[2]));
	else if (argc == 2 && !strcmp(argv[1], "int80"))
		return int80();
	else if (argc == 2 && !strcmp(argv[1], "denied"))
		return denied();
	else if (argc == 3 && !strcmp(argv[1], "arm"))
		return make_arm(argv[2]);
	else if (argc == 2 && !strcmp(argv[1], "huge"))
		return map_huge();
	else if (argc > 1 && !strcmp(argv[1], "gone"))
		return gone(argv + 2);
	return 0;
}
