/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/signal/signal.h"

#include <signal.h>
#include <string.h>

#include "decode/core/note.h"

#define KERNEL_NSIG	64 /* asm/signal.h */
#define KERNEL_SIGRTMIN 32

/*
 * Returns the name of a signal, such as "SIGINT". Returns a name such as "SIGRT_5" for a real-time
 * signal without a name, and NULL if there is no such signal.
 */
static const char *signal_name(struct arena *a, int sig)
{
	const char *name = xlat_name(&xlat_signals, (unsigned)sig);

	if (name)
		return name;
	if (sig == KERNEL_SIGRTMIN)
		return "SIGRTMIN";
	if (sig > KERNEL_SIGRTMIN && sig <= KERNEL_NSIG)
		return arena_printf(a, "SIGRT_%d", sig - KERNEL_SIGRTMIN);
	return NULL;
}

struct value *decode_signo(struct decoder *d, int sig)
{
	const char *name = signal_name(d->arena, sig);
	struct value *v;

	if (!name)
		return value_int(d->arena, sig);
	v = value_word(d->arena, name, sig);
	v->flags |= VALUE_F_SIGNED;
	return v;
}

struct value *decode_sigset(struct decoder *d, const uint8_t *bytes, size_t len)
{
	struct value *v = value_new(d->arena, VALUE_BITSET, 0);
	unsigned nsig = size_min(len * 8, KERNEL_NSIG), set = 0;
	bool inverted;

	for (unsigned i = 0; i < nsig; i++)
		set += bytes[i / 8] >> (i % 8) & 1;
	/*
	 * If a set contains at least two thirds of all signals, show the signals that it does not
	 * contain.
	 */
	inverted = set >= nsig * 2 / 3;
	v->text |= TEXT_PLAIN;
	if (inverted)
		v->flags |= VALUE_F_INVERTED;
	for (unsigned i = 0; i < nsig; i++) {
		const char *name;

		if ((bytes[i / 8] >> (i % 8) & 1) == inverted)
			continue;
		name = signal_name(d->arena, i + 1);
		if (!strncmp(name, "SIG", 3))
			name += 3;
		value_add(v, value_word(d->arena, name, i + 1))->flags |= VALUE_F_SIGNED;
	}
	memcpy(&v->num, bytes, size_min(len, sizeof(v->num)));
	return v;
}

static struct value *sigset_memory(struct decoder *d, const struct type *t attr_unused,
				   uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return decode_sigset(d, bytes, len);
}

static struct value *sigset_fetch(struct decoder *d, const struct type *t, uint64_t addr)
{
	uint8_t *bytes;
	uint64_t len;

	if (d->mode & DECODE_NO_DEREF || !decode_length(d, &t->len, &len) || !len)
		return value_addr(d->arena, addr);
	if (t->flags & TYPE_F_SIZED && len > KERNEL_NSIG / 8)
		return value_addr(d->arena, addr);
	/*
	 * The kernel accepts only sets that are at least as large as a long and have at most one
	 * bit per signal, so show the addresses of other sets.
	 */
	if (t->len.from != LEN_CONST && !(t->flags & TYPE_F_SIZED) &&
	    (len < d->abi->long_size || len > KERNEL_NSIG / 8))
		return value_addr(d->arena, addr);
	bytes = decode_read_new(d, addr, size_min(len, KERNEL_NSIG / 8), NULL);
	if (!bytes)
		return value_addr(d->arena, addr);
	return decode_sigset(d, bytes, size_min(len, KERNEL_NSIG / 8));
}

static size_t sigset_align(const struct abi *abi, const struct type *t attr_unused)
{
	return abi->long_size;
}

const struct type_ops type_sigset = {.name = "sigset",
				     .fetch = sigset_fetch,
				     .memory = sigset_memory,
				     .size = decode_room,
				     .align = sigset_align};

/* ---- siginfo_t: sigaction(2), asm-generic/siginfo.h of uapi ---- */

#define TICKS_PER_SECOND 100 /* USER_HZ */

struct value *decode_clock_t(struct decoder *d, const struct type *t, uint64_t n)
{
	/* Like strace 7.2, sign-extends a clock_t of 32 bits. */
	bool wide = decode_width(d->abi, t->width) == 8 || d->abi->klong_size == 8;
	uint64_t ticks = wide ? n : (uint64_t)(int32_t)n;
	struct value *v = value_uint(d->arena, ticks);

	v->text |= TEXT_COMMENT_READS;
	if (ticks)
		v->comment = arena_printf(d->arena, "%llu.%02u s",
					  (unsigned long long)(ticks / TICKS_PER_SECOND),
					  (unsigned)(ticks % TICKS_PER_SECOND));
	return v;
}

/* Shows si_status: the exit status of a child that has exited, otherwise a signal. */
struct value *siginfo_status(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if ((int)decode_field(d, "si_code") == CLD_EXITED)
		return value_int(d->arena, (int)n);
	return decode_signo(d, (int)n);
}

