/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens the master side of a pseudoterminal and requests its index. Also makes an ioctl request
 * whose number is also used for sound timers.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void)
{
	char *name;
	int master = posix_openpt(O_RDWR | O_NOCTTY);

	if (master < 0)
		return 77;
	ioctl(master, TCSETS, 0);
	ioctl(open("/dev/null", O_RDWR), TCSETS, 0);
	unlockpt(master);
	name = ptsname(master);
	return !name || write(master, "", 0);
}
