/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/date.h"

#include <time.h>

const char *decode_date(struct decoder *d, int64_t sec, uint64_t fraction, int digits)
{
	char date[64], zone[16];
	time_t t = sec;
	struct tm tm;

	if ((!sec && !fraction) || fraction >= (digits == 6 ? 1000000 : 1000000000))
		return NULL;
	if (!localtime_r(&t, &tm) || !strftime(date, sizeof(date), "%FT%T", &tm) ||
	    !strftime(zone, sizeof(zone), "%z", &tm))
		return NULL;
	if (fraction)
		return arena_printf(d->arena, "%s.%0*llu%s", date, digits,
				    (unsigned long long)fraction, zone);
	return arena_printf(d->arena, "%s%s", date, zone);
}
