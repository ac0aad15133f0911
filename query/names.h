/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The names that queries may use besides those of fields: constants, members, syscalls, classes. */
#ifndef TRACER_QUERY_NAMES_H
#define TRACER_QUERY_NAMES_H

#include "event/find.h"
#include "linux/syscall_desc.h"
#include "util/mem.h"
#include "util/suggestion.h"
#include "util/vec.h"

typedef VEC(const struct xlat *) xlats_t;

/*
 * Looks up a constant in the n tables, or in all tables if n is 0. Returns false if none has the
 * name. What c points to is in the arena.
 */
bool names_constant(struct arena *a, const char *name, const struct xlat *const *tables, size_t n,
		    struct constant *c);
/* Whether the tables disagree about the number of a constant. */
bool names_constant_differs(const struct constant *c);
/* Considers the names in the tables, or in all of them if n is 0. */
void names_suggest_constant(struct suggestion *s, const struct xlat *const *tables, size_t n);

/* Whether a struct of any kind has a member of this name. */
bool names_is_member(const char *name);
void names_suggest_member(struct suggestion *s);

bool names_is_syscall(const char *name);
void names_suggest_syscall(struct suggestion *s);
/* The bits of a class; 0 if there is none of that name. A '%' in front is left out. */
uint32_t names_class(const char *name);
void names_suggest_class(struct suggestion *s);
bool names_is_abi(const char *name);
void names_suggest_abi(struct suggestion *s);

#endif
