/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "syscall.h"

#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "decode/core/decode.h"
#include "decode/core/secontext.h"
#include "decode/io/dump.h"
#include "decode/process/namespace.h"
#include "linux/arch/arch.h"
#include "linux/row_finder.h"
#include "decode/core/read_ahead.h"
#include "stack/stack.h"

/*
 * Returns the number of arguments of a syscall, at most SYSCALL_ARGS_MAX. Used for syscalls whose
 * arguments are in memory.
 */
static unsigned arg_count(const struct syscall_desc *desc)
{
	unsigned n = 0;

	for (unsigned i = 0; i < desc->nargs; i++)
		n += desc->args[i].phase < PHASE_HOOK_ENTER;
	return size_min(n, SYSCALL_ARGS_MAX);
}

/*
 * In some ABIs, programs make the syscalls for sockets and for System V IPC through socketcall(2)
 * and ipc(2). Converts the event to the inner call, unless that call is unknown or its arguments
 * cannot be read.
 */
static attr_noinline void subcall_resolve(const struct tcb *tcb, struct syscall_event *ev)
{
	uint32_t call = ev->raw_args[0], args[SYSCALL_ARGS_MAX] = {0};
	unsigned n;
	int row;

	if (ev->row == ROW_socketcall) {
		if (!call || call >= ABI_IPC_CALLS - ABI_SOCKETCALLS)
			return;
		row = abi_row(ev->abi, ABI_SOCKETCALLS + call);
		if (row < 0)
			return;
		n = arg_count(&syscall_descs[row]);
		if (memory_read(tcb->memory, ev->raw_args[1], args, n * sizeof(args[0])))
			return;
		ev->set_nr = ABI_SOCKETCALLS + call;
		for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
			ev->raw_args[i] = args[i];
	} else {
		uint32_t version = call >> 16;

		call &= 0xffff;
		if (!call || call >= ABI_SUBCALLS_END - ABI_IPC_CALLS)
			return;
		row = abi_row(ev->abi, ABI_IPC_CALLS + call);
		if (row < 0)
			return;
		ev->set_nr = ABI_IPC_CALLS + call;
		memmove(ev->raw_args, ev->raw_args + 1, 5 * sizeof(ev->raw_args[0]));
		ev->raw_args[5] = version;
	}
	ev->row = row;
}

/*
 * Reads the arguments of a call whose first register points to the arguments; see
 * abi_takes_block(). If they cannot be read, the event shows only this pointer.
 */
static attr_noinline void block_load(const struct tcb *tcb, struct syscall_event *ev)
{
	static const struct arg_desc addr[] = {IN(addr, ADDR)}, arg[] = {IN(arg, ADDR)};
	struct syscall_desc *unreadable;
	uint32_t args[SYSCALL_ARGS_MAX];
	unsigned n = arg_count(ev->desc);

	if (memory_read(tcb->memory, (uint32_t)ev->raw_args[0], args, n * sizeof(args[0]))) {
		unreadable = arena_alloc(&ev->arena, sizeof(*unreadable));
		*unreadable = (struct syscall_desc){.name = ev->base.name,
						    .ret = ev->desc->ret,
						    .args = ev->row == ROW_mmap ? addr : arg,
						    .nargs = 1};
		ev->desc = unreadable;
		return;
	}
	for (unsigned i = 0; i < n; i++)
		ev->raw_args[i] = args[i];
}

/*
 * Truncates the arguments to 32 bits if the kernel uses only the lower 32 bits of registers
 * (abi->compat_from). In a syscall with a 64-bit offset, truncates only arguments of type long.
 */
static void cut_registers(struct syscall_event *ev, uint64_t nr)
{
	const struct syscall_desc *desc = &syscall_descs[ev->row];
	bool whole = false;

	if (likely(!ev->abi->compat_from) ||
	    (nr & ~(uint64_t)ev->abi->nr_mask) < ev->abi->compat_from)
		return;
	for (unsigned i = 0; i < desc->nargs; i++)
		whole |= desc->args[i].type.flags & TYPE_F_SPLIT;
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		if (!whole || (i < desc->nargs && desc->args[i].type.flags & TYPE_F_NARROW))
			ev->raw_args[i] = (uint32_t)ev->raw_args[i];
}

