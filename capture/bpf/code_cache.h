/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads and caches code that exists only in the memory of live processes, such as the output of a
 * JIT compiler. A stack walk reads a few bytes after each return address, and consecutive walks
 * mostly read the same bytes. Pages are therefore cached for CODE_CACHE_NS. After that time, a page
 * is read again. If the process is gone, the cached contents of its pages remain valid. Failed
 * reads are cached, too.
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
	struct late_reader *late;	/* reads pages of processes; borrowed */
	struct code_page *pages;	/* NULL until the first read */
	uint8_t fresh[CODE_CACHE_PAGE]; /* buffer for a page that is being read */
};

void code_cache_init(struct code_cache *c, struct late_reader *late);
void code_cache_deinit(struct code_cache *c);
/*
 * Reads up to n bytes at addr in the memory of a process, through its thread `tid` or, if that
 * thread is gone, through its leader `tgid`. Returns the number of bytes read (at least 1), or
 * -errno.
 */
ssize_t code_cache_read(struct code_cache *c, pid_t tid, pid_t tgid, uint64_t addr, void *buf,
			size_t n);

#endif
