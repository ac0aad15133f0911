/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/stacks.h"

#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/memory.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "util/mem.h"

struct stacks {
	struct mmap_cache *maps; /* NULL if a trace is read in which all stacks are frames */
	struct unwinder *unwinder;
	/*
	 * The last result of arch_mode_of_call(), and the audit value (AUDIT_ARCH_*) for which it
	 * was called. The audit value is 0 at first.
	 */
	uint32_t audit;
	const struct arch_mode *mode;
};

struct stacks *stacks_create(const struct unwind_config *config, struct map_source *maps,
			     struct file_source *files, bool follow)
{
	struct mmap_cache_config cache = {.follow = follow, .debug = config->debug};
	struct stacks *s = mem_zalloc(sizeof(*s));

	s->maps = maps ? mmap_cache_create(&cache, maps) : NULL;
	s->unwinder = unwinder_create(config, s->maps, files);
	return s;
}

void stacks_destroy(struct stacks *s)
{
	if (!s)
		return;
	unwinder_destroy(s->unwinder);
	mmap_cache_destroy(s->maps);
	free(s);
}

struct unwinder *stacks_unwinder(const struct stacks *s)
{
	return s->unwinder;
}

void stacks_attach(struct stacks *s, struct tcb *tcb)
{
	if (!tcb->mm && s->maps)
		tcb->mm = mmap_cache_attach(s->maps, tcb->tid, tcb_tgid(tcb),
					    tcb->flags & TCB_STARTED);
}

void stacks_fork(struct stacks *s, struct tcb *parent, struct tcb *child, bool shared)
{
	if (child->mm || !s->maps)
		return;
	stacks_attach(s, parent);
	child->mm = mmap_cache_fork(parent->mm, child->tid, tcb_tgid(child), shared);
}

void stacks_exec(struct stacks *s, struct tcb *tcb)
{
	if (!s->maps)
		return;
	stacks_attach(s, tcb);
	mmap_cache_exec(tcb->mm, tcb->tid);
}

void stacks_forget(struct stacks *s, struct tcb *tcb)
{
	/*
	 * If the first thread of a process has ended, the process may have ended, and its pid may
	 * soon belong to another process. Therefore forget the process.
	 */
	if (tcb->tgid == tcb->tid)
		unwind_forget(s->unwinder, tcb->tgid);
	mmap_cache_release(tcb->mm);
	tcb->mm = NULL;
}

/* The arguments with which the map cache is notified of a call that may change mappings. */
struct change {
	enum mm_change kind;
	const uint64_t *args;
	int64_t ret;
	uint64_t wide[SYSCALL_ARGS_MAX];
};

static void change_init(struct change *c, const struct tcb *tcb, enum mm_change kind,
			const uint64_t *args)
{
	const struct abi *abi = abi_find(tcb->regs.audit, tcb->regs.nr);
	uint32_t block[6];

	c->kind = kind;
	c->args = args;
	c->ret = tcb->regs.ret;
	if (!abi)
		return;
	if (kind == MM_ARCH_PRCTL &&
	    (args[0] < abi->arch->map_vdso[0] || args[0] > abi->arch->map_vdso[1]))
		c->kind = MM_NONE;
	if (!abi_takes_block(abi, tcb->regs.nr))
		return;
	c->args = NULL;
	if (memory_read(tcb->memory, tcb->regs.args[0], block, sizeof(block)))
		return;
	for (int i = 0; i < 6; i++)
		c->wide[i] = block[i];
	c->args = c->wide;
	c->ret = (uint32_t)tcb->regs.ret;
}

void stacks_enter(struct tcb *tcb, enum mm_change change, const uint64_t *args)
{
	struct change c;

	if (!tcb->mm)
		return;
	change_init(&c, tcb, change, args);
	mmap_cache_enter(tcb->mm, c.kind, c.args);
}

void stacks_exit(struct tcb *tcb, enum mm_change change, const uint64_t *args)
{
	struct change c;

	if (!tcb->mm)
		return;
	change_init(&c, tcb, change, args);
	mmap_cache_exit(tcb->mm, c.kind, c.args, c.ret, tcb->regs.is_error);
}

void stacks_mapping(struct tcb *tcb, uint64_t addr, uint64_t length)
{
	const uint64_t args[SYSCALL_ARGS_MAX] = {addr, length};

	if (!tcb->mm)
		return;
	mmap_cache_enter(tcb->mm, MM_MUNMAP, args);
	mmap_cache_exit(tcb->mm, MM_MUNMAP, args, 0, false);
}

