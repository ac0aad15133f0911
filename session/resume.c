/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/resume.h"

#include "capture/capture.h"
#include "tamper/untraced.h"

void resume_thread(struct tcb *tcb)
{
	if (unlikely(tcb->untraced == UNTRACED_PENDING))
		untraced_enter(tcb);
	capture_resume(tcb);
}
