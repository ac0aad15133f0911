/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/stops.h"

#include <string.h>

#include "trace/format/event_coding.h"

static enum record_type record_of(enum stop_kind kind)
{
	static const uint8_t types[] = {
		[STOP_SYSCALL_ENTER] = RECORD_ENTER,
		[STOP_SYSCALL_EXIT] = RECORD_EXIT,
		[STOP_SIGNAL] = RECORD_SIGNAL,
		[STOP_GROUP] = RECORD_GROUP,
		[STOP_EXEC] = RECORD_EXEC,
		[STOP_FORK] = RECORD_FORK,
		[STOP_NEW] = RECORD_NEW,
		[STOP_EXITING] = RECORD_EXITING,
		[STOP_EXITED] = RECORD_EXITED,
		[STOP_VANISHED] = RECORD_VANISHED,
		[STOP_LOST] = RECORD_LOST,
		[STOP_REQUEST_SUBMITTED] = RECORD_SUBMITTED,
		[STOP_REQUEST_PUNTED] = RECORD_PUNTED,
		[STOP_REQUEST_COMPLETED] = RECORD_COMPLETED,
		[STOP_EVENT] = RECORD_EVENT,
	};

	return (size_t)kind < ARRAY_SIZE(types) ? (enum record_type)types[kind] : 0;
}

bool stop_is_recorded(enum stop_kind kind)
{
	return record_of(kind) != 0;
}

/* -- writing -------------------------------------------------------------------- */

/*
 * Begins a record and returns the offset of its content. One byte is reserved for the length of the
 * content, because most records are shorter than 128 bytes.
 */
static size_t begin(struct strbuf *out, enum record_type type)
{
	strbuf_putc(out, (char)type);
	strbuf_putc(out, 0);
	return out->len;
}

static void end(struct strbuf *out, size_t start)
{
	size_t n = out->len - start;

	if (likely(n < 0x80)) {
		out->data[start - 1] = (char)n;
		return;
	}
	/*
	 * The length needs two bytes. Two bytes are enough, because the record of a stop has at
	 * most 16,383 bytes.
	 */
	strbuf_putc(out, 0);
	memmove(out->data + start + 1, out->data + start, n);
	out->data[start - 1] = (char)(n | 0x80);
	out->data[start] = (char)(n >> 7);
}

static void put_time(struct strbuf *out, uint64_t ns)
{
	put_signed(out, (int64_t)ns);
}

static unsigned thread_bits(unsigned flags)
{
	return (flags & TCB_ATTACHED ? THREAD_ATTACHED : 0) |
	       (flags & TCB_STARTED ? THREAD_STARTED : 0) |
	       (flags & TCB_WAIT_EXECVE ? THREAD_BEFORE_EXEC : 0);
}

/*
 * Adds to `bits` a bit for each common field (CPU time, pc, stack pointer) that has changed since
 * the thread's previous stop. Writes `bits`, followed by the differences of these fields.
 */
static void put_common(struct strbuf *out, unsigned bits, const struct tcb *tcb,
		       struct stop_state *state)
{
	uint64_t cpu = tcb->cpu_us;

	bits |= (cpu != state->cpu ? STOP_HAS_CPU : 0) |
		(tcb->regs.ip != state->ip ? STOP_HAS_IP : 0) |
		(tcb->regs.sp != state->sp ? STOP_HAS_SP : 0);
	put_uleb(out, bits);
	if (bits & STOP_HAS_CPU)
		put_signed(out, (int64_t)(cpu - state->cpu));
	if (bits & STOP_HAS_IP)
		put_signed(out, (int64_t)(tcb->regs.ip - state->ip));
	if (bits & STOP_HAS_SP)
		put_signed(out, (int64_t)(tcb->regs.sp - state->sp));
	state->cpu = cpu;
	state->ip = tcb->regs.ip;
	state->sp = tcb->regs.sp;
}

static unsigned call_bits(const struct syscall_regs *regs, const struct stop_state *state)
{
	unsigned bits = regs->audit != state->audit ? ENTER_HAS_AUDIT : 0;

	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		if (regs->args[i] != state->args[i])
			bits |= ENTER_HAS_ARG << i;
	return bits;
}

/*
 * Writes the syscall number. Also writes the audit value and the arguments that differ from those
 * of the previous call.
 */
static void put_call(struct strbuf *out, const struct syscall_regs *regs, unsigned bits,
		     struct stop_state *state)
{
	put_uleb(out, regs->nr);
	if (bits & ENTER_HAS_AUDIT)
		put_uleb(out, regs->audit);
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		if (bits & ENTER_HAS_ARG << i)
			put_signed(out, (int64_t)regs->args[i]);
	state->audit = regs->audit;
	memcpy(state->args, regs->args, sizeof(state->args));
}

