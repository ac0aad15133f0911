/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names other than fields that queries can use: constants, members, syscalls and classes. */
#ifndef TRACER_QUERY_NAMES_H
#define TRACER_QUERY_NAMES_H

#include "event/find.h"
#include "linux/syscall_desc.h"
#include "util/mem.h"
#include "util/suggestion.h"
#include "util/vec.h"

typedef VEC(const struct xlat *) xlats_t;

/*
 * Looks up a constant in the n tables or, if n is 0, in all tables. Returns false if no table
 * contains the constant. The numbers in *c are allocated in the arena; c->name is `name` itself.
 */
bool names_constant(struct arena *a, const char *name, const struct xlat *const *tables, size_t n,
		    struct constant *c);
/* Returns true if the constant has different values in different tables. */
bool names_constant_differs(const struct constant *c);
/* Passes names to suggestion_consider(): the names in the n tables or, if n is 0, in all tables. */
void names_suggest_constant(struct suggestion *s, const struct xlat *const *tables, size_t n);

/* Returns true if any struct has a member called `name`. */
bool names_is_member(const char *name);
void names_suggest_member(struct suggestion *s);

bool names_is_syscall(const char *name);
void names_suggest_syscall(struct suggestion *s);
/* Returns the bits of a class, or 0 if the class does not exist. Ignores a leading '%'. */
uint32_t names_class(const char *name);
void names_suggest_class(struct suggestion *s);
bool names_is_abi(const char *name);
void names_suggest_abi(struct suggestion *s);

#endif
