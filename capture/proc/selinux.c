/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "config.h"

#include "capture/proc/selinux.h"

#include <stdlib.h>
#include <string.h>

#include "util/library.h"
#include "util/mem.h"

#ifdef LIBSELINUX_SONAME

#include <selinux/label.h>
#include <selinux/selinux.h>

/* The functions whose names end in _raw do not use mcstransd(8) to translate levels. */
#define SELINUX_FUNCTIONS(X)                                                                       \
	X(freecon)                                                                                 \
	X(getfilecon_raw)                                                                          \
	X(getpidcon_raw)                                                                           \
	X(is_selinux_enabled)                                                                      \
	X(selabel_close)                                                                           \
	X(selabel_lookup_raw)                                                                      \
	X(selabel_open)                                                                            \
	X(selinux_set_callback)

LIBRARY_NOTE(libselinux, "selinux", "Show SELinux contexts", LIBSELINUX_SONAME);

struct selinux {
	struct libselinux {
		SELINUX_FUNCTIONS(LIBRARY_POINTER)
	} lib;
	bool enabled;
	struct selabel_handle *database; /* NULL if not opened yet, or if opening it failed */
	bool has_opened;
};

/* Discards a message that the library would write to standard error. */
static int attr_printf(2, 3) discard(int type attr_unused, const char *format attr_unused, ...)
{
	return 0;
}

static enum selinux_state load(struct libselinux *lib)
{
	static const char *const names[] = {SELINUX_FUNCTIONS(LIBRARY_NAME)};

	if (!library_load(LIBSELINUX_SONAME, names, ARRAY_SIZE(names), lib))
		return SELINUX_MISSING;
	lib->selinux_set_callback(SELINUX_CB_LOG, (union selinux_callback){.func_log = discard});
	return lib->is_selinux_enabled() == 1 ? SELINUX_ENABLED : SELINUX_DISABLED;
}

enum selinux_state selinux_state(void)
{
	struct libselinux lib;

	return load(&lib);
}

struct selinux *selinux_create(void)
{
	struct selinux *s = mem_zalloc(sizeof(*s));

	s->enabled = load(&s->lib) == SELINUX_ENABLED;
	return s;
}

void selinux_destroy(struct selinux *s)
{
	if (s && s->database)
		s->lib.selabel_close(s->database);
	free(s);
}

/*
 * Copies `context`, which the library has allocated, to a->bytes, and frees it. `result` is the
 * library's return value: it is negative on failure, and errno is then set. Returns 0 or -errno.
 */
static int set_bytes(const struct selinux *s, int result, char *context, struct fact_answer *a)
{
	if (result < 0)
		return -errno;
	if (!context)
		return -ENODATA;
	/* The kernel may append a newline. */
	fact_set_bytes(a, context, strcspn(context, "\n"));
	s->lib.freecon(context);
	return 0;
}

int selinux_of_file(struct selinux *s, const char *path, struct fact_answer *a)
{
	char *context = NULL;
	int result;

	if (!s->enabled)
		return -EOPNOTSUPP;
	result = s->lib.getfilecon_raw(path, &context);
	return set_bytes(s, result, context, a);
}

int selinux_expected(struct selinux *s, const char *path, mode_t mode, struct fact_answer *a)
{
	char *context = NULL;
	int result;

	if (!s->enabled)
		return -EOPNOTSUPP;
	if (*path != '/')
		return -ENOENT;
	if (!s->has_opened)
		s->database = s->lib.selabel_open(SELABEL_CTX_FILE, NULL, 0);
	s->has_opened = true;
	if (!s->database)
		return -ENOENT;
	result = s->lib.selabel_lookup_raw(s->database, &context, path, (int)mode);
	return set_bytes(s, result, context, a);
}

int selinux_of_thread(struct selinux *s, pid_t pid, struct fact_answer *a)
{
	char *context = NULL;
	int result;

	if (!s->enabled)
		return -EOPNOTSUPP;
	result = s->lib.getpidcon_raw(pid, &context);
	return set_bytes(s, result, context, a);
}

#else

struct selinux {
	char unused;
};

enum selinux_state selinux_state(void)
{
	return SELINUX_LEFT_OUT;
}

struct selinux *selinux_create(void)
{
	return mem_zalloc(sizeof(struct selinux));
}

void selinux_destroy(struct selinux *s)
{
	free(s);
}

int selinux_of_file(struct selinux *s attr_unused, const char *path attr_unused,
		    struct fact_answer *a attr_unused)
{
	return -EOPNOTSUPP;
}

int selinux_expected(struct selinux *s attr_unused, const char *path attr_unused,
		     mode_t mode attr_unused, struct fact_answer *a attr_unused)
{
	return -EOPNOTSUPP;
}

int selinux_of_thread(struct selinux *s attr_unused, pid_t pid attr_unused,
		      struct fact_answer *a attr_unused)
{
	return -EOPNOTSUPP;
}

#endif
