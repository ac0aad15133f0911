/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/format/meta.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "capture/proc/host.h"
#include "trace/format/block.h"
#include "trace/format/coding.h"

void meta_deinit(struct trace_meta *m)
{
	vec_for_each (&m->pairs, p) {
		free(p->name);
		free((char *)p->text.unescaped);
	}
	vec_deinit(&m->pairs);
}

void meta_add(struct trace_meta *m, const char *name, const char *text)
{
	*vec_push(&m->pairs) = (struct meta_pair){mem_strdup(name), foreign(mem_strdup(text))};
}

void meta_add_foreign(struct trace_meta *m, const char *name, struct foreign text)
{
	meta_add(m, name, text.unescaped);
}

void meta_add_number(struct trace_meta *m, const char *name, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%llu", (unsigned long long)n);
	meta_add(m, name, text);
}

struct foreign meta_get(const struct trace_meta *m, const char *name)
{
	vec_for_each (&m->pairs, p)
		if (!strcmp(p->name, name))
			return p->text;
	return foreign(NULL);
}

uint64_t meta_get_number(const struct trace_meta *m, const char *name, uint64_t what)
{
	const char *text = meta_get(m, name).unescaped;
	unsigned long long n;
	char *end;

	if (!text || *text < '0' || *text > '9')
		return what;
	n = strtoull(text, &end, 10);
	return *end ? what : n;
}

/*
 * Returns true if `text` is a time zone with which tzset(3) reads no file outside the system's time
 * zone directory. Accepted are names such as "Europe/Berlin", and POSIX rules such as
 * "CET-1CEST,M3.5.0,M10.5.0/3" or "<+07>-7".
 */
static bool is_zone(const char *text)
{
	return *text && *text != '/' && !strstr(text, "..") &&
	       !text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				  "0123456789_+-/<>,.:")];
}

char *meta_zone(const struct trace_meta *m)
{
	const char *text = meta_get(m, "zone").unescaped;

	/* tzset(3) interprets ":NAME" as a file name. Traces of version 0.1 contain such names. */
	if (text && *text == ':')
		text++;
	return text && *text != ':' && is_zone(text) ? mem_strdup(text) : NULL;
}

/*
 * Adds the time zone in the format of tzset(3): the zone's name if it is known, otherwise its
 * offset from UTC.
 */
static void add_zone(struct trace_meta *m)
{
	const char *tz = getenv("TZ"), *name;
	char link[PATH_MAX], text[64];
	time_t now = time(NULL);
	struct tm tm;
	ssize_t n;

	if (tz && is_zone(tz + (*tz == ':'))) {
		meta_add(m, "zone", tz + (*tz == ':'));
		return;
	}
	n = tz ? 0 : readlink("/etc/localtime", link, sizeof(link) - 1);
	link[n > 0 ? n : 0] = '\0';
	name = strstr(link, "/zoneinfo/");
	if (name) {
		snprintf(text, sizeof(text), "%.60s", name + strlen("/zoneinfo/"));
		meta_add(m, "zone", text);
		return;
	}
	if (!localtime_r(&now, &tm))
		return;
	/* In POSIX rules, offsets to the west are positive. */
	snprintf(text, sizeof(text), "<L>%ld:%02ld:%02ld", -tm.tm_gmtoff / 3600,
		 labs(tm.tm_gmtoff) / 60 % 60, labs(tm.tm_gmtoff) % 60);
	meta_add(m, "zone", text);
}

/* Adds a run id: a random UUID (version 4 of RFC 4122). */
static void add_run(struct trace_meta *m)
{
	uint8_t id[16] = {0};
	char text[40], *p = text;

	if (getrandom(id, sizeof(id), 0) != sizeof(id)) {
		struct timespec now;

		clock_gettime(CLOCK_REALTIME, &now);
		snprintf((char *)id, sizeof(id), "%lx", now.tv_nsec ^ (long)getpid() << 32);
	}
	id[6] = (id[6] & 0x0f) | 0x40;
	id[8] = (id[8] & 0x3f) | 0x80;
	for (unsigned i = 0; i < sizeof(id); i++)
		p += sprintf(p, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id[i]);
	meta_add(m, "run", text);
}

void meta_add_host(struct trace_meta *m)
{
	char boot[64];
	struct utsname u;

	add_run(m);
	if (!uname(&u)) {
		meta_add(m, "host", u.nodename);
		meta_add(m, "kernel", u.release);
		meta_add(m, "kernel-version", u.version);
		meta_add(m, "machine", u.machine);
	}
	if (host_boot_id(boot, sizeof(boot)))
		meta_add(m, "boot", boot);
	meta_add_number(m, "uid", geteuid());
	add_zone(m);
}

void meta_put(const struct trace_meta *m, struct strbuf *b)
{
	vec_for_each (&m->pairs, p) {
		put_bytes(b, p->name, strlen(p->name));
		put_foreign(b, p->text, BLOCK_BODY_MAX);
	}
}

bool meta_parse(struct trace_meta *m, const void *bytes, size_t n)
{
	struct cursor in = {.p = bytes, .end = (const uint8_t *)bytes + n};

	while (in.p < in.end) {
		size_t name_len, text_len;
		const uint8_t *name = take_bytes(&in, &name_len);
		const uint8_t *text = take_bytes(&in, &text_len);

		if (in.bad)
			return false;
		*vec_push(&m->pairs) =
			(struct meta_pair){mem_strndup((const char *)name, name_len),
					   foreign(mem_strndup((const char *)text, text_len))};
	}
	return true;
}