static void put_info(struct strbuf *out, const siginfo_t *info)
{
	const uint8_t *bytes = (const uint8_t *)info;
	size_t n = sizeof(*info);

	while (n && !bytes[n - 1])
		n--;
	put_bytes(out, bytes, n);
}

static void put_heir(struct strbuf *out, const struct stop *stop)
{
	const struct tcb *heir =
		stop->pid ? capture_find(stop->tcb->capture, stop->tcb->tid) : NULL;

	put_uleb(out, (uint64_t)stop->pid);
	put_uleb(out, heir ? heir->regs.ip : 0);
	put_uleb(out, heir ? heir->regs.sp : 0);
}

static void put_request(struct strbuf *out, const struct stop *stop)
{
	const struct capture_request *q = stop->request;

	put_uleb(out, q->ring[0]);
	put_uleb(out, q->ring[1]);
	put_uleb(out, q->number);
	if (stop->kind == STOP_REQUEST_SUBMITTED) {
		put_uleb(out, q->audit);
		put_signed(out, q->fd);
		put_uleb(out, q->chain);
		put_uleb(out, q->silent);
		put_uleb(out, q->polled);
		put_bytes(out, q->sqe, TRACE_SQE_SIZE);
	} else if (stop->kind == STOP_REQUEST_COMPLETED) {
		put_uleb(out, q->user_data);
		put_signed(out, q->result);
		put_uleb(out, q->cqe_flags);
	}
}

static void put_stop(struct strbuf *out, const struct stop *stop, struct stop_state *state)
{
	const struct tcb *tcb = stop->tcb;
	unsigned bits = 0;

	switch (stop->kind) {
	case STOP_SYSCALL_ENTER:
		bits = stop->unknown ? ENTER_UNKNOWN : call_bits(&tcb->regs, state);
		put_common(out, bits, tcb, state);
		if (!stop->unknown)
			put_call(out, &tcb->regs, bits, state);
		break;
	case STOP_SYSCALL_EXIT:
		put_common(out,
			   (tcb->regs.is_error ? EXIT_IS_ERROR : 0) |
				   (stop->unknown ? EXIT_UNKNOWN : 0),
			   tcb, state);
		put_signed(out, tcb->regs.ret);
		break;
	case STOP_SIGNAL:
		put_common(out, stop->has_info ? SIGNAL_HAS_INFO : 0, tcb, state);
		put_uleb(out, (unsigned)stop->sig);
		if (stop->has_info)
			put_info(out, &stop->info);
		break;
	case STOP_GROUP:
		put_common(out, 0, tcb, state);
		put_uleb(out, (unsigned)stop->sig);
		break;
	case STOP_NEW:
		if (stop->in_syscall)
			bits = call_bits(&tcb->regs, state) | NEW_IN_SYSCALL;
		put_common(out, bits, tcb, state);
		put_uleb(out, thread_bits(tcb->flags));
		put_uleb(out, (uint64_t)tcb->tgid);
		if (stop->in_syscall) {
			put_call(out, &tcb->regs, bits, state);
			put_signed(out, tcb->regs.ret);
		}
		break;
	case STOP_FORK:
		put_common(out,
			   (stop->child ? FORK_FOLLOWED : 0) |
				   (stop->child_shares_mm ? FORK_SHARES_MM : 0),
			   tcb, state);
		put_uleb(out, (uint64_t)stop->pid);
		break;
	case STOP_EXEC:
		put_common(out, 0, tcb, state);
		put_uleb(out, (uint64_t)stop->pid);
		break;
	case STOP_VANISHED:
		put_common(out, 0, tcb, state);
		put_heir(out, stop);
		break;
	case STOP_EXITED:
		put_common(out, 0, tcb, state);
		put_uleb(out, (unsigned)stop->status);
		break;
	case STOP_LOST:
		put_uleb(out, stop->lost);
		put_foreign(out, stop->cause, 127);
		break;
	case STOP_EVENT:
		event_put(out, stop->event);
		break;
	case STOP_REQUEST_SUBMITTED:
	case STOP_REQUEST_PUNTED:
	case STOP_REQUEST_COMPLETED:
		put_common(out, 0, tcb, state);
		put_request(out, stop);
		break;
	default:
		put_common(out, 0, tcb, state);
	}
}

void stop_put(struct strbuf *out, const struct stop *stop, struct stop_state *state, uint64_t block,
	      uint64_t ns)
{
	size_t start = begin(out, record_of(stop->kind));

	if (state && state->block != block + 1)
		*state = (struct stop_state){.block = block + 1};
	put_time(out, ns);
	put_stop(out, stop, state);
	end(out, start);
}

void stop_put_thread(struct strbuf *out, pid_t tid)
{
	size_t start = begin(out, RECORD_THREAD);

	put_uleb(out, (uint64_t)tid);
	end(out, start);
}

