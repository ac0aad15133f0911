/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SELinux contexts of files and threads, from libselinux (selinux(8)). The library is loaded at its
 * first use.
 */
#ifndef TRACER_CAPTURE_PROC_SELINUX_H
#define TRACER_CAPTURE_PROC_SELINUX_H

#include <sys/types.h>

#include "capture/facts.h"

struct selinux;

enum selinux_state {
	SELINUX_LEFT_OUT, /* tracer was built without libselinux */
	SELINUX_MISSING,  /* libselinux is not installed */
	SELINUX_DISABLED, /* the kernel does not use SELinux */
	SELINUX_ENABLED
};

/* Loads the library. Returns SELINUX_ENABLED, or the reason why contexts cannot be shown. */
enum selinux_state selinux_state(void);

/*
 * Creates an object for the functions below. Never returns NULL. Without SELinux, the functions
 * below return -EOPNOTSUPP.
 */
struct selinux *selinux_create(void);
void selinux_destroy(struct selinux *s); /* s may be NULL */

/* The functions below put a context into a->bytes. They return 0 or -errno. */

/* Gets the context of a file. Follows symbolic links. */
int selinux_of_file(struct selinux *s, const char *path, struct fact_answer *a);
/*
 * Gets the context that the system's database contains for a file with this absolute path and
 * st_mode.
 */
int selinux_expected(struct selinux *s, const char *path, mode_t mode, struct fact_answer *a);
/* Gets the context of the thread with the id `pid` in /proc. */
int selinux_of_thread(struct selinux *s, pid_t pid, struct fact_answer *a);

#endif
