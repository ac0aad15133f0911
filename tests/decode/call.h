/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A syscall with all that its decoding can depend on, written in a line:
 *
 *	[ABI] [-OPTION…] [@FACT…] NAME ARGUMENT… = RESULT
 *
 *	openat -100 s:/etc/hosts 0x80000 = 3
 *	i386 -v stat64 s:/ p:96>m:(*96b1) = 0
 *	-y @3=/dev/null fsync 3 = -EIO
 *
 * ABI is x86_64 (the default), i386, x32, aarch64 or riscv64. An option is one word of tracer's and
 * strace's. Blanks separate; a blank in a text is %20. A fact is what a tracer may ask about the
 * thread:
 *	@N=WHAT		what descriptor N is, see below; @cwd=PATH where the thread is
 *	@comm:N=NAME	the name of thread N
 *	@optmem=N	net.core.optmem_max; the oracle leaves a case out where it is another number
 *	@pid:N=M	what the thread calls N, any kind of pid, is M for us
 * WHAT is
 *	PATH		a file; "/f%20(deleted)" one without a name
 *	netlink:P:N	a netlink socket of protocol P bound to port N, which may be left out
 *	tcp:A:P->B:Q	a socket (or udp:) of IPv4 bound to address A and port P, connected to B and
 *			Q if these are there; tcp6: and udp6: with addresses in brackets
 *	unix:N,PATH	a stream socket with the peer's inode N, or 0, bound to PATH or to @NAME
 *	socket:NAME	a socket of the protocol that is called NAME, of which no more is known
 *	pidfd:N, eventfd:N, signalfd:MASK, bpf-prog, bpf-map
 *	kvm-vcpu:ADDR	a virtual processor whose struct kvm_run is mapped at ADDR
 * The program oracle can make all of them real but unix:, socket:, eventfd:, kvm-vcpu:, deleted
 * files, @comm: and @pid:; bpf-prog and bpf-map take privileges.
 *
 * An argument is a number, or a pointer to memory that ends where its page ends, so that reading
 * too much of it fails:
 *	s:TEXT	TEXT and a NUL; u:TEXT without the NUL; %XX is a byte in hexadecimal
 *	p:N	N zero bytes
 *	m:(…)	items separated by commas, see below
 *	e:	the end of a page
 * A register has 64 bits, an i386 call's as well, which may come from a 64-bit program: -1 of a
 * 32-bit program is 0xffffffff.
 *
 * A pointer followed by ">" and another s:, u: or m:(…) says what the call writes there: the bytes
 * that its memory begins with once the call returns.
 *
 * The items of m:(…) are
 *	bN hN dN qN	a number of 8, 16, 32, 64 bits; HN DN QN the same in network order;
 *			wN as wide as a pointer. Instead of N any pointer.
 *	tTEXT		TEXT without a NUL; xHEX bytes in hexadecimal; zN N zero bytes
 *	aTYPE(…)	a netlink attribute, its length counted, padded to four bytes
 *	NTYPE/FLAGS(…)	a netlink message of sequence 1, its length counted
 *	*N before an item repeats it
 *
 * RESULT is a number, an error's name after a minus (-ENOENT), or ? where the call never returns.
 *
 * The first block of memory of each call is at the same address, so lines do not depend on
 * each other.
 */
#ifndef TRACER_TESTS_DECODE_CALL_H
#define TRACER_TESTS_DECODE_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CALL_ARENA 0x10000000ul
/* Memory of all blocks of a call, with the unreadable pages between them, in bytes. */
#define CALL_ARENA_SIZE (64ul << 20)
#define CALL_PAGE	4096ul
#define CALL_BLOCKS	600
#define CALL_FACTS	8

/* The same values as ABI_X86_64 and so on in linux/arch/abi.h. */
enum call_abi { CALL_X86_64, CALL_I386, CALL_X32, CALL_AARCH64, CALL_RISCV64, CALL_ARM, CALL_ABIS };

/* Whole pages, followed by one that cannot be read. Bytes that the line does not tell are zero. */
struct call_block {
	uint64_t addr; /* of the first page */
	size_t size;   /* in bytes, a multiple of CALL_PAGE */
	unsigned char *entry;
	/* What the call leaves there, of the same size; NULL: it changes nothing. */
	unsigned char *exit;
};

enum call_fact_kind { CALL_FD, CALL_CWD, CALL_COMM, CALL_PID, CALL_OPTMEM };

struct call_fact {
	enum call_fact_kind kind;
	int n; /* a descriptor or a pid */
	char what[128];
};

/* A socket that a fact describes: AF_INET or AF_INET6; ports in host order. */
struct call_socket {
	const char *protocol; /* as the kernel calls it: "TCP" */
	int family, type;     /* socket(2) */
	unsigned char address[16], peer[16];
	unsigned port, peer_port; /* peer_port 0: it is not connected */
};
/* Reads WHAT of a fact; false if it is no tcp:, udp:, tcp6: or udp6:. */
bool call_socket_parse(struct call_socket *s, const char *what);

enum call_end { CALL_RETURNS, CALL_FAILS, CALL_NEVER_ENDS };

struct call {
	enum call_abi abi;
	char options[512]; /* separated by single blanks */
	struct call_fact facts[CALL_FACTS];
	unsigned nfacts;
	char name[40];
	uint64_t nr; /* as it is in the register: with x32's bit */
	uint64_t args[6];
	uint64_t arena; /* where the first block is */
	struct call_block blocks[CALL_BLOCKS];
	unsigned nblocks;
	enum call_end end;
	int64_t ret;	   /* as in the register: -ENOENT for CALL_FAILS */
	const char *error; /* what was wrong with the line */
};

/*
 * Reads a line. Its memory begins at the address arena, a multiple of CALL_PAGE. 0, or -1 with
 * c->error; c is to be released in either case.
 */
int call_parse(struct call *c, const char *line, uint64_t arena);
void call_release(struct call *c);

/* Whether c is a call of the machine that this is compiled for. */
bool call_runs_here(const struct call *c);
/* Whether c has a fact that no process can be given: strace is not asked about it. */
bool call_is_made_up(const struct call *c);

/*
 * Makes the descriptors and the directory of c's facts real in this process. Returns 0, or -1 if
 * one of them cannot be made here.
 */
int call_facts_begin(const struct call *c);
/* Closes them again and returns to /. */
void call_facts_end(const struct call *c);

#endif
