/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "call.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/netlink.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define X32_BIT 0x40000000

static const struct number {
	const char *name;
	uint64_t nr;
} numbers_x86_64[] =
	{
#define NR(nr, name) {#name, nr},
#include "../../linux/arch/x86_64/numbers.h"
		{NULL, 0}},
  numbers_aarch64[] =
	  {
#include "../../linux/arch/generic_numbers.h"
		  {NULL, 0}},
  numbers_riscv64[] =
	  {
#include "../../linux/arch/generic_numbers.h"
#include "../../linux/arch/riscv64/numbers.h"
		  {NULL, 0}},
  numbers_arm[] =
	  {
#include "../../linux/arch/arm/numbers.h"
#define ABI_OWN_CALLS 0xf0000 /* same as `own_calls` in the ABI's struct abi */
#include "../../linux/arch/arm/own_calls.h"
#undef ABI_OWN_CALLS
		  {NULL, 0}},
  numbers_i386[] =
	  {
#include "../../linux/arch/i386/numbers.h"
		  {NULL, 0}},
  numbers_x32[] = {
#undef NR
#define NR(nr, name)   {#name, (nr) | X32_BIT},
#define NR64(nr, name) {#name "#64", (nr) | X32_BIT},
#include "../../linux/arch/x32/numbers.h"
	  {NULL, 0}};

static const struct {
	const char *name;
	const struct number *numbers;
	size_t long_size;
} abis[CALL_ABIS] = {[CALL_X86_64] = {"x86_64", numbers_x86_64, 8},
		     [CALL_I386] = {"i386", numbers_i386, 4},
		     [CALL_X32] = {"x32", numbers_x32, 4},
		     [CALL_AARCH64] = {"aarch64", numbers_aarch64, 8},
		     [CALL_RISCV64] = {"riscv64", numbers_riscv64, 8},
		     [CALL_ARM] = {"arm", numbers_arm, 4}};

struct bytes {
	unsigned char *data;
	size_t n, size;
};

static void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (b->n + n > b->size) {
		b->size = (b->n + n) * 2;
		b->data = realloc(b->data, b->size);
		if (!b->data)
			abort();
	}
	memcpy(b->data + b->n, data, n);
	b->n += n;
}

static void bytes_zero(struct bytes *b, size_t n)
{
	while (n--)
		bytes_add(b, "", 1);
}

/* Parses a number in C notation. A number with a minus sign is signed. */
static uint64_t number(const char **at)
{
	return **at == '-' ? (uint64_t)strtoll(*at, (char **)at, 0) : strtoull(*at, (char **)at, 0);
}

static void text(struct bytes *b, const char **at, const char *end)
{
	const char *p = *at;

	while (*p && *p != '\n' && !strchr(end, *p)) {
		unsigned code = (unsigned char)*p++;
		unsigned char byte;

		if (code == '%') {
			sscanf(p, "%2x", &code);
			p += p[0] ? 1 + (p[1] != 0) : 0;
		}
		byte = (unsigned char)code;
		bytes_add(b, &byte, 1);
	}
	*at = p;
}

static uint64_t value(struct call *c, const char **at);
static void items(struct call *c, struct bytes *b, const char **at);

static void put_number(struct bytes *b, uint64_t n, size_t size, int network)
{
	for (size_t i = 0; i < size; i++) {
		unsigned char byte = (unsigned char)(n >> 8 * (network ? size - 1 - i : i));

		bytes_add(b, &byte, 1);
	}
}

/*
 * Completes a header that begins at `start`: appends the items in parentheses, if any, stores the
 * total length in the first `size` bytes, and pads to a multiple of four bytes.
 */
static void counted(struct call *c, struct bytes *b, size_t start, size_t size, const char **at)
{
	uint64_t n;

	if (**at == '(')
		items(c, b, at);
	n = b->n - start;
	memcpy(b->data + start, &n, size);
	bytes_zero(b, -n & 3);
}