void stop_put_begin(struct strbuf *out, const struct tcb *tcb)
{
	size_t start = begin(out, RECORD_BEGIN);

	put_uleb(out, (uint64_t)tcb->tid);
	put_uleb(out, (uint64_t)tcb->tgid);
	put_uleb(out, thread_bits(tcb->flags));
	end(out, start);
}

void stop_put_is(struct strbuf *out, const struct tcb *tcb)
{
	size_t start = begin(out, RECORD_IS);
	bool in_call = tcb->flags & TCB_IN_SYSCALL;

	put_uleb(out, (uint64_t)tcb->tid);
	put_uleb(out, (uint64_t)tcb->tgid);
	put_uleb(out, thread_bits(tcb->flags) | (in_call ? THREAD_IN_SYSCALL : 0));
	put_uleb(out, tcb->cpu_us);
	put_uleb(out, tcb->regs.ip);
	put_uleb(out, tcb->regs.sp);
	put_uleb(out, tcb->regs.nr);
	put_uleb(out, tcb->regs.audit);
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		put_signed(out, (int64_t)tcb->regs.args[i]);
	end(out, start);
}

void stop_put_started(struct strbuf *out)
{
	end(out, begin(out, RECORD_STARTED));
}

void stop_put_forget(struct strbuf *out)
{
	end(out, begin(out, RECORD_FORGET));
}

void stop_put_ended(struct strbuf *out, uint64_t ns)
{
	size_t start = begin(out, RECORD_ENDED);

	put_time(out, ns);
	end(out, start);
}

/* -- reading -------------------------------------------------------------------- */

static unsigned tcb_flags(uint64_t bits)
{
	return (bits & THREAD_ATTACHED ? TCB_ATTACHED : 0) |
	       (bits & THREAD_STARTED ? TCB_STARTED : 0) |
	       (bits & THREAD_BEFORE_EXEC ? TCB_WAIT_EXECVE : 0);
}

static pid_t take_pid(struct cursor *in)
{
	uint64_t n = cursor_uleb(in);

	if (n > INT32_MAX)
		cursor_fail(in);
	return in->bad ? 0 : (pid_t)n;
}

static uint64_t take_common(struct cursor *in, struct stop_state *state, struct stop_record *s)
{
	uint64_t bits = cursor_uleb(in);

	s->has_cpu = bits & STOP_HAS_CPU;
	if (bits & STOP_HAS_CPU)
		state->cpu += (uint64_t)take_signed(in);
	if (bits & STOP_HAS_IP)
		state->ip += (uint64_t)take_signed(in);
	if (bits & STOP_HAS_SP)
		state->sp += (uint64_t)take_signed(in);
	s->regs.ip = state->ip;
	s->regs.sp = state->sp;
	return bits;
}

static void take_call(struct cursor *in, uint64_t bits, struct stop_state *state,
		      struct syscall_regs *regs)
{
	regs->nr = cursor_uleb(in);
	if (bits & ENTER_HAS_AUDIT)
		state->audit = (uint32_t)cursor_uleb(in);
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		if (bits & ENTER_HAS_ARG << i)
			state->args[i] = (uint64_t)take_signed(in);
	regs->audit = state->audit;
	memcpy(regs->args, state->args, sizeof(regs->args));
}

static void take_info(struct cursor *in, siginfo_t *info)
{
	size_t n;
	const uint8_t *bytes = take_bytes(in, &n);

	memset(info, 0, sizeof(*info));
	if (n)
		memcpy(info, bytes, size_min(n, sizeof(*info)));
}

static void take_submission(struct cursor *in, struct stop_record *s)
{
	struct capture_request *q = &s->request;
	const uint8_t *entry;
	size_t n;

	q->audit = (uint32_t)cursor_uleb(in);
	q->fd = (int)take_signed(in);
	q->chain = cursor_uleb(in);
	q->silent = cursor_uleb(in);
	q->polled = cursor_uleb(in);
	entry = take_bytes(in, &n);
	if (entry && n == sizeof(s->entry))
		memcpy(s->entry, entry, n);
	else
		cursor_fail(in);
}

static void take_request(struct cursor *in, enum record_type type, struct stop_record *s)
{
	struct capture_request *q = &s->request;

	for (unsigned i = 0; i < ARRAY_SIZE(q->ring); i++)
		q->ring[i] = cursor_uleb(in);
	q->number = cursor_uleb(in);
	s->stop.kind = STOP_REQUEST_PUNTED;
	if (type == RECORD_SUBMITTED) {
		s->stop.kind = STOP_REQUEST_SUBMITTED;
		take_submission(in, s);
	} else if (type == RECORD_COMPLETED) {
		s->stop.kind = STOP_REQUEST_COMPLETED;
		q->user_data = cursor_uleb(in);
		q->result = (int32_t)take_signed(in);
		q->cqe_flags = (uint32_t)cursor_uleb(in);
	}
}