/* Returns the ABI of the thread's last call. Returns d->abi if it is unknown. */
static const struct abi *abi_of_thread(const struct decoder *d)
{
	return d->thread_abi ? d->thread_abi : d->abi;
}

struct value *siginfo_syscall(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct abi *abi = abi_find(decode_field(d, "si_arch"), n);
	/*
	 * The names of another architecture's syscalls are not available here, so show only the
	 * number.
	 */
	int row = abi && abi->arch == d->abi->arch ? abi_row(abi, n) : -1;
	struct value *v;

	if (row < 0)
		return value_uint(d->arena, n);
	if (abi == abi_of_thread(d)) {
		v = value_word(d->arena, arena_printf(d->arena, "__NR_%s", syscall_descs[row].name),
			       n);
		v->text |= TEXT_DECIMAL;
		return v;
	}
	v = value_uint(d->arena, n);
	v->comment = syscall_descs[row].name;
	return v;
}

struct siginfo_head {
	int si_signo, si_errno, si_code;
};

static const struct xlat *codes_of_signal(int sig)
{
	switch (sig) {
	case SIGILL:
		return &xlat_ill_codes;
	case SIGFPE:
		return &xlat_fpe_codes;
	case SIGSEGV:
		return &xlat_segv_codes;
	case SIGBUS:
		return &xlat_bus_codes;
	case SIGTRAP:
		return &xlat_trap_codes;
	case SIGCHLD:
		return &xlat_cld_codes;
	case SIGIO:
		return &xlat_poll_codes;
	case SIGSYS:
		return &xlat_sys_codes;
	default:
		return NULL;
	}
}

static struct value *decode_si_code(struct decoder *d, int sig, int code)
{
	const struct xlat *x = codes_of_signal(sig);
	struct value *v;

	if (!x || code <= 0 || !xlat_name(x, code))
		x = &xlat_si_codes;
	v = value_enum(d->arena, x, (unsigned)code);
	v->width = sizeof(code);
	return v;
}

/* Returns the union member of siginfo_t that the kernel has set. Returns NULL if it is unknown. */
static const struct struct_desc *siginfo_member(int sig, int code)
{
	switch (code) {
	case SI_USER:
	case SI_TKILL:
		return &struct_siginfo_kill;
	case SI_TIMER:
		return &struct_siginfo_timer;
	case SI_SIGIO:
		return &struct_siginfo_poll;
	}
	if (code < 0)
		return &struct_siginfo_rt;
	switch (sig) {
	case SIGCHLD:
		return &struct_siginfo_chld;
	case SIGSEGV:
		if (code == SEGV_BNDERR)
			return &struct_siginfo_bounds;
		if (code == SEGV_PKUERR)
			return &struct_siginfo_pkey;
		return &struct_siginfo_fault;
	case SIGBUS:
		if (code == BUS_MCEERR_AR || code == BUS_MCEERR_AO)
			return &struct_siginfo_mce;
		return &struct_siginfo_fault;
	case SIGILL:
	case SIGFPE:
	case SIGTRAP:
		return &struct_siginfo_fault;
	case SIGIO:
		return code >= POLL_IN && code <= POLL_HUP ? &struct_siginfo_poll : NULL;
	case SIGSYS:
		return &struct_siginfo_sys;
	default:
		return &struct_siginfo_rt;
	}
}

static void drop_children(struct value *v, unsigned first, unsigned count)
{
	struct value **link = &v->child;

	v->last = NULL;
	for (unsigned i = 0; *link; i++) {
		if (i >= first && i < first + count) {
			*link = (*link)->next;
			continue;
		}
		v->last = *link;
		link = &(*link)->next;
	}
}

struct value *decode_siginfo(struct decoder *d, const void *siginfo)
{
	struct value *v = value_struct(d->arena), *rest, *e;
	const struct struct_desc *member;
	struct siginfo_head head;

	memcpy(&head, siginfo, sizeof(head));
	if (!head.si_signo)
		return v;
	value_add_named(v, "si_signo", decode_signo(d, head.si_signo));
	value_add_named(v, "si_code", decode_si_code(d, head.si_signo, head.si_code));
	if (head.si_errno) {
		e = value_enum(d->arena, &xlat_errnos, (uint32_t)head.si_errno);
		e->flags |= VALUE_F_SIGNED;
		e->text |= TEXT_PLAIN;
		value_add_named(v, "si_errno", e);
	}
	member = siginfo_member(head.si_signo, head.si_code);
	if (!member)
		return v;
	if (member == &struct_siginfo_chld && d->abi->wide_si_time)
		member = &struct_siginfo_chld_wide;
	rest = decode_bytes(d, &(const struct type){.ops = &type_struct, .desc = member}, 0,
			    siginfo, SIGINFO_SIZE);
	if (rest->kind != VALUE_STRUCT)
		return v;
	if (member == &struct_siginfo_rt) {
		const struct value *pid = value_member(rest, "si_pid");
		const struct value *uid = value_member(rest, "si_uid");
		const struct value *ptr = value_member(rest, "si_ptr");

		/* Omit members that are zero, because the sender has probably not set them. */
		if (!ptr->num)
			drop_children(rest, 2, 2);
		if (head.si_code > 0 && !pid->num && !uid->num)
			drop_children(rest, 0, 2);
	}
	if (rest->child) {
		v->last->next = rest->child;
		v->last = rest->last;
	}
	return v;
}