/* Returns the struct that contains tcb->syscall, or NULL if the thread has made no syscall. */
static struct thread_call *call_of(const struct tcb *tcb)
{
	return tcb->syscall ? container_of(tcb->syscall, struct thread_call, event) : NULL;
}

/* Resets the thread's event for its next syscall. Keeps only the row of the previous syscall. */
static struct syscall_event *event_begin(struct tcb *tcb)
{
	struct thread_call *c = call_of(tcb);
	int last = -1;

	if (!c) {
		c = mem_zalloc(sizeof(*c));
		tcb->syscall = &c->event;
	} else {
		/*
		 * If the exit of the previous syscall was lost, the values of that syscall have not
		 * been freed yet.
		 */
		arena_reset(&c->event.arena);
		/* An interrupted restart_syscall(2) resumes the same call as before. */
		last = c->event.row == ROW_restart_syscall ? c->state.last_row : c->event.row;
	}
	*c = (struct thread_call){.event.row = -1, .state.last_row = last, .running = true};
	event_identify(&c->event.base, tcb);
	return &c->event;
}

struct syscall_event *syscall_begin_unknown(struct tcb *tcb)
{
	struct syscall_event *ev = event_begin(tcb);

	ev->base.name = "???";
	ev->unknown = true;
	return ev;
}

const char *syscall_name(struct arena *arena, const struct abi *abi, uint64_t nr, int row)
{
	if (row < 0)
		return arena_printf(arena, "syscall_%#llx", (unsigned long long)nr);
	if (abi && abi_is_foreign(abi, nr))
		return arena_printf(arena, "%s#64", syscall_descs[row].name);
	return syscall_descs[row].name;
}

struct syscall_event *syscall_begin(struct tcb *tcb, struct row_finder *rows)
{
	struct syscall_event *ev = event_begin(tcb);
	const struct syscall_regs *regs = &tcb->regs;
	int row;

	ev->abi = abi_find(regs->audit, regs->nr);
	ev->sp = regs->sp;
	ev->woken = NULL;
	memcpy(ev->raw_args, regs->args, sizeof(ev->raw_args));
	ev->set_nr = ev->abi ? abi_set_number(ev->abi, regs->nr) : regs->nr;
	ev->row = ev->abi ? abi_row(ev->abi, regs->nr) : -1;
	if (unlikely(ev->row == ROW_socketcall || ev->row == ROW_ipc))
		subcall_resolve(tcb, ev);
	row = ev->row;
	ev->base.name = syscall_name(&ev->arena, ev->abi, regs->nr, row);
	if (row >= 0 && abi_is_foreign(ev->abi, regs->nr)) {
		/*
		 * The number belongs to another ABI, which may pass arguments differently. A
		 * syscall with SYSCALL_F_NO_REGS has no arguments in registers, so it can be
		 * decoded nevertheless.
		 */
		if (syscall_descs[row].flags & SYSCALL_F_NO_REGS)
			ev->desc = &syscall_descs[row];
	} else if (row >= 0) {
		cut_registers(ev, regs->nr);
		ev->desc = row_finder_select(rows, &syscall_descs[row], ev->abi, ev->raw_args);
		if (unlikely(abi_takes_block(ev->abi, regs->nr)))
			block_load(tcb, ev);
	}
	return ev;
}

