/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "query/frames.h"

#include "unwind.h"
#include "util/strbuf.h"

bool frames_match(const regex_t *regex, struct unwinder *unwinder, struct stack *stack)
{
	attr_cleanup(strbuf_deinit) struct strbuf text = {0};
	const struct frame *frames;
	size_t count;

	if (!stack)
		return false;
	frames = stack_frames(unwinder, stack, &count);
	for (size_t i = 0; i < count; i++) {
		text.len = 0;
		strbuf_printf(&text, "%s(%s", frames[i].module ? frames[i].module : "",
			      frames[i].symbol ? frames[i].symbol : "");
		if (!regexec(regex, strbuf_str(&text), 0, NULL, 0))
			return true;
	}
	return false;
}