static struct value *siginfo_memory(struct decoder *d, const struct type *t attr_unused,
				    uint64_t addr, const uint8_t *bytes, size_t len)
{
	if (len < SIGINFO_SIZE)
		return value_addr(d->arena, addr);
	return decode_siginfo(d, bytes);
}

const struct type_ops type_siginfo = {.name = "siginfo", .memory = siginfo_memory};

/*
 * Shows the call that restart_syscall(2) resumes. Its arguments do not contain this call, but it is
 * always the thread's last call.
 */
struct value *decode_restarted(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	int row = d->state->last_row;
	struct value *v;

	v = value_word(d->arena,
		       arena_printf(d->arena, "<... resuming interrupted %s ...>",
				    row < 0 ? "system call" : syscall_descs[row].name),
		       n);
	v->text |= TEXT_ALWAYS | TEXT_PLAIN;
	return v;
}

/* ---- struct sigaction ---- */

struct value *decode_sighandler(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const char *name = NULL;
	struct value *v;

	if (n == (uint64_t)(uintptr_t)SIG_DFL)
		name = "SIG_DFL";
	else if (n == (uint64_t)(uintptr_t)SIG_IGN)
		name = "SIG_IGN";
	else if (n == UINT64_MAX)
		name = "SIG_ERR";
	if (!name)
		return value_addr(d->arena, n);
	v = value_word(d->arena, name, n);
	v->width = d->abi->long_size;
	return v;
}
const struct type_ops type_sighandler = {.name = "sighandler", .number = decode_sighandler};

struct value *decode_ret_sighandler(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *handler = decode_sighandler(d, t, n);

	if (handler->kind == VALUE_NAME)
		decode_note(d, value_plain(d->arena, handler->str));
	return value_hex(d->arena, n);
}
const struct type_ops type_ret_sighandler = {
	.name = "ret_sighandler", .number = decode_ret_sighandler, .notes = true};

#define RESTORER 0x04000000 /* SA_RESTORER, asm/signal.h */

static struct value *sigaction_memory(struct decoder *d, const struct type *t, uint64_t addr,
				      const uint8_t *bytes, size_t len)
{
	const struct struct_desc *desc = d->abi->no_restorer ? &struct_sigaction_plain : t->desc;
	struct value *v = value_struct(d->arena), *flags;

	decode_member(d, v, desc, bytes, len, addr, "sa_handler");
	decode_member(d, v, desc, bytes, len, addr, "sa_mask");
	flags = decode_member(d, v, desc, bytes, len, addr, "sa_flags");
	if (flags && flags->num & RESTORER && !d->abi->no_restorer)
		decode_member(d, v, desc, bytes, len, addr, "sa_restorer");
	return v;
}

const struct type_ops type_sigaction = {.name = "sigaction", .memory = sigaction_memory};

struct value *decode_old_sigset(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t set = n;

	return decode_sigset(d, (const uint8_t *)&set, sizeof(set));
}
const struct type_ops type_old_sigset = {.name = "old_sigset", .number = decode_old_sigset};

/* ---- the return from signal handlers: asm/sigframe.h ---- */

static struct value *frame_mask(struct decoder *d, const uint8_t *set, size_t len)
{
	struct value *v = value_struct(d->arena);

	value_add_named(v, "mask", decode_sigset(d, set, len));
	return v;
}

struct value *decode_rt_sigframe(struct decoder *d, const struct type *t attr_unused,
				 uint64_t n attr_unused)
{
	uint64_t addr = d->ev->sp + d->abi->rt_frame_mask;
	bool shown = !(d->mode & DECODE_NO_DEREF);
	uint8_t set[KERNEL_NSIG / 8];
	int err = shown ? decode_read(d, addr, set, sizeof(set)) : 0;
	struct value *v;

	if (shown && err >= 0)
		return frame_mask(d, set, sizeof(set));
	v = value_struct(d->arena);
	value_add_named(v, "mask",
			shown ? value_unreadable(d->arena, addr, err) : value_addr(d->arena, addr));
	return v;
}

struct value *decode_sigframe(struct decoder *d, const struct type *t attr_unused,
			      uint64_t n attr_unused)
{
	uint8_t set[KERNEL_NSIG / 8];
	struct value *v;

	if (decode_read(d, d->ev->sp + d->abi->frame_mask[0], set, 4) < 0 ||
	    decode_read(d, d->ev->sp + d->abi->frame_mask[1], set + 4, 4) < 0)
		return value_addr(d->arena, d->ev->sp);
	v = frame_mask(d, set, sizeof(set));
	v->text |= TEXT_UNNAMED;
	return v;
}
