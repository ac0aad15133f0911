/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A syscall and everything that its decoding can depend on, written in one line:
 *
 *	[ABI] [-OPTION…] [@FACT…] NAME ARGUMENT… = RESULT
 *
 *	openat -100 s:/etc/hosts 0x80000 = 3
 *	i386 -v stat64 s:/ p:96>m:(*96b1) = 0
 *	-y @3=/dev/null fsync 3 = -EIO
 *
 * Words are separated by blanks. A blank in a text is written as %20.
 *
 * ABI is x86_64 (the default), i386, x32, aarch64, riscv64 or arm. An option is one word that both
 * tracer and strace accept. A fact is the answer to a question that tracer may ask about the
 * thread:
 *	@N=WHAT		descriptor N is WHAT, see below
 *	@cwd=PATH	the thread's current directory is PATH
 *	@comm:N=NAME	thread N is called NAME
 *	@optmem=N	net.core.optmem_max is N; the oracle skips the case if it is another number
 *	@pid:N=M	the id N in the thread's pid namespace, of any kind, is M in tracer's
 * WHAT is one of
 *	PATH		a file; "/f%20(deleted)" is a deleted one
 *	netlink:P:N	a netlink socket of protocol P bound to port N; :N can be omitted
 *	tcp:A:P->B:Q	a TCP socket of IPv4 bound to address A and port P. If ->B:Q is present, it
 *			is connected to B and Q. udp: is a UDP socket; tcp6: and udp6: take IPv6
 *			addresses in brackets.
 *	unix:N,PATH	a stream socket bound to PATH or @NAME; its peer's inode is N, or 0
 *	socket:NAME	a socket of which only the protocol's name is known
 *	pidfd:N, eventfd:N, signalfd:MASK, bpf-prog, bpf-map
 *	kvm-vcpu:ADDR	a virtual CPU whose struct kvm_run is mapped at ADDR
 * The oracle cannot make unix:, socket:, eventfd:, kvm-vcpu:, deleted files, @comm: and @pid:
 * real. It needs privileges for bpf-prog and bpf-map.
 *
 * An argument is a number, or a pointer to memory that ends at a page boundary, so that reading
 * beyond it fails:
 *	s:TEXT	TEXT and a NUL; %XX is a byte in hexadecimal
 *	u:TEXT	TEXT without the NUL
 *	p:N	N zero bytes
 *	m:(…)	items separated by commas, see below
 *	e:	no bytes: the address of the page boundary
 * Registers have 64 bits, also in an i386 call, because a 64-bit program can make one. The -1 of a
 * 32-bit program is 0xffffffff.
 *
 * A pointer followed by ">" and another s:, u: or m:(…) is to memory that the call changes: these
 * are its first bytes after the call.
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
 *	NTYPE/FLAGS(…)	a netlink message of sequence number 1 with its length
 *	*NITEM		N times ITEM
 *
 * RESULT is a number, a minus and the name of an error (-ENOENT), or ? if the call never returns.
 *
 * The memory of each call begins at the same address, so lines do not depend on each other.
 */
#ifndef TRACER_TESTS_DECODE_CALL_H
#define TRACER_TESTS_DECODE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_ARENA 0x10000000ul
/* The size of the address range for all blocks of a call and the unreadable pages between them. */
#define CALL_ARENA_SIZE (64ul << 20)
#define CALL_PAGE	4096ul
#define CALL_BLOCKS	600
#define CALL_FACTS	8

/* The same values as ABI_X86_64 and so on in linux/arch/abi.h. */
enum call_abi { CALL_X86_64, CALL_I386, CALL_X32, CALL_AARCH64, CALL_RISCV64, CALL_ARM, CALL_ABIS };

/* Whole pages, followed by an unreadable one. Bytes that the line does not specify are zero. */
struct call_block {
	uint64_t addr; /* the address of the first page */
	size_t size;   /* in bytes, a multiple of CALL_PAGE */
	unsigned char *entry;
	/* The contents after the call, of the same size; NULL if the call changes nothing. */
	unsigned char *exit;
};

enum call_fact_kind { CALL_FD, CALL_CWD, CALL_COMM, CALL_PID, CALL_OPTMEM };

struct call_fact {
	enum call_fact_kind kind;
	int n; /* a descriptor or a pid */
	char what[128];
};

/*
 * A socket of the family AF_INET or AF_INET6 that a fact describes. Ports are in host byte order.
 */
struct call_socket {
	const char *protocol; /* as the kernel calls it: "TCP" */
	int family, type;     /* socket(2) */
	unsigned char address[16], peer[16];
	unsigned port, peer_port; /* peer_port is 0 if it is not connected */
};
/* Parses WHAT of a fact. Returns false if it is not a tcp:, udp:, tcp6: or udp6: socket. */
bool call_socket_parse(struct call_socket *s, const char *what);

enum call_end { CALL_RETURNS, CALL_FAILS, CALL_NEVER_ENDS };

struct call {
	enum call_abi abi;
	char options[512]; /* separated by single blanks */
	struct call_fact facts[CALL_FACTS];
	unsigned nfacts;
	char name[40];
	uint64_t nr; /* as in the register, with the bit of x32 */
	uint64_t args[6];
	uint64_t arena; /* the address of the first block */
	struct call_block blocks[CALL_BLOCKS];
	unsigned nblocks;
	enum call_end end;
	int64_t ret;	   /* as in the register: -ENOENT for CALL_FAILS */
	const char *error; /* what is wrong with the line, after an error */
};

/*
 * Parses a line. Its memory begins at the address `arena`, a multiple of CALL_PAGE. Returns 0, or
 * -1 with c->error. The caller must release c in either case.
 */
int call_parse(struct call *c, const char *line, uint64_t arena);
void call_release(struct call *c);

/* Whether c is a call of the machine that this program is compiled for. */
bool call_runs_here(const struct call *c);
/* Whether c has a fact that cannot be made real for a process, so that strace cannot be asked. */
bool call_is_made_up(const struct call *c);

/*
 * Makes the descriptors and the current directory in the facts of c real for this process. Returns
 * 0, or -1 if one of them cannot be made here.
 */
int call_facts_begin(const struct call *c);
/* Closes these descriptors and changes the directory back to /. */
void call_facts_end(const struct call *c);

#endif
