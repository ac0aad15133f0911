/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/resume.h"

#include "capture/capture.h"
#include "linux/syscall_desc.h"
#include "session/state.h"
#include "syscall.h"
#include "tamper/untraced.h"

bool resume_must_follow(const struct session *s, const struct tcb *tcb)
{
	const int row = tcb->syscall->row;

	return unlikely(row == ROW_clone || row == ROW_clone3) && s->o->capture.follow &&
	       s->capture->capabilities & CAPTURE_TAMPER;
}

void resume_thread(struct tcb *tcb)
{
	if (unlikely(tcb->untraced == UNTRACED_PENDING))
		untraced_enter(tcb);
	capture_resume(tcb);
}
