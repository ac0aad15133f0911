/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A syscall that the vDSO makes on the program's behalf, because it cannot read the requested clock
 * itself.
 */
#include "truth.h"

#include <time.h>

static NOINLINE void read_clock(void)
{
	TRUTH;
	struct timespec ts;

	check();
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	check();
}

int main(void)
{
	TRUTH;
	read_clock();
	return 0;
}
