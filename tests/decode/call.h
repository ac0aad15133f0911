/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A syscall and everything that affects how it is decoded, on one line:
 *
 *	[ABI] [-OPTION…] [@FACT…] NAME ARGUMENT… = RESULT
 *
 *	openat -100 s:/etc/hosts 0x80000 = 3
 *	i386 -v stat64 s:/ p:96>m:(*96b1) = 0
 *	-y @3=/dev/null fsync 3 = -EIO
 *
 * Words are separated by blanks. A blank within a word is written as %20.
 *
 * ABI is x86_64 (the default), i386, x32, aarch64, riscv64 or arm. An option is one word that both
 * tracer and strace accept. A fact is the answer to a question that tracer may ask about the
 * thread:
 *	@N=WHAT		descriptor N is WHAT, see below
 *	@cwd=PATH	the thread's current directory is PATH
 *	@comm:N=NAME	thread N is called NAME
 *	@label:KEY=CONTEXT!!EXPECTED
 *			KEY has this SELinux context, and the system's database contains EXPECTED
 *			for it; !!EXPECTED can be omitted. KEY is "thread", a descriptor, a path, or
 *			N:PATH for a path that is relative to descriptor N
 *	@optmem=N	net.core.optmem_max is N; the oracle skips the case if the real value
 *			differs
 *	@pid:N=M	id N (of a process, thread, group or session) in the thread's pid namespace
 *			is M in tracer's
 * WHAT is one of
 *	PATH		a file; "/f%20(deleted)" is a deleted file
 *	netlink:P:N	a netlink socket of protocol P bound to port N; :N can be omitted
 *	tcp:A:P->B:Q	an IPv4 TCP socket bound to address A and port P. With ->B:Q, the socket is
 *			connected to address B and port Q. udp: is a UDP socket; tcp6: and udp6:
 *			take IPv6 addresses in brackets.
 *	unix:N,PATH	a stream socket bound to PATH or @NAME; its peer's inode is N, or 0
 *	socket:NAME	a socket; only the name of its protocol is known
 *	pidfd:N, eventfd:N, signalfd:MASK, bpf-prog, bpf-map
 *	kvm-vcpu:ADDR	a virtual CPU whose struct kvm_run is mapped at ADDR
 * The oracle cannot create unix:, socket:, eventfd:, kvm-vcpu: or deleted files, nor apply @comm:,
 * @pid: and @label:. It needs privileges for bpf-prog and bpf-map.
 *
 * An argument is a number, or a pointer to memory that ends at a page boundary, so that reading
 * beyond it fails:
 *	s:TEXT	TEXT and a NUL; %XX is a byte in hexadecimal
 *	u:TEXT	TEXT without the NUL
 *	p:N	N zero bytes
 *	m:(…)	items separated by commas, see below
 *	e:	no bytes: the address of the page boundary
 * Registers have 64 bits even for i386, because 64-bit programs can make i386 syscalls. The -1 of a
 * 32-bit program is 0xffffffff.
 *
 * If ">" and another s:, u: or m:(…) follow a pointer, the syscall changes the memory, and this
 * second item gives the first bytes of the memory after the syscall.
 *
 * The items of m:(…) are
 *	bN hN dN qN	a number of 8, 16, 32 or 64 bits
 *	HN DN QN	the same in network byte order
 *	wN		a number as wide as a pointer
 *			N can also be a pointer, such as qs:TEXT
 *	tTEXT		TEXT without a NUL
 *	xHEX		bytes in hexadecimal
 *	zN		N zero bytes
 *	aTYPE(…)	a netlink attribute with its length, padded to four bytes
 *	NTYPE/FLAGS(…)	a netlink message with its length and sequence number 1
 *	*NITEM		N times ITEM
 *
 * RESULT is a number, an error name with a minus sign (-ENOENT), or ? if the syscall never returns.
 *
 * Each syscall's memory begins at the same address, so lines do not depend on each other.
 */
#ifndef TRACER_TESTS_DECODE_CALL_H
#define TRACER_TESTS_DECODE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_ARENA 0x10000000ul
/*
 * size of the address range that holds all memory blocks of a syscall and the guard pages between
 * them
 */
#define CALL_ARENA_SIZE (64ul << 20)
#define CALL_PAGE	4096ul
#define CALL_BLOCKS	600
#define CALL_FACTS	8

/* These have the same values as ABI_X86_64 and so on in linux/arch/abi.h. */
enum call_abi { CALL_X86_64, CALL_I386, CALL_X32, CALL_AARCH64, CALL_RISCV64, CALL_ARM, CALL_ABIS };

/*
 * A memory block of whole pages, followed by an unreadable page. Bytes that the line does not
 * specify are zero.
 */
struct call_block {
	uint64_t addr; /* address of the first page */
	size_t size;   /* in bytes, a multiple of CALL_PAGE */
	unsigned char *entry;
	/* contents after the syscall (`size` bytes), or NULL if the syscall does not change them */
	unsigned char *exit;
};

enum call_fact_kind { CALL_FD, CALL_CWD, CALL_COMM, CALL_PID, CALL_OPTMEM, CALL_LABEL };

struct call_fact {
	enum call_fact_kind kind;
	int n;	      /* the number N in @N=, @comm:N= or @pid:N= */
	char key[64]; /* the KEY of @label:KEY= */
	char what[128];
};

/* An AF_INET or AF_INET6 socket that a fact describes. Ports are in host byte order. */
struct call_socket {
	const char *protocol; /* the kernel's name for the protocol, for example "TCP" */
	int family, type;     /* the arguments of socket(2) */
	unsigned char address[16], peer[16];
	/* peer_port is 0 if the socket is not connected */
	unsigned port, peer_port;
};
/*
 * Parses the WHAT part of a fact. Returns false if it does not describe a tcp:, udp:, tcp6: or
 * udp6: socket.
 */
bool call_socket_parse(struct call_socket *s, const char *what);

enum call_end { CALL_RETURNS, CALL_FAILS, CALL_NEVER_ENDS };

struct call {
	enum call_abi abi;
	char options[512]; /* separated by single blanks */
	struct call_fact facts[CALL_FACTS];
	unsigned nfacts;
	char name[40];
	uint64_t nr; /* register value, including x32's flag bit */
	uint64_t args[6];
	uint64_t arena; /* address of the first block */
	struct call_block blocks[CALL_BLOCKS];
	unsigned nblocks;
	enum call_end end;
	int64_t ret;	   /* register value; for example -ENOENT if `end` is CALL_FAILS */
	const char *error; /* message if the line is invalid */
};

/*
 * Parses a line. The syscall's memory begins at the address `arena`, a multiple of CALL_PAGE.
 * Returns 0, or -1 after setting c->error. The caller must release c in either case.
 */
int call_parse(struct call *c, const char *line, uint64_t arena);
void call_release(struct call *c);

/* Returns true if a program of this build can make the syscall. */
bool call_runs_here(const struct call *c);
/*
 * Returns true if c has a fact that cannot be created for a real process. In this case, strace
 * cannot trace the syscall.
 */
bool call_is_made_up(const struct call *c);

/*
 * Opens the descriptors and sets the current directory according to the facts of c. Returns 0, or
 * -1 if one of the facts cannot be created on this system.
 */
int call_facts_begin(const struct call *c);
/*
 * Closes the descriptors that call_facts_begin() opened. Changes the directory to / if a fact set
 * it.
 */
void call_facts_end(const struct call *c);

#endif