static void item(struct call *c, struct bytes *b, const char **at)
{
	char kind = *(*at)++;
	size_t start = b->n;
	uint64_t type, flags = 0;

	switch (kind) {
	case 't':
		text(b, at, ",)");
		return;
	case 'x':
		for (unsigned code; sscanf(*at, "%2x", &code) == 1; *at += 2)
			put_number(b, code, 1, 0);
		return;
	case 'z':
		bytes_zero(b, number(at));
		return;
	case 'a':
		type = number(at);
		put_number(b, 0, 2, 0);
		put_number(b, type, 2, 0);
		counted(c, b, start, 2, at);
		return;
	case 'N':
		type = number(at);
		if (**at == '/') {
			(*at)++;
			flags = number(at);
		}
		put_number(b, 0, 4, 0);
		put_number(b, type, 2, 0);
		put_number(b, flags, 2, 0);
		put_number(b, 1, 4, 0);
		put_number(b, 0, 4, 0);
		counted(c, b, start, 4, at);
		return;
	case 'b':
		put_number(b, value(c, at), 1, 0);
		return;
	case 'h':
	case 'H':
		put_number(b, value(c, at), 2, kind == 'H');
		return;
	case 'd':
	case 'D':
		put_number(b, value(c, at), 4, kind == 'D');
		return;
	case 'q':
	case 'Q':
		put_number(b, value(c, at), 8, kind == 'Q');
		return;
	case 'w':
		put_number(b, value(c, at), abis[c->abi].long_size, 0);
		return;
	}
	c->error = "an item is none of b, h, d, q, H, D, Q, w, t, x, z, a, N";
}

/* Parses the list (ITEM,ITEM,…) at *at and appends the bytes of the items to b. */
static void items(struct call *c, struct bytes *b, const char **at)
{
	(*at)++;
	while (!c->error && **at != ')') {
		uint64_t repeat = 1;
		size_t start, size;

		if (**at == ',') {
			(*at)++;
			continue;
		}
		if (!**at || **at == '\n') {
			c->error = "a parenthesis is not closed";
			return;
		}
		if (**at == '*') {
			(*at)++;
			repeat = number(at);
		}
		start = b->n;
		item(c, b, at);
		size = b->n - start;
		for (; repeat > 1; repeat--) {
			unsigned char *copy = malloc(size + 1);

			memcpy(copy, b->data + start, size);
			bytes_add(b, copy, size);
			free(copy);
		}
		if (!repeat)
			b->n = start;
	}
	if (!c->error)
		(*at)++;
}

/*
 * Parses a description of the memory to which a pointer points. Stores the contents of the memory
 * in *b. Returns 0 if *at does not begin with a description, otherwise 1. Sets c->error if
 * the description is invalid.
 */
static int memory(struct call *c, struct bytes *b, const char **at)
{
	char kind = **at;

	if (!kind || !strchr("supme", kind) || (*at)[1] != ':')
		return 0;
	*at += 2;
	switch (kind) {
	case 's':
	case 'u':
		text(b, at, " ,)>");
		if (kind == 's')
			bytes_zero(b, 1);
		break;
	case 'p':
		bytes_zero(b, number(at));
		break;
	case 'm':
		if (**at == '(')
			items(c, b, at);
		else
			c->error = "m: without a parenthesis";
		break;
	}
	return 1;
}

/*
 * Adds a memory block that ends with the bytes b, at a page boundary. `written` contains the first
 * of these bytes after the syscall; it may be NULL. Returns the address of the bytes. Sets c->error
 * if there is too much memory.
 */
static uint64_t block_add(struct call *c, const struct bytes *b, const struct bytes *written)
{
	struct call_block *last = c->nblocks ? &c->blocks[c->nblocks - 1] : NULL, *new;
	size_t size = (b->n + CALL_PAGE - 1) / CALL_PAGE * CALL_PAGE;

	if (!size)
		size = CALL_PAGE;
	if (c->nblocks == CALL_BLOCKS) {
		c->error = "too many blocks of memory";
		return 0;
	}
	new = &c->blocks[c->nblocks++];
	new->addr = last ? last->addr + last->size + CALL_PAGE : c->arena;
	new->size = size;
	new->entry = calloc(1, size);
	new->exit = NULL;
	if (new->addr + size >= CALL_ARENA + CALL_ARENA_SIZE)
		c->error = "too much memory";
	if (b->n)
		memcpy(new->entry + size - b->n, b->data, b->n);
	if (written) {
		new->exit = malloc(size);
		memcpy(new->exit, new->entry, size);
		if (written->n > b->n)
			c->error = "more is written than there is memory";
		else if (written->n)
			memcpy(new->exit + size - b->n, written->data, written->n);
	}
	return new->addr + size - b->n;
}

