/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names of generic netlink families. The kernel assigns the ids of the families at run time;
 * see linux/genetlink.h.
 */
#ifndef TRACER_CAPTURE_PROC_GENL_H
#define TRACER_CAPTURE_PROC_GENL_H

#include "defs.h"

struct genl;

/*
 * Gets all families from the kernel. Families that are added later are not found. Never returns
 * NULL.
 */
struct genl *genl_create(void);
void genl_destroy(struct genl *g);

/* Returns true if the list of families is empty because the kernel did not answer. */
bool genl_is_empty(const struct genl *g);
/* Returns the name of the family with this id, or NULL if there is none. The name is owned by g. */
const char *genl_name(const struct genl *g, uint64_t id);

#endif