struct syscall_event *syscall_begin_request(struct tcb *tcb, struct row_finder *rows, unsigned row,
					    const uint64_t args[SYSCALL_ARGS_MAX])
{
	struct syscall_event *ev = event_begin(tcb);

	ev->abi = abi_find(tcb->regs.audit, tcb->regs.nr);
	ev->row = (int)row;
	ev->sp = tcb->regs.sp;
	ev->whole_args = true;
	memcpy(ev->raw_args, args, sizeof(ev->raw_args));
	ev->base.abi = ev->abi ? ev->abi->index : abi_native()->index;
	ev->desc = row_finder_select(rows, &syscall_descs[row], ev->abi ? ev->abi : abi_native(),
				     ev->raw_args);
	ev->base.name = syscall_descs[row].name;
	return ev;
}

static struct decoder decoder_for(struct tcb *tcb, const struct decode_config *config, bool exiting,
				  struct budget *budget)
{
	struct syscall_event *ev = tcb->syscall;
	int row = ev->row;
	size_t mode = (ev->abi ? ev->abi->index : 0) * syscall_desc_count + row;

	return (struct decoder){
		.memory = tcb->memory,
		.facts = tcb->facts,
		.tid = tcb->tid,
		.arena = &ev->arena,
		.ev = ev,
		.state = &call_of(tcb)->state,
		.config = config,
		.abi = ev->abi ? ev->abi : abi_native(),
		.mode = row >= 0 && config->per_syscall ? config->per_syscall[mode] : 0,
		.exiting = exiting,
		.failed = exiting && ev->base.ret_kind != RET_VALUE,
		.budget = budget,
	};
}

uint64_t syscall_arg(const struct syscall_event *ev, const struct arg_desc *a, unsigned *reg)
{
	unsigned r = a->reg ? a->reg - 1u : *reg;
	uint64_t n;

	if (a->type.flags & TYPE_F_SPLIT && ev->abi && ev->abi->pairs64 && !ev->whole_args)
		r += r % 2;
	*reg = r + 1;
	if (r >= SYSCALL_ARGS_MAX)
		return 0;
	n = ev->raw_args[r];
	if (ev->whole_args)
		return n;
	if (a->type.flags & TYPE_F_SPLIT && ev->abi && ev->abi->splits64 && *reg < SYSCALL_ARGS_MAX)
		n = (uint32_t)n | ev->raw_args[(*reg)++] << 32;
	else if (a->type.flags & TYPE_F_HALVES && ev->abi && !ev->abi->whole_offset)
		(*reg)++;
	return n;
}

/* Does the same as syscall_arg(), but faster if the argument is in the next register. */
static uint64_t next_argument(const struct syscall_event *ev, const struct arg_desc *a,
			      unsigned *reg)
{
	if (likely(!a->reg && !(a->type.flags & (TYPE_F_SPLIT | TYPE_F_HALVES)) &&
		   *reg < SYSCALL_ARGS_MAX))
		return ev->raw_args[(*reg)++];
	return syscall_arg(ev, a, reg);
}

/*
 * Returns the number of registers, counted from register 0, up to the last register of these
 * arguments. Returns 0 if there are no arguments. On entry, *reg is the index of the first
 * argument's register. Advances *reg past the last argument's register.
 */
static unsigned registers(const struct syscall_event *ev, const struct arg_desc *args,
			  unsigned nargs, unsigned *reg)
{
	unsigned n = 0, unused = 0;

	for (unsigned i = 0; i < nargs; i++) {
		if (args[i].phase >= PHASE_HOOK_ENTER)
			continue;
		/*
		 * As in strace 7.2, a split offset counts as two registers even if the ABI passes
		 * the offset in one register. x32 is an exception.
		 */
		if (args[i].type.flags & TYPE_F_HALVES && ev->abi && ev->abi->whole_offset &&
		    (ev->abi->long_size == sizeof(uint64_t) ||
		     abi_is_foreign(ev->abi, ev->base.nr)))
			unused = 1;
		syscall_arg(ev, &args[i], reg);
		*reg = size_min(*reg, SYSCALL_ARGS_MAX);
		n = size_max(n, *reg + unused);
	}
	return n;
}

