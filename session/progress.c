/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "session/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/clock.h"
#include "util/log_file.h"

#define FIRST_NS   (1ull * NSEC_PER_SEC)
#define COMMAND_NS (10ull * NSEC_PER_SEC)

void progress_init(struct progress *p, const char *path, bool has_command)
{
	*p = (struct progress){0};
	if (!path || !log_path_is_file(path) || !isatty(STDERR_FILENO))
		return;
	p->path = path;
	p->last = clock_after(0);
	p->next = clock_after(has_command ? COMMAND_NS : FIRST_NS);
}

/* Formats a number of bytes with at most four digits and a unit. Returns the text. */
static const char *size_text(char *buf, size_t n, double bytes)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	unsigned u = 0;

	for (; bytes >= 1000 && u < ARRAY_SIZE(units) - 1; u++)
		bytes /= 1024;
	snprintf(buf, n, "%.*f %s", u && bytes < 100, bytes, units[u]);
	return buf;
}

void progress_show(struct progress *p, uint64_t events, size_t threads, int percent,
		   uint64_t unwritten)
{
	struct timespec now = clock_after(0);
	double seconds = timespec_ns(timespec_sub(now, p->last)) / 1e9;
	struct stat st = {0};
	char line[256], size[32], part[64];
	int n;

	stat(p->path, &st);
	if (percent >= 0)
		snprintf(part, sizeof(part), "%d%% read", percent);
	else
		snprintf(part, sizeof(part), "%zu thread%s", threads, threads == 1 ? "" : "s");
	n = snprintf(line, sizeof(line), "\r%llu events, %.0f/s, %s, %s\033[K",
		     (unsigned long long)events, seconds > 0 ? (events - p->shown) / seconds : 0,
		     part, size_text(size, sizeof(size), (double)st.st_size + (double)unwritten));
	if (write(STDERR_FILENO, line, n) < 0)
		p->path = NULL; /* the terminal is gone, so the line is no longer shown */
	p->visible = true;
	p->shown = events;
	p->last = now;
	p->next = clock_after(NSEC_PER_SEC);
}

void progress_clear(struct progress *p)
{
	if (p->visible && write(STDERR_FILENO, "\r\033[K", 4) < 0)
		p->path = NULL;
	p->visible = false;
}
