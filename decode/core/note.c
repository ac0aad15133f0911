/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/core/note.h"

#include "decode/core/decode.h"

void decode_note(struct decoder *d, struct value *note)
{
	d->ev->base.ret_comment = note;
}

static void see(void *any, const struct xlat_entry *e attr_unused)
{
	*(bool *)any = true;
}

void decode_note_flags(struct decoder *d, const struct xlat *x, uint64_t n)
{
	bool any = false;

	value_flags_split(x, n, see, &any);
	if (!any)
		return;
	decode_note(d, value_flags(d->arena, x, n));
	d->ev->base.ret_comment->text |= TEXT_ALWAYS | TEXT_COMMENT_READS;
}

void decode_note_named(struct decoder *d, struct value *note)
{
	note->text |= TEXT_ALWAYS | TEXT_COMMENT_READS;
	decode_note(d, note);
}