unsigned syscall_arg_count(const struct syscall_event *ev)
{
	const struct syscall_desc *desc = ev->row >= 0 ? &syscall_descs[ev->row] : NULL;
	const struct variants *v = desc ? desc->variants : NULL;
	unsigned n, reg = 0;

	if (!desc)
		return SYSCALL_ARGS_MAX;
	if (desc->flags & SYSCALL_F_NO_REGS)
		return 0;
	n = registers(ev, desc->args, desc->nargs, &reg);
	for (unsigned i = 0; v && i < v->n; i++) {
		const struct variant *row = &v->rows[i];

		reg = 0;
		if (!row->whole)
			n = size_max(n, registers(ev, v->key->prefix, v->key->nprefix, &reg));
		n = size_max(n, registers(ev, row->desc.args, row->desc.nargs, &reg));
	}
	return n;
}

/*
 * Decodes a call for -e raw, or a call without a description: shows all arguments as hexadecimal
 * numbers without names, and reads no memory.
 */
static void decode_raw(struct decoder *d, const struct tcb *tcb)
{
	struct syscall_event *ev = d->ev;
	const struct syscall_desc *desc = ev->row >= 0 ? &syscall_descs[ev->row] : NULL;
	const uint64_t *regs = ev->raw_args;
	unsigned n = syscall_arg_count(ev);

	if (desc && abi_takes_block(d->abi, ev->base.nr)) {
		n = 1;
		regs = tcb->regs.args;
	}
	ev->base.nargs = n;
	for (unsigned i = 0; i < n; i++)
		ev->base.args[i].in = value_hex(d->arena, regs[i]);
}

static struct value *change(struct decoder *d, struct value *in, struct value *out)
{
	/* The decoder of the type has already combined the values at entry and exit. */
	if (in == out)
		return out;
	/* If a pointer to a number was decoded, show the change inside the brackets: [16 => 8]. */
	if (in && in->kind == VALUE_ARRAY && out->kind == VALUE_ARRAY && in->child && out->child) {
		struct value *v = value_array(d->arena);

		value_add(v, value_change(d->arena, in->child, out->child));
		return v;
	}
	return in ? value_change(d->arena, in, out) : out;
}

/*
 * Returns the type with which to decode an argument in a register: t itself, or *wide. Sets *wide
 * to a copy of t that also shows the upper 32 bits of the register, because a 64-bit program may
 * have set them.
 */
static const struct type *in_register(const struct type *t, struct type *wide)
{
	if (likely(t->width != W_LONG) || t->flags & TYPE_F_NARROW)
		return t;
	*wide = *t;
	wide->width = t->is_signed ? W_KLONG : W64;
	return wide;
}

/*
 * Returns true if the decoder of the type decides itself which part of the argument it shows at
 * entry and which at exit.
 */
static bool has_own_phases(const struct decoder *d, const struct type *t)
{
	while (t->ops->choose)
		t = t->ops->choose(d, t);
	return t->ops == &type_fn || t->ops->both;
}

/*
 * Returns true if the last member of the struct v is a pointer whose target the call changes, but
 * the target cannot be shown. In this case, nothing is added at exit.
 */
static bool ends_with_address(const struct type *t, const struct value *v)
{
	int last;

	if (t->ops != &type_struct || !v->last || v->last->kind != VALUE_ADDR)
		return false;
	last = struct_field(t->desc, v->last->name);
	return last >= 0 && t->desc->fields[last].flags & FIELD_F_CHANGES;
}

/* For PHASE_BOTH: decodes the value at entry. The decoding at exit may extend this value. */
static struct value *both_in(struct decoder *d, const struct arg_desc *a, const struct type *t,
			     uint64_t n)
{
	struct value *v;

	d->entry_is_all = false;
	v = decode_number(d, t, n);
	if (d->entry_is_all)
		return v;
	if (a->again) {
		if (!v || v->kind == VALUE_ADDR)
			return v;
		if (!a->begun)
			return value_changing(d->arena, v);
		v->flags |= VALUE_F_OPEN;
	} else if (!has_own_phases(d, t) && v->kind == VALUE_STRUCT && !ends_with_address(t, v)) {
		v->flags &= ~VALUE_F_MORE;
		v->flags |= VALUE_F_OPEN;
	}
	return v;
}

