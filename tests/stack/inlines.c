/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Inlined functions, for -kk. run.py contains the line numbers below. */
#include <unistd.h>

#define always static inline __attribute__((always_inline))

always int innermost(int x)
{
	return getppid() + x; /* line 9 */
}

always int between(int x)
{
	return innermost(x + 1) + 2; /* line 14 */
}

__attribute__((noinline)) int outer(int x)
{
	return between(x) * 3; /* line 19 */
}

int main(void)
{
	return outer(1) & 0; /* line 24 */
}
