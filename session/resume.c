/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/resume.h"

#include "capture/capture.h"
#include "session/thread.h"

void resume_thread(struct tcb *tcb)
{
	struct thread *t = tcb->session;

	if (unlikely(t && t->untraced.state == UNTRACED_PENDING))
		untraced_enter(tcb, &t->untraced);
	capture_resume(tcb);
}