/*
 * For PHASE_BOTH: decodes the complete value at exit. Returns NULL if the complete value shows
 * nothing more than the value `in` from the entry.
 */
static struct value *both_out(struct decoder *d, const struct arg_desc *a, const struct type *t,
			      uint64_t n, struct value *in)
{
	struct value *out;

	if (in && !(in->flags & VALUE_F_OPEN))
		return NULL;
	/* Compare only with the value before the change, because that value was shown at entry. */
	if (in && in->kind == VALUE_CHANGE)
		in = in->child;
	d->before = in;
	if (a->again) {
		if (!in)
			return decode_number(d, t, n);
		if (d->failed && !a->always)
			return NULL;
		out = decode_number(d, t, n);
		if (!out ||
		    (out->kind == VALUE_STRUCT && !out->child && !(out->flags & VALUE_F_MORE)))
			return NULL;
		return value_change(d->arena, in, out);
	}
	if (has_own_phases(d, t))
		return decode_number(d, t, n);
	if (d->failed && !a->always)
		return value_extended(d->arena, in, NULL);
	d->only_out = true;
	out = value_extended(d->arena, in, decode_number(d, t, n));
	d->only_out = false;
	return out;
}

/*
 * Returns true if the memory that an argument points to may be shown in place of the argument.
 * Types with a decoding function of their own decide this themselves.
 */
static bool is_pointed_to(const struct type *t)
{
	return t->ops->memory || t->ops->fetch || t->ops == &type_ptr || t->ops == &type_fn;
}

static void decode_arg(struct decoder *d, const struct arg_desc *a, uint64_t n, struct arg *arg)
{
	struct type wide;
	const struct type *t = in_register(&a->type, &wide);
	struct value **before = &d->state->before[arg - d->ev->base.args];

	arg->name = a->name;
	switch ((enum phase)a->phase) {
	case PHASE_IN:
		if (!d->exiting)
			arg->in = decode_number(d, t, n);
		if (arg->in && a->saved)
			arg->in->text |= TEXT_PLAIN;
		break;
	case PHASE_OUT:
		if (!d->exiting && a->address_first && d->mode & DECODE_NO_DEREF)
			arg->in = value_addr(d->arena, n);
		else if (d->exiting && !arg->in)
			arg->out = d->failed && !a->always && is_pointed_to(t)
					   ? value_addr(d->arena, n)
					   : decode_number(d, t, n);
		break;
	case PHASE_BOTH:
		if (!d->exiting) {
			arg->in = both_in(d, a, t, n);
		} else {
			arg->out = both_out(d, a, t, n, arg->in);
			d->before = NULL;
		}
		break;
	case PHASE_CHANGED:
		if (!d->exiting) {
			*before = decode_number(d, t, n);
		} else if (arg->in) {
			break;
		} else if (d->failed && !a->always) {
			arg->out = *before ? *before : value_addr(d->arena, n);
		} else {
			d->before = *before;
			arg->out = change(d, *before, decode_number(d, t, n));
			d->before = NULL;
		}
		break;
	case PHASE_HOOK_ENTER:
	case PHASE_HOOK_EXIT:
		break;
	}
}

/*
 * Returns true if decoding at exit may change the value of the argument, or may show that the
 * argument does not exist.
 */
static bool may_change_at_exit(const struct arg_desc *a)
{
	return (a->phase != PHASE_IN && a->phase != PHASE_HOOK_ENTER) || a->saved || a->when ||
	       a->cond;
}

/*
 * Decodes the arguments. Returns true if no argument has to be decoded again when the call returns.
 */