static uint64_t value(struct call *c, const char **at)
{
	struct bytes entry = {0}, written = {0};
	uint64_t n;

	if (!memory(c, &entry, at)) {
		const char *start = *at;

		n = number(at);
		if (*at == start)
			c->error = "neither a number nor a pointer";
	} else if (**at == '>') {
		(*at)++;
		if (!memory(c, &written, at))
			c->error = "what the call writes is none of s:, u: and m:";
		n = block_add(c, &entry, &written);
	} else {
		n = block_add(c, &entry, NULL);
	}
	free(entry.data);
	free(written.data);
	return n;
}

static void find_number(struct call *c)
{
	const struct number *n = abis[c->abi].numbers;

	if (sscanf(c->name, "syscall_%li", (long *)&c->nr) == 1)
		return;
	for (; n->name; n++)
		if (!strcmp(n->name, c->name)) {
			c->nr = n->nr;
			return;
		}
	c->error = "no such syscall in this ABI";
}

static void fact_add(struct call *c, const char *word, size_t len)
{
	struct call_fact *f = &c->facts[c->nfacts];
	const char *equals = memchr(word, '=', len);
	size_t n = 0;

	if (c->nfacts == CALL_FACTS || !equals) {
		c->error = "too many facts, or one without =";
		return;
	}
	c->nfacts++;
	for (const char *p = equals + 1; p < word + len && n < sizeof(f->what) - 1; n++, p++) {
		f->what[n] = *p;
		if (*p == '%' && p + 2 < word + len) {
			f->what[n] = (char)strtol((char[]){p[1], p[2], 0}, NULL, 16);
			p += 2;
		}
	}
	f->what[n] = '\0';
	f->kind = CALL_FD;
	if (!strncmp(word, "@cwd=", 5))
		f->kind = CALL_CWD;
	else if (!strncmp(word, "@optmem=", 8))
		f->kind = CALL_OPTMEM;
	else if (sscanf(word, "@comm:%d=", &f->n) == 1)
		f->kind = CALL_COMM;
	else if (sscanf(word, "@pid:%d=", &f->n) == 1)
		f->kind = CALL_PID;
	else if (sscanf(word, "@label:%63[^=]=", f->key) == 1)
		f->kind = CALL_LABEL;
	else if (sscanf(word, "@%d=", &f->n) != 1)
		c->error = "there is no such fact";
}

/*
 * Parses an endpoint such as "1.2.3.4:5" or "[::1]:5" into `address`, in network byte order, and
 * *port. Returns the text after the endpoint, or NULL if the endpoint is invalid.
 */
static const char *endpoint(int family, const char *p, unsigned char *address, unsigned *port)
{
	char host[64];
	int n = 0;

	if (sscanf(p, family == AF_INET ? "%63[0-9.]:%u%n" : "[%63[0-9a-f:.]]:%u%n", host, port,
		   &n) != 2 ||
	    inet_pton(family, host, address) != 1)
		return NULL;
	return p + n;
}

bool call_socket_parse(struct call_socket *s, const char *what)
{
	static const struct {
		const char *prefix, *protocol;
		int family, type;
	} kinds[] = {{"tcp:", "TCP", AF_INET, SOCK_STREAM},
		     {"udp:", "UDP", AF_INET, SOCK_DGRAM},
		     {"tcp6:", "TCPv6", AF_INET6, SOCK_STREAM},
		     {"udp6:", "UDPv6", AF_INET6, SOCK_DGRAM}};

	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t len = strlen(kinds[i].prefix);

		if (strncmp(what, kinds[i].prefix, len))
			continue;
		s->protocol = kinds[i].protocol;
		s->family = kinds[i].family;
		s->type = kinds[i].type;
		what = endpoint(s->family, what + len, s->address, &s->port);
		if (what && !strncmp(what, "->", 2))
			what = endpoint(s->family, what + 2, s->peer, &s->peer_port);
		return what && !*what;
	}
	return false;
}

/*
 * Error numbers that the kernel uses internally and that only tracers see, from
 * include/linux/errno.h.
 */
static const struct number restarts[] = {{"ERESTARTSYS", 512},
					 {"ERESTARTNOINTR", 513},
					 {"ERESTARTNOHAND", 514},
					 {"ERESTART_RESTARTBLOCK", 516}};

