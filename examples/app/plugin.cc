/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The app's plugin: loaded while the app runs, so its frames are in no map read at the start. */
#include <unistd.h>

static __attribute__((noinline)) void open_valve(int litres)
{
	char drops[8] = "~~~~~~~";

	if (write(STDOUT_FILENO, drops, litres % 8) >= 0)
		(void)!write(STDOUT_FILENO, "\n", 1);
}

extern "C" int water_plants(int litres)
{
	open_valve(litres + 5);
	return litres;
}