static bool decode_args(struct decoder *d)
{
	const struct syscall_desc *desc = d->ev->desc;
	struct prefetch ahead;
	unsigned reg = 0, n = 0;
	uint64_t previous = 0;
	bool all_known = true;

	decode_read_ahead(d, desc, &ahead);
	for (unsigned i = 0; i < desc->nargs && n < EVENT_ARGS_MAX; i++) {
		const struct arg_desc *a = &desc->args[i];
		struct arg *arg;
		uint64_t number;

		all_known &= !may_change_at_exit(a);
		if (a->phase >= PHASE_HOOK_ENTER) {
			if ((a->phase == PHASE_HOOK_EXIT) == d->exiting)
				a->type.fn(d, &a->type, 0);
			continue;
		}
		number = next_argument(d->ev, a, &reg);
		if (!condition_allows(d, a->when, a->cond))
			continue;
		arg = &d->ev->base.args[n++];
		decode_arg(d, a, number, arg);
		arg->begun = a->begun && !arg->in;
		/*
		 * If a length could not be read at entry, the buffer that has this length cannot be
		 * shown at exit.
		 */
		if (a->phase == PHASE_CHANGED && !d->exiting &&
		    d->state->before[n - 1]->kind == VALUE_ADDR) {
			arg->in = d->state->before[n - 1];
			if (n > 1 && a[-1].phase == PHASE_OUT && !a[-1].always)
				arg[-1].in = value_addr(d->arena, previous);
		}
		previous = number;
	}
	d->ev->base.nargs = n;
	d->prefetch = NULL;
	return all_known;
}

/* Returns true if decoding at exit adds more than arguments, such as a note on the result. */
static bool exit_shows(const struct syscall_desc *desc)
{
	if (desc->ret.ops->notes ||
	    (desc->ret.ops == &type_fn && !(desc->ret.flags & TYPE_F_RESULT)))
		return true;
	if (desc->flags & SYSCALL_F_LATE)
		return true;
	for (unsigned i = 0; i < desc->nargs; i++) {
		if (desc->args[i].phase == PHASE_HOOK_EXIT)
			return true;
	}
	return false;
}

void syscall_decode_enter(struct tcb *tcb, const struct decode_config *config)
{
	struct syscall_event *ev = tcb->syscall;
	struct budget budget = BUDGET_INIT;
	struct decoder d = decoder_for(tcb, config, false, &budget);

	decode_thread_context(&d);
	if (!ev->desc || d.mode & DECODE_RAW)
		decode_raw(&d, tcb);
	else {
		ev->exit_shows = exit_shows(ev->desc);
		call_of(tcb)->args_known = decode_args(&d);
		decode_argument_contexts(&d);
	}
	ev->cut = budget.spent;
}

struct value *syscall_describe_fds(struct tcb *tcb, const struct decode_config *config,
				   const int *fds, size_t n)
{
	struct budget budget = BUDGET_INIT;
	struct decoder d = decoder_for(tcb, config, false, &budget);
	struct value *v = value_array(d.arena);

	for (size_t i = 0; i < n; i++)
		value_add(v, decode_fd(&d, fds[i]));
	return v;
}

void syscall_assume_addresses(struct tcb *tcb, const struct decode_config *config)
{
	struct syscall_event *ev = tcb->syscall;
	struct budget budget = BUDGET_INIT;
	struct decoder d = decoder_for(tcb, config, false, &budget);
	unsigned reg = 0, n = 0;

	for (unsigned i = 0; ev->desc && i < ev->desc->nargs && n < ev->base.nargs; i++) {
		const struct arg_desc *a = &ev->desc->args[i];
		uint64_t number;

		if (a->phase >= PHASE_HOOK_ENTER)
			continue;
		number = next_argument(ev, a, &reg);
		if (!condition_allows(&d, a->when, a->cond))
			continue;
		if (!ev->base.args[n].in)
			ev->base.args[n].in = value_addr(d.arena, number);
		n++;
	}
}

/*
 * Returns true for the error numbers with which the kernel restarts a syscall
 * (include/linux/errno.h). Only ptrace(2) shows them; programs never see them.
 */