static void result(struct call *c, const char *p)
{
	size_t len = strcspn(p, " \t\n");

	if (*p == '?') {
		c->end = CALL_NEVER_ENDS;
		return;
	}
	if (*p != '-' || p[1] != 'E') {
		const char *start = p;

		c->ret = (int64_t)number(&p);
		c->end = c->ret < 0 && c->ret >= -4095 ? CALL_FAILS : CALL_RETURNS;
		if (p == start)
			c->error = "the result is not a number";
		return;
	}
	p++;
	len--;
	c->end = CALL_FAILS;
	for (size_t i = 0; i < sizeof(restarts) / sizeof(restarts[0]); i++)
		if (strlen(restarts[i].name) == len && !strncmp(p, restarts[i].name, len))
			c->ret = -(int64_t)restarts[i].nr;
	for (int err = 1; err < 140 && !c->ret; err++) {
		const char *name = strerrorname_np(err);

		if (name && strlen(name) == len && !strncmp(p, name, len))
			c->ret = -err;
	}
	if (!c->ret)
		c->error = "no such error";
}

static void option_add(struct call *c, const char *word, size_t len)
{
	size_t n = strlen(c->options);

	if (n + len + 2 > sizeof(c->options)) {
		c->error = "too many options";
		return;
	}
	if (n)
		c->options[n++] = ' ';
	memcpy(c->options + n, word, len);
	c->options[n + len] = '\0';
}

static bool take_abi(struct call *c, const char *word, size_t len)
{
	for (int i = 0; i < CALL_ABIS; i++)
		if (strlen(abis[i].name) == len && !strncmp(word, abis[i].name, len)) {
			c->abi = i;
			return true;
		}
	return false;
}

/* Parses the words before the syscall's name. Returns the rest of the line. */
static const char *prefixes(struct call *c, const char *p)
{
	for (;; p += strspn(p, " ")) {
		size_t len = strcspn(p, " \n");

		if (*p == '-')
			option_add(c, p, len);
		else if (*p == '@')
			fact_add(c, p, len);
		else if (!take_abi(c, p, len))
			return p;
		p += len;
	}
}

int call_parse(struct call *c, const char *line, uint64_t arena)
{
	const char *p;
	unsigned n = 0;
	size_t len;

	*c = (struct call){.arena = arena};
	p = prefixes(c, line);
	len = strcspn(p, " \n");
	snprintf(c->name, sizeof(c->name), "%.*s", (int)len, p);
	find_number(c);
	for (p += len; !c->error; n++) {
		p += strspn(p, " ");
		if (*p == '=')
			break;
		if (!*p || *p == '\n')
			c->error = "the result is missing";
		else if (n == 6)
			c->error = "more than six arguments";
		else
			c->args[n] = value(c, &p);
		if (!c->error && *p && !strchr(" \n", *p))
			c->error = "an argument does not end where it should";
	}
	if (!c->error)
		result(c, p + 1 + strspn(p + 1, " "));
	return c->error ? -1 : 0;
}

void call_release(struct call *c)
{
	for (unsigned i = 0; i < c->nblocks; i++) {
		free(c->blocks[i].entry);
		free(c->blocks[i].exit);
	}
	c->nblocks = 0;
}

/*
 * Creates a BPF map, or a BPF program of two instructions. Returns its descriptor or -1. Needs
 * privileges; see bpf(2).
 */
static int fact_bpf(const char *what)
{
	const struct bpf_insn insns[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K},
					 {.code = BPF_JMP | BPF_EXIT}};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	if (!strcmp(what, "bpf-map")) {
		attr.map_type = BPF_MAP_TYPE_ARRAY;
		attr.key_size = attr.value_size = sizeof(uint32_t);
		attr.max_entries = 1;
		return (int)syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr));
	}
	attr.prog_type = BPF_PROG_TYPE_SOCKET_FILTER;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = sizeof(insns) / sizeof(insns[0]);
	attr.license = (uintptr_t) "GPL";
	return (int)syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static int endpoint_call(int (*f)(int, const struct sockaddr *, socklen_t), int fd, int family,
			 const unsigned char *address, unsigned port)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 in6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};

	if (family == AF_INET) {
		memcpy(&in.sin_addr, address, 4);
		return f(fd, (struct sockaddr *)&in, sizeof(in));
	}
	memcpy(&in6.sin6_addr, address, 16);
	return f(fd, (struct sockaddr *)&in6, sizeof(in6));
}

/* descriptor of the listening socket to which the TCP sockets in facts connect */
#define PEER_FD 240

