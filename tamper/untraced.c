/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tamper/untraced.h"

#include <sched.h>

#include "capture/capture.h"
#include "capture/memory.h"
#include "linux/syscall_desc.h"
#include "syscall.h"

/*
 * Returns true if the flags of the call are in memory. clone(2) has its flags in the first argument
 * on all supported architectures (unlike on s390 and cris). The first argument of clone3(2) points
 * to a struct clone_args (linux/sched.h), whose first member contains the flags.
 */
static bool has_struct(const struct tcb *tcb)
{
	return tcb->syscall->row == ROW_clone3;
}

static void set_flags(struct tcb *tcb, struct untraced *u, uint64_t flags)
{
	if (tcb_write(tcb, tcb->regs.args[0], &flags, sizeof(flags)) < 0)
		u->state = UNTRACED_NOT;
}

/* Sets the register of the first argument. tcb->regs keeps the program's value. */
static void set_register(struct tcb *tcb, uint64_t value)
{
	uint64_t before = tcb->regs.args[0];

	tcb_poke_arg(tcb, 0, value);
	tcb->regs.args[0] = before;
}

void untraced_enter(struct tcb *tcb, struct untraced *u)
{
	uint64_t flags = tcb->regs.args[0];

	u->state = UNTRACED_NOT;
	if (has_struct(tcb) && memory_read(tcb->memory, tcb->regs.args[0], &flags, sizeof(flags)))
		return;
	if (!(flags & CLONE_UNTRACED))
		return;
	u->flags = flags;
	if (has_struct(tcb)) {
		u->state = UNTRACED_STRUCT;
		set_flags(tcb, u, flags & ~(uint64_t)CLONE_UNTRACED);
	} else {
		u->state = UNTRACED_REGISTER;
		set_register(tcb, flags & ~(uint64_t)CLONE_UNTRACED);
	}
}

void untraced_fork(struct tcb *tcb, struct untraced *u, struct tcb *child,
		   struct untraced *of_child)
{
	*of_child = *u;
	child->regs.audit = tcb->regs.audit;
	child->regs.args[0] = tcb->regs.args[0];
	if (u->state != UNTRACED_STRUCT)
		return;
	/*
	 * Parent and child may share memory. Therefore restore the flags only once, while both are
	 * stopped.
	 */
	set_flags(tcb, u, u->flags);
	u->state = UNTRACED_NOT;
	if (u->flags & CLONE_VM)
		of_child->state = UNTRACED_NOT;
}

void untraced_exit(struct tcb *tcb, struct untraced *u)
{
	if (u->state == UNTRACED_STRUCT)
		set_flags(tcb, u, u->flags);
	else if (u->state == UNTRACED_REGISTER)
		set_register(tcb, u->flags);
	u->state = UNTRACED_NOT;
}

void untraced_begin(struct tcb *child, struct untraced *u)
{
	untraced_exit(child, u);
	/* The child has not made any syscall yet. */
	child->regs = (struct syscall_regs){0};
}
