/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/fields.h"

#include <string.h>

const struct field_desc query_fields[] = {
	{"kind", FIELD_KIND, FIELD_IS_KIND, 0, "syscall, signal or io_uring"},
	{"name", FIELD_NAME, FIELD_IS_SYSCALL, 0,
	 "the name of the call (openat) or of the signal (SIGCHLD)"},
	{"class", FIELD_CLASS, FIELD_IS_CLASS, 0,
	 "a class of calls, as in -e trace=%CLASS: file, network, …"},
	{"pid", FIELD_PID, FIELD_IS_NUMBER, QUERY_NEEDS_TGID, "the id of the process"},
	{"tid", FIELD_TID, FIELD_IS_NUMBER, 0, "the id of the thread"},
	{"comm", FIELD_COMM, FIELD_IS_TEXT, QUERY_NEEDS_COMM, "the name of the thread"},
	{"exe", FIELD_EXE, FIELD_IS_PATH, QUERY_NEEDS_TGID | QUERY_NEEDS_PROGRAM,
	 "the path of the process's program; after a successful execve, the new one"},
	{"cgroup", FIELD_CGROUP, FIELD_IS_PATH, QUERY_NEEDS_TGID | QUERY_NEEDS_PROGRAM,
	 "the path of the process's control group: /system.slice/nginx.service"},
	{"abi", FIELD_ABI, FIELD_IS_ABI, 0, "x86_64, i386, …"},
	{"nr", FIELD_NR, FIELD_IS_NUMBER, 0, "the number of the call"},
	{"ip", FIELD_IP, FIELD_IS_NUMBER, 0, "the instruction pointer"},
	{"ret", FIELD_RET, FIELD_IS_NUMBER, QUERY_NEEDS_RESULT,
	 "the result of a call; -1 if it failed"},
	{"error", FIELD_ERROR, FIELD_IS_ERRNO, QUERY_NEEDS_RESULT,
	 "the error of a call: ENOENT, …; 0 if it succeeded"},
	{"duration", FIELD_DURATION, FIELD_IS_DURATION, QUERY_NEEDS_TIMES | QUERY_NEEDS_RESULT,
	 "the duration of a call"},
#define NEEDS_OFF_CPU (QUERY_NEEDS_OFF_CPU | QUERY_NEEDS_TIMES | QUERY_NEEDS_RESULT)
	{"blocked", FIELD_BLOCKED, FIELD_IS_DURATION, NEEDS_OFF_CPU,
	 "with --engine=bpf: the part of duration in which the thread was blocked"},
	{"runnable", FIELD_RUNNABLE, FIELD_IS_DURATION, NEEDS_OFF_CPU,
	 "with --engine=bpf: the part of duration in which the thread waited for a CPU"},
	{"on_cpu", FIELD_CPU, FIELD_IS_DURATION, NEEDS_OFF_CPU,
	 "with --engine=bpf: the part of duration in which the thread ran"},
	{"time", FIELD_TIME, FIELD_IS_DURATION, QUERY_NEEDS_TIMES,
	 "the start of the event in seconds since 1970, as -ttt shows it"},
	{"path", FIELD_PATH, FIELD_IS_PATH, QUERY_NEEDS_FD_PATHS | QUERY_NEEDS_PATHS,
	 "each absolute path of the call; if it has none, the path of each descriptor"},
	{"bytes", FIELD_BYTES, FIELD_IS_SIZE, QUERY_NEEDS_RESULT,
	 "the number of bytes transferred by read, write, sendmsg, …"},
	{"fd", FIELD_FD, FIELD_IS_NUMBER, 0, "the first descriptor among the arguments"},
	{"fd.path", FIELD_FD_PATH, FIELD_IS_PATH, QUERY_NEEDS_FD_PATHS, "the path of fd"},
	{"fd.kind", FIELD_FD_KIND, FIELD_IS_TEXT, QUERY_NEEDS_FD_PATHS,
	 "the kind of fd: file, pipe, socket, memfd, eventpoll, …"},
	{"fd.addr", FIELD_FD_ADDR, FIELD_IS_PATH, QUERY_NEEDS_FD_PATHS | QUERY_NEEDS_FD_SOCKETS,
	 "the address that the socket fd is bound to"},
	{"fd.port", FIELD_FD_PORT, FIELD_IS_NUMBER, QUERY_NEEDS_FD_PATHS | QUERY_NEEDS_FD_SOCKETS,
	 "the port that the socket fd is bound to"},
	{"peer", FIELD_PEER, FIELD_IS_PATH, QUERY_NEEDS_FD_PATHS | QUERY_NEEDS_FD_SOCKETS,
	 "the address of the other end of the socket: 127.0.0.1:80, [::1]:80, /run/x"},
	{"peer.addr", FIELD_PEER_ADDR, FIELD_IS_PATH, QUERY_NEEDS_FD_PATHS | QUERY_NEEDS_FD_SOCKETS,
	 "peer without the port"},
	{"peer.port", FIELD_PEER_PORT, FIELD_IS_NUMBER,
	 QUERY_NEEDS_FD_PATHS | QUERY_NEEDS_FD_SOCKETS, "the port of the peer"},
	{"signal", FIELD_SIGNAL, FIELD_IS_SIGNAL, 0, "the delivered signal: SIGSEGV, …"},
	{"stack", FIELD_STACK, FIELD_IS_STACK, QUERY_NEEDS_STACK | QUERY_NEEDS_RESULT,
	 "the frames of the stack, each as FILE(FUNCTION without ')'; =~ is true if one matches"},
	{NULL, FIELD_KIND, FIELD_IS_KIND, 0, NULL},
};

const struct field_desc *field_desc_of(enum field_kind kind)
{
	const struct field_desc *f = query_fields;

	while (f->name && f->kind != kind)
		f++;
	return f;
}

/* Returns true if `f` begins with the field `name`. Sets *used as in field_find(). */
static bool is_field(const struct field_ref *f, const char *name, size_t *used)
{
	size_t n = strcspn(name, ".");

	*used = 0;
	if (strlen(f->argument) != n || memcmp(f->argument, name, n))
		return false;
	if (!name[n])
		return true;
	*used = 1;
	return f->nsteps && f->steps[0].name && !strcmp(f->steps[0].name, name + n + 1);
}

const struct field_desc *field_find(const struct field_ref *f, size_t *used)
{
	const struct field_desc *best = NULL;
	size_t n;

	*used = 0;
	for (const struct field_desc *d = query_fields; d->name; d++) {
		if (!is_field(f, d->name, &n) || (best && n < *used))
			continue;
		best = d;
		*used = n;
	}
	return best;
}

bool field_is_event_kind(const char *name)
{
	return !strcmp(name, "syscall") || !strcmp(name, "signal") || !strcmp(name, "io_uring");
}
