/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/proc/host.h"

#include <string.h>

#include "capture/proc/proc.h"

bool host_boot_id(char *buf, size_t size)
{
	if (proc_read(buf, size, "/proc/sys/kernel/random/boot_id") <= 0)
		return false;
	buf[strcspn(buf, "\n")] = '\0';
	return true;
}