static int fact_socket(const struct call_socket *s)
{
	int fd = socket(s->family, s->type, 0), on = 1, peer;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (fd < 0 || endpoint_call(bind, fd, s->family, s->address, s->port))
		return -1;
	if (!s->peer_port)
		return fd;
	if (s->type == SOCK_STREAM) {
		peer = dup2(socket(s->family, s->type, 0), PEER_FD);
		setsockopt(peer, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		if (peer < 0 || endpoint_call(bind, peer, s->family, s->peer, s->peer_port) ||
		    listen(peer, 1))
			return -1;
	}
	return endpoint_call(connect, fd, s->family, s->peer, s->peer_port) ? -1 : fd;
}

static int fact_netlink(const char *what)
{
	struct sockaddr_nl addr = {.nl_family = AF_NETLINK};
	int protocol = 0, fd;

	/*
	 * /proc shows the protocol of a netlink socket only after the socket was bound; see
	 * netlink(7).
	 */
	sscanf(what, "%d:%u", &protocol, &addr.nl_pid);
	fd = socket(AF_NETLINK, SOCK_RAW, protocol);
	return fd >= 0 && bind(fd, (struct sockaddr *)&addr, sizeof(addr)) ? -1 : fd;
}

/* Creates the descriptor that a fact describes. Returns the descriptor, or -1. */
static int fact_open(const char *what)
{
	struct call_socket s;
	uint64_t mask;
	int fd;

	if (call_socket_parse(&s, what))
		return fact_socket(&s);
	if (!strncmp(what, "netlink:", 8))
		return fact_netlink(what + 8);
	if (!strncmp(what, "bpf-", 4))
		return fact_bpf(what);
	if (!strncmp(what, "pidfd:", 6))
		return (int)syscall(SYS_pidfd_open, atoi(what + 6), 0);
	if (!strncmp(what, "signalfd:", 9)) {
		mask = strtoull(what + 9, NULL, 16);
		return (int)syscall(SYS_signalfd4, -1, &mask, sizeof(mask), 0);
	}
	fd = open(what, O_RDWR);
	return fd < 0 ? open(what, O_RDONLY) : fd;
}

/*
 * Like fact_open(), but opens the descriptor in another process, which shares the descriptors of
 * this process. Otherwise strace would see that the traced process creates the socket, and would
 * remember the protocol.
 */
static int fact_made(const char *what)
{
	int status, fd;
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);

	if (!pid) {
		fd = fact_open(what);
		_exit(fd < 0 ? 255 : fd);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status) == 255 ? -1 : WEXITSTATUS(status);
}

static bool is_made_up(const struct call_fact *f)
{
	static const char *const kinds[] = {"unix:", "socket:", "eventfd:", "kvm-vcpu:"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (f->kind == CALL_FD && !strncmp(f->what, kinds[i], strlen(kinds[i])))
			return true;
	return f->kind == CALL_COMM || f->kind == CALL_PID || f->kind == CALL_LABEL ||
	       strstr(f->what, " (deleted)");
}

bool call_is_made_up(const struct call *c)
{
	for (unsigned i = 0; i < c->nfacts; i++)
		if (is_made_up(&c->facts[i]))
			return true;
	return false;
}

static bool is_optmem_max(long n)
{
	FILE *in = fopen("/proc/sys/net/core/optmem_max", "re");
	long is = -1;

	if (in) {
		if (fscanf(in, "%ld", &is) != 1)
			is = -1;
		fclose(in);
	}
	return is == n;
}

int call_facts_begin(const struct call *c)
{
	for (unsigned i = 0; i < c->nfacts; i++) {
		const struct call_fact *f = &c->facts[i];
		int fd;

		if (f->kind == CALL_CWD && chdir(f->what))
			return -1;
		if (f->kind == CALL_OPTMEM && !is_optmem_max(atol(f->what)))
			return -1;
		if (f->kind == CALL_CWD || f->kind == CALL_OPTMEM)
			continue;
		fd = is_made_up(f) ? -1 : fact_made(f->what);
		if (fd < 0)
			return -1;
		if (fd != f->n) {
			if (dup2(fd, f->n) < 0)
				return -1;
			close(fd);
		}
	}
	return 0;
}

void call_facts_end(const struct call *c)
{
	for (unsigned i = 0; i < c->nfacts; i++) {
		if (c->facts[i].kind == CALL_FD) {
			close(c->facts[i].n);
			close(PEER_FD);
		} else if (c->facts[i].kind == CALL_CWD && chdir("/"))
			return;
	}
}

bool call_runs_here(const struct call *c)
{
#if defined(__aarch64__)
	return c->abi == CALL_AARCH64;
#elif defined(__riscv)
	return c->abi == CALL_RISCV64;
#else
	return c->abi == CALL_X86_64 || c->abi == CALL_I386 || c->abi == CALL_X32;
#endif
}
