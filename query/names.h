/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names that queries may use in addition to fields: constants, members, syscalls, classes. */
#ifndef TRACER_QUERY_NAMES_H
#define TRACER_QUERY_NAMES_H

#include "event/find.h"
#include "linux/syscall_desc.h"
#include "util/mem.h"
#include "util/suggestion.h"
#include "util/vec.h"

typedef VEC(const struct xlat *) xlats_t;

/*
 * Looks up a constant in n tables, or in all tables if n is 0. Returns false if no table has the
 * name. The name and the numbers in *c are in the arena.
 */
bool names_constant(struct arena *a, const char *name, const struct xlat *const *tables, size_t n,
		    struct constant *c);
/* Returns whether the tables give different numbers to a constant. */
bool names_constant_differs(const struct constant *c);
/* Passes the names in n tables, or in all tables if n is 0, to suggestion_consider(). */
void names_suggest_constant(struct suggestion *s, const struct xlat *const *tables, size_t n);

/* Returns whether any struct has a member with this name. */
bool names_is_member(const char *name);
void names_suggest_member(struct suggestion *s);

bool names_is_syscall(const char *name);
void names_suggest_syscall(struct suggestion *s);
/*
 * Returns the bits of a class, or 0 if there is no class with that name. A '%' at the start is
 * ignored.
 */
uint32_t names_class(const char *name);
void names_suggest_class(struct suggestion *s);
bool names_is_abi(const char *name);
void names_suggest_abi(struct suggestion *s);

#endif
