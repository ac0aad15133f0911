/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Code that is in no file, such as that of a JIT compiler, as live processes have it. A stack needs
 * a few bytes behind each return address, and one call after the other needs the same ones, so
 * pages are kept for a moment. A page is read again once it is CODE_CACHE_NS old: code that a
 * process writes over a page is seen that much later. A page of a process
 * that is gone stays as it was read last. That a page cannot be read is kept as well.
 */
#ifndef TRACER_CAPTURE_BPF_CODE_CACHE_H
#define TRACER_CAPTURE_BPF_CODE_CACHE_H

#include <sys/types.h>

#include "defs.h"

#define CODE_CACHE_NS	(10 * 1000000)
#define CODE_CACHE_PAGE 4096

struct code_page;
struct late_reader;

struct code_cache {
	struct late_reader *late;	/* borrowed */
	struct code_page *pages;	/* NULL until the first read */
	uint8_t fresh[CODE_CACHE_PAGE]; /* a page that has just been read */
};

void code_cache_init(struct code_cache *c, struct late_reader *late);
void code_cache_deinit(struct code_cache *c);
/*
 * Reads up to n bytes at addr in a process, which is asked as the thread tid, or as its leader tgid
 * if that thread is gone. Returns how many bytes were read, at least 1, or -errno.
 */
ssize_t code_cache_read(struct code_cache *c, pid_t tid, pid_t tgid, uint64_t addr, void *buf,
			size_t n);

#endif