struct map_table *stacks_maps(struct stacks *s, struct tcb *tcb)
{
	stacks_attach(s, tcb);
	return mmap_cache_all(tcb->mm);
}

/*
 * Reads the thread's registers for the unwinder. Sets *in_call to true if the thread is in a
 * syscall. Returns 0 or -errno.
 */
static int get_registers(struct unwind_stop *stop, bool *in_call)
{
	struct arch_regs regs;
	int err = tcb_get_regs(stop->ctx, &regs);

	if (err)
		return err;
	*in_call = arch_in_call(&regs);
	stop->mode = regs.mode;
	arch_columns(&regs, stop->regs);
	return 0;
}

static bool fetch(struct unwind_stop *stop)
{
	bool in_call;

	return !get_registers(stop, &in_call);
}

static bool gone(const struct unwind_stop *stop)
{
	struct arch_regs regs;

	return tcb_get_regs(stop->ctx, &regs) != 0;
}

static enum stack_status why_gone(const struct unwind_stop *stop)
{
	struct arch_regs regs;

	return tcb_get_regs(stop->ctx, &regs) == -ENOENT ? STACK_BEFORE_TRACING : STACK_GONE;
}

static uint64_t thread_pointer(const struct unwind_stop *stop)
{
	struct arch_regs regs;

	if (tcb_get_regs(stop->ctx, &regs) || !regs.mode->thread_pointer_at)
		return 0;
	return arch_word(&regs, regs.mode->thread_pointer_at);
}

static void stop_init(struct unwind_stop *stop, struct stacks *s, struct tcb *tcb)
{
	stacks_attach(s, tcb);
	stop->tid = tcb->tid;
	stop->tgid = tcb_tgid(tcb);
	stop->mm = tcb->mm;
	stop->memory = tcb->memory;
	stop->address_mask = tcb->capture->address_mask;
	memset(stop->regs, 0, sizeof(stop->regs));
	stop->fetch = NULL;
	stop->gone = gone;
	stop->why_gone = why_gone;
	stop->thread_pointer = thread_pointer;
	stop->ctx = tcb;
}

/*
 * Returns true if the engine has recorded the stack or knows that there is none. In this case, sets
 * *recorded to the stack or to NULL.
 */
static bool is_recorded(const struct tcb *tcb, const struct recorded_stack **recorded)
{
	const struct capture_ops *ops = tcb->capture->ops;

	*recorded = ops->stack ? ops->stack(tcb) : NULL;
	return *recorded || !ops->get_regs;
}

static struct stack *capture(struct stacks *s, struct tcb *tcb, bool started)
{
	const struct recorded_stack *recorded;
	struct unwind_stop stop;
	bool in_call;
	int err;

	if (is_recorded(tcb, &recorded))
		return unwind_recorded(s->unwinder, recorded);
	stop_init(&stop, s, tcb);
	err = get_registers(&stop, &in_call);
	if (err)
		return unwind_without(s->unwinder, err == -ENODATA ? STACK_NOT_COPIED : STACK_GONE);
	stop.exact = started || !in_call;
	return unwind_capture(s->unwinder, &stop);
}

struct stack *stacks_capture(struct stacks *s, struct tcb *tcb)
{
	return capture(s, tcb, false);
}

/*
 * Returns the processor mode of the code that made a call, or NULL if the ABI of the call does not
 * determine the mode.
 */
static const struct arch_mode *mode_of_call(struct stacks *s, uint32_t audit)
{
	if (unlikely(audit != s->audit)) {
		s->audit = audit;
		s->mode = arch_mode_of_call(audit);
	}
	return s->mode;
}

struct stack *stacks_capture_syscall(struct stacks *s, struct tcb *tcb, bool started)
{
	const struct arch_mode *mode = mode_of_call(s, tcb->regs.audit);
	const struct recorded_stack *recorded;
	struct unwind_stop stop;

	if (!mode || is_recorded(tcb, &recorded))
		return capture(s, tcb, started);
	stop_init(&stop, s, tcb);
	stop.mode = mode;
	stop.fetch = fetch;
	stop.regs[mode->pc] = tcb->regs.ip;
	stop.regs[mode->sp] = tcb->regs.sp;
	stop.exact = started;
	return unwind_capture(s->unwinder, &stop);
}