static bool is_restart(int64_t err)
{
	switch (err) {
	case 512: /* ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND, ERESTART_RESTARTBLOCK */
	case 513:
	case 514:
	case 516:
		return true;
	}
	return false;
}

void syscall_end(struct tcb *tcb)
{
	const struct syscall_regs *regs = &tcb->regs;
	struct syscall_event *ev = tcb->syscall;

	ev->base.ret = regs->ret;
	if (!regs->is_error) {
		ev->base.ret_kind = RET_VALUE;
		return;
	}
	/* A trace may contain INT64_MIN as an error, which cannot be negated. */
	ev->base.ret = regs->ret == INT64_MIN ? INT64_MIN : -regs->ret;
	ev->base.ret_kind = is_restart(ev->base.ret) ? RET_RESTART : RET_ERROR;
}

/*
 * Decodes the result. The register of the result is as wide as the kernel's long (abi->klong_size),
 * which can be wider than the program's long.
 */
static struct value *decode_result(struct decoder *d, const struct type *t)
{
	static const struct type plain = NUM_(uint, W_KLONG, false), fd = NUM_(int, W_KLONG, true);
	uint64_t n = decode_narrow(d, &plain, d->ev->base.ret);
	struct value *v;

	if (t->ops == &type_int || t->ops == &type_uid)
		return decode_number(d, &plain, n);
	v = decode_number(d, t, n);
	if (t->ops == &type_fd)
		v->num = decode_narrow(d, &fd, d->ev->base.ret);
	return v;
}

void syscall_decode_exit(struct tcb *tcb, const struct decode_config *config)
{
	struct syscall_event *ev = tcb->syscall;
	struct budget budget = BUDGET_INIT;
	struct decoder d = decoder_for(tcb, config, true, &budget);
	struct type wide;

	if (!ev->desc || d.mode & DECODE_RAW) {
		/*
		 * For a call that belongs to another ABI (abi_is_foreign()), only the arguments are
		 * shown raw, not the result.
		 */
		if (ev->base.ret_kind == RET_VALUE && (ev->row < 0 || d.mode & DECODE_RAW))
			ev->base.ret_value = value_hex(d.arena, ev->base.ret);
		if (ev->base.ret_kind == RET_RESTART && (ev->row < 0 || d.mode & DECODE_RAW))
			ev->base.ret_kind = RET_ERROR;
		if (ev->desc && (config->dump_read || config->dump_write))
			decode_dumps(&d);
		return;
	}
	if (!call_of(tcb)->args_known) {
		decode_args(&d);
		decode_argument_contexts(&d);
	}
	if (config->dump_read || config->dump_write)
		decode_dumps(&d);
	if (config->namespaces && ev->base.ret_kind == RET_VALUE)
		decode_namespaces(&d);
	if (ev->base.ret_kind == RET_VALUE && !ev->base.ret_value)
		ev->base.ret_value = decode_result(&d, in_register(&ev->desc->ret, &wide));
	ev->cut |= budget.spent;
}

struct value *syscall_decode_siginfo(struct tcb *tcb, const struct decode_config *config,
				     struct arena *arena, const void *info)
{
	struct decoder d = {.memory = tcb->memory,
			    .facts = tcb->facts,
			    .tid = tcb->tid,
			    .thread_abi = abi_find(tcb->regs.audit, tcb->regs.nr),
			    .arena = arena,
			    .config = config,
			    .abi = abi_native()};

	return decode_siginfo(&d, info);
}

void syscall_finish(struct tcb *tcb)
{
	struct thread_call *c = call_of(tcb);

	if (!c)
		return;
	arena_reset(&c->event.arena);
	c->event.base.stack = NULL;
	c->running = false;
}

void syscall_forget(struct tcb *tcb)
{
	if (!tcb->syscall)
		return;
	arena_reset(&tcb->syscall->arena);
	free(call_of(tcb));
	tcb->syscall = NULL;
}
