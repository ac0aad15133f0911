/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/cwd.h"

#include <errno.h>
#include <fcntl.h>

#include "capture/facts.h"
#include "decode/core/decode.h"

struct value *decode_at_fdcwd(struct decoder *d)
{
	struct value *v = value_new(d->arena, VALUE_FD, (uint64_t)-100), *known = v;
	struct fact_answer path;
	ssize_t n;

	v->width = 4;
	v->flags = VALUE_F_ATFD;
	if (!((d->config->fd_details | d->config->query_details) & FD_PATH))
		return v;
	if (!(d->config->fd_details & FD_PATH))
		v->known = known = value_new(d->arena, VALUE_FD, v->num);
	n = fact_fd_path(d->facts, d->tid, AT_FDCWD, &path);
	if (n > 0) {
		known->str = arena_strndup(d->arena, path.bytes, n);
		known->len = n;
		if (path.late)
			known->err = -ESTALE;
	}
	return v;
}
