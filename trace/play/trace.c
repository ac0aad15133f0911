/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "trace/play/trace.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "trace/format/parts.h"
#include "trace/format/records.h"
#include "trace/play/seek.h"
#include "util/mem.h"
#include "util/msg.h"

struct trace {
	char *name;
	int fd; /* descriptor of the file, or -1 if t does not own a descriptor */
	struct block_reader *reader;
	struct trace_meta meta;
	bool at_end;  /* true if the end of the file has been reached */
	bool whole;   /* true if the END block has been read */
	bool gave_up; /* true if trace_give_up() has been called */
	struct trace_parts parts;
	/*
	 * `h` is always the header of the first block. If the first block is not a valid META
	 * block, `kept` is true: trace_next() must still return this block, and body and n are
	 * valid.
	 */
	bool kept;
	struct block_header h;
	const uint8_t *body;
	size_t n;
};

/*
 * If the trace could not be read or is damaged, prints one message and returns -errno. Otherwise
 * returns 0.
 */
static int complain(const struct trace *t)
{
	int err = block_reader_error(t->reader);
	uint64_t skipped = block_reader_skipped(t->reader);

	if (t->gave_up) {
		msg("%s: reading this trace takes more than %zu MiB of memory: the rest is not "
		    "read",
		    t->name, TRACE_KEPT_MAX >> 20);
		return -ENOMEM;
	}

	switch (err) {
	case 0:
		break;
	case -ENOMSG:
		msg("%s: not a %s trace file", t->name, msg_program());
		return err;
	case -ENOTSUP:
		msg("%s: recorded by a newer %s in an unknown format", t->name, msg_program());
		return err;
	case -ELIBACC:
		msg("%s: compressed, but libzstd is missing or too old: install it (Debian: "
		    "libzstd1)",
		    t->name);
		return err;
	default:
		errno = -err;
		msg_errno("%s", t->name);
		return err;
	}
	if (!t->at_end || (t->whole && !skipped))
		return 0;
	if (!skipped)
		msg("%s: the end of the trace is missing, possibly with the last events", t->name);
	else if (t->whole)
		msg("%s: %" PRIu64 " bytes are damaged", t->name, skipped);
	else
		msg("%s: %" PRIu64
		    " bytes are damaged or cut off, and the end of the trace is missing",
		    t->name, skipped);
	return -EBADMSG;
}

void trace_destroy(struct trace *t)
{
	if (!t)
		return;
	block_reader_destroy(t->reader);
	if (t->fd >= 0)
		close(t->fd);
	meta_deinit(&t->meta);
	trace_parts_deinit(&t->parts);
	free(t->name);
	free(t);
}

/*
 * Reads the first block, which should describe the recording. If no valid block can be read, prints
 * a message, frees t and returns NULL. Otherwise returns t.
 */
static struct trace *begin(struct trace *t)
{
	t->kept = block_next(t->reader, &t->h, &t->body, &t->n);
	if (!t->kept) {
		if (!block_reader_error(t->reader))
			msg("%s: no part of this trace is intact", t->name);
		else
			complain(t);
		trace_destroy(t);
		return NULL;
	}
	if (t->h.kind == BLOCK_META)
		t->kept = !meta_parse(&t->meta, t->body, t->n);
	return t;
}

static struct trace *trace_new(const char *name)
{
	struct trace *t = mem_zalloc(sizeof(*t));

	t->name = mem_strdup(name);
	t->fd = -1;
	return t;
}

struct trace *trace_open(const char *path)
{
	bool standard = !strcmp(path, "-");
	struct trace *t = trace_new(standard ? "standard input" : path);
	int fd = STDIN_FILENO;

	if (!standard) {
		fd = t->fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0) {
			msg_errno("%s", path);
			trace_destroy(t);
			return NULL;
		}
	}
	t->reader = block_reader_create(fd);
	return begin(t);
}

struct trace *trace_of_bytes(const char *name, const void *bytes, size_t n)
{
	struct trace *t = trace_new(name);

	t->reader = block_reader_of_bytes(bytes, n);
	return begin(t);
}

const struct trace_meta *trace_meta(const struct trace *t)
{
	return &t->meta;
}

const struct block_header *trace_first(const struct trace *t)
{
	return &t->h;
}

int64_t trace_began(const struct trace *t)
{
	return t->h.kind == BLOCK_META ? trace_time(t->h.first + (uint64_t)t->h.real) : 0;
}

uint64_t trace_size(const struct trace *t)
{
	return block_reader_size(t->reader);
}

uint64_t trace_position(const struct trace *t)
{
	return block_reader_offset(t->reader);
}

bool trace_next(struct trace *t, struct block_header *h, const uint8_t **body, size_t *n)
{
	bool found = t->kept;

	if (found) {
		*h = t->h;
		*body = t->body;
		*n = t->n;
		t->kept = false;
	} else {
		found = block_next(t->reader, h, body, n);
	}
	if (found) {
		t->whole |= h->kind == BLOCK_END;
		return true;
	}
	t->at_end = true;
	return false;
}

void trace_give_up(struct trace *t)
{
	t->gave_up = true;
}

bool trace_seek(struct trace *t, int64_t when, struct block_header *h, struct strbuf *body)
{
	const uint8_t *state;
	uint64_t next;
	size_t n;

	if (seek_find(t->reader, when, h, body, &next) && block_reader_seek(t->reader, next)) {
		t->kept = false;
		return true;
	}
	if (t->kept || block_reader_size(t->reader) || !seek_ahead(t->reader, when) ||
	    !block_next(t->reader, h, &state, &n))
		return false;
	body->len = 0;
	if (h->kind == BLOCK_STATE)
		strbuf_add(body, (const char *)state, n);
	return true;
}

void trace_choose(struct trace *t, const pid_t *ids, size_t n)
{
	trace_parts_deinit(&t->parts);
	t->parts = (struct trace_parts){0};
	trace_parts_read(&t->parts, t->reader, ids, n);
}

bool trace_skip(struct trace *t, bool first, struct block_header *h, struct strbuf *body)
{
	uint64_t here = first ? 0 : block_reader_offset(t->reader), next;
	const struct trace_part *part = trace_parts_next(&t->parts, here);

	if (!part || part->offset == here || !block_at(t->reader, part->offset, h, body) ||
	    h->kind != BLOCK_STATE || !block_header_at(t->reader, part->offset, h, &next) ||
	    !block_reader_seek(t->reader, next))
		return false;
	t->kept = false;
	return true;
}

int trace_close(struct trace *t)
{
	int err;

	if (!t)
		return 0;
	err = complain(t);
	trace_destroy(t);
	return err;
}
