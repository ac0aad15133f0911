/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "stack/namer/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>

#include "stack/namer/wire.h"
#include "util/strbuf.h"

/*
 * The state of one demangling. If the result becomes too long, longjmp(too_long) ends the
 * demangling.
 */
struct demangling {
	struct strbuf text;
	jmp_buf too_long;
};

static void demangled(const char *s, size_t n, void *ctx)
{
	struct demangling *d = ctx;

	/*
	 * A mangled name of 300 characters can expand to gigabytes if each part of it refers twice
	 * to the part before, so limit the length.
	 */
	if (d->text.len + n > NAMER_NAME_MAX)
		longjmp(d->too_long, 1);
	strbuf_add(&d->text, s, n);
}

char *symbol_demangle(const char *name)
{
	const int options = DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO;
	struct demangling d = {0};

	if (!is_mangled(name))
		return NULL;
	if (!setjmp(d.too_long)) {
		bool done = rust_demangle_callback(name, options, demangled, &d);

		if (!done) {
			d.text.len = 0;
			done = cplus_demangle_v3_callback(name, options, demangled, &d);
		}
		if (done) {
			strbuf_putc(&d.text, 0);
			return d.text.data;
		}
	}
	strbuf_deinit(&d.text);
	return NULL;
}
