/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Until unwind.c and mmap_cache.c are in the tree: -k has no stacks. Deleted with their landing. */
#include "mmap_cache.h"
#include "unwind.h"
#include "util/msg.h"

uint64_t mmap_cache_generation;
void mmap_cache_attach(struct tcb *t attr_unused) {}
void mmap_cache_fork(struct tcb *p attr_unused, struct tcb *c attr_unused, bool s attr_unused) {}
void mmap_cache_exec(struct tcb *t attr_unused) {}
void mmap_cache_release(struct tcb *t attr_unused) {}
void mmap_cache_enter(struct tcb *t attr_unused, enum mm_change c attr_unused, const uint64_t *a attr_unused) {}
void mmap_cache_exit(struct tcb *t attr_unused, enum mm_change c attr_unused, const uint64_t *a attr_unused, int64_t r attr_unused, bool f attr_unused) {}
struct unwinder *unwinder_create(const struct unwind_config *c attr_unused) { die("-k is not there yet"); }
void unwinder_destroy(struct unwinder *u attr_unused) {}
struct stack *unwind_capture(struct unwinder *u attr_unused, struct tcb *t attr_unused) { return NULL; }
void stack_release(struct stack *s attr_unused) {}
enum stack_status stack_status(const struct stack *s attr_unused, uint64_t *a attr_unused) { return STACK_UNSUPPORTED; }
const char *stack_status_text(enum stack_status s attr_unused) { return ""; }
const char *stack_status_key(enum stack_status s attr_unused) { return ""; }
const struct frame *stack_frames(struct unwinder *u attr_unused, struct stack *s attr_unused, size_t *n) { *n = 0; return NULL; }
void stack_text(struct unwinder *u attr_unused, struct stack *s attr_unused, struct strbuf *o attr_unused) {}
void unwind_forget(struct unwinder *u attr_unused, struct tcb *t attr_unused) {}
#include "sinks/summary.h"
struct sink *summary_sink_create(const struct summary_config *c attr_unused) { die("-c is not there yet"); }