static void take_stop(struct cursor *in, enum record_type type, struct stop_state *state,
		      struct stop_record *s)
{
	struct stop *stop = &s->stop;
	const bool of_thread = type != RECORD_LOST && type != RECORD_EVENT;
	uint64_t bits = of_thread ? take_common(in, state, s) : 0;
	const uint8_t *cause;
	size_t n;

	switch (type) {
	case RECORD_ENTER:
		stop->kind = STOP_SYSCALL_ENTER;
		stop->unknown = bits & ENTER_UNKNOWN;
		if (!stop->unknown)
			take_call(in, bits, state, &s->regs);
		break;
	case RECORD_EXIT:
		stop->kind = STOP_SYSCALL_EXIT;
		s->regs.ret = take_signed(in);
		s->regs.is_error = bits & EXIT_IS_ERROR;
		stop->unknown = bits & EXIT_UNKNOWN;
		break;
	case RECORD_SIGNAL:
		stop->kind = STOP_SIGNAL;
		stop->sig = take_pid(in);
		stop->has_info = bits & SIGNAL_HAS_INFO;
		if (stop->has_info)
			take_info(in, &stop->info);
		break;
	case RECORD_GROUP:
		stop->kind = STOP_GROUP;
		stop->sig = take_pid(in);
		break;
	case RECORD_NEW:
		stop->kind = STOP_NEW;
		s->flags = tcb_flags(cursor_uleb(in));
		s->tgid = take_pid(in);
		stop->in_syscall = bits & NEW_IN_SYSCALL;
		if (!stop->in_syscall)
			break;
		take_call(in, bits, state, &s->regs);
		s->regs.ret = take_signed(in);
		s->regs.is_error = s->regs.ret < 0;
		break;
	case RECORD_FORK:
		stop->kind = STOP_FORK;
		s->followed = bits & FORK_FOLLOWED;
		stop->child_shares_mm = bits & FORK_SHARES_MM;
		stop->pid = take_pid(in);
		break;
	case RECORD_EXEC:
		stop->kind = STOP_EXEC;
		stop->pid = take_pid(in);
		break;
	case RECORD_EXITING:
		stop->kind = STOP_EXITING;
		break;
	case RECORD_EXITED:
		stop->kind = STOP_EXITED;
		stop->status = (int)cursor_uleb(in);
		break;
	case RECORD_VANISHED:
		stop->kind = STOP_VANISHED;
		stop->pid = take_pid(in);
		s->heir_ip = cursor_uleb(in);
		s->heir_sp = cursor_uleb(in);
		break;
	case RECORD_LOST:
		stop->kind = STOP_LOST;
		stop->lost = cursor_uleb(in);
		cause = take_bytes(in, &n);
		n = size_min(n, sizeof(s->cause) - 1);
		if (n)
			memcpy(s->cause, cause, n);
		s->cause[n] = '\0';
		break;
	case RECORD_EVENT:
		stop->kind = STOP_EVENT;
		break;
	case RECORD_SUBMITTED:
	case RECORD_PUNTED:
	case RECORD_COMPLETED:
		take_request(in, type, s);
		break;
	default:
		cursor_fail(in);
	}
}

bool stop_take(struct cursor *in, enum record_type type, const struct syscall_regs *regs,
	       struct stop_state *state, uint64_t block, struct stop_record *s)
{
	struct stop_state none = {.block = block + 1};

	if (!state)
		state = &none;
	else if (state->block != block + 1)
		*state = (struct stop_state){.block = block + 1};
	*s = (struct stop_record){.regs = *regs};
	s->ns = (uint64_t)take_signed(in);
	take_stop(in, type, state, s);
	return !in->bad;
}

bool begin_take(struct cursor *in, struct begin_record *b)
{
	uint64_t bits;

	b->tid = take_pid(in);
	b->tgid = take_pid(in);
	bits = cursor_uleb(in);
	b->flags = tcb_flags(bits) | (bits & THREAD_IN_SYSCALL ? TCB_IN_SYSCALL : 0);
	return !in->bad && b->tid;
}

bool is_take(struct cursor *in, struct is_record *r)
{
	*r = (struct is_record){0};
	if (!begin_take(in, &r->begin))
		return false;
	r->cpu = cursor_uleb(in);
	r->regs.ip = cursor_uleb(in);
	r->regs.sp = cursor_uleb(in);
	r->regs.nr = cursor_uleb(in);
	r->regs.audit = (uint32_t)cursor_uleb(in);
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		r->regs.args[i] = (uint64_t)take_signed(in);
	return !in->bad;
}
