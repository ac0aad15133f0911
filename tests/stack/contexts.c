/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stacks that the program itself creates and switches between, with swapcontext(3). */
#include "truth.h"

#include <ucontext.h>

static ucontext_t main_context, contexts[2];

static NOINLINE void deep(int n)
{
	TRUTH;
	if (n)
		deep(n - 1);
	check();
}

static void coroutine(int i)
{
	truth_depth = 0;
	TRUTH;
	deep(3);
	for (int k = 0; k < 3; k++) {
		swapcontext(&contexts[i], i ? &main_context : &contexts[1]);
		truth_depth = 0;
		truth_names[truth_depth++] = __func__;
		check();
		deep(1);
	}
	swapcontext(&contexts[i], &main_context);
}

int main(void)
{
	TRUTH;
	for (int i = 0; i < 2; i++) {
		getcontext(&contexts[i]);
		contexts[i].uc_stack.ss_size = 1 << 16;
		contexts[i].uc_stack.ss_sp = malloc(1 << 16);
		contexts[i].uc_link = &main_context;
		makecontext(&contexts[i], (void (*)(void))coroutine, 1, i);
	}
	for (int k = 0; k < 3; k++) {
		swapcontext(&main_context, &contexts[0]);
		truth_depth = 0;
		truth_names[truth_depth++] = __func__;
		check();
	}
	return 0;
}
