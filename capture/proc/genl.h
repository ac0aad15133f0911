/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The families of generic netlink: the kernel gives them their numbers at run time. */
#ifndef TRACER_CAPTURE_GENL_H
#define TRACER_CAPTURE_GENL_H

#include "defs.h"

struct genl;

/* Asks the kernel for all families; they are taken to stay as they are. */
struct genl *genl_create(void);
void genl_destroy(struct genl *g);

/* The kernel told nothing. */
bool genl_is_empty(const struct genl *g);
/* The name of the family with that number, or NULL. Valid as long as g. */
const char *genl_name(const struct genl *g, uint64_t id);

#endif
