/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Places in the source for addresses, by libdw. Only the namer may call it on tracees' files. */
#ifndef TRACER_STACK_NAMER_DWARF_LINES_H
#define TRACER_STACK_NAMER_DWARF_LINES_H

#include "defs.h"

struct namer_libraries;
struct strbuf;

struct dwarf_source;
/*
 * Opens the debugging information of a file, and of the one that dwz(1) moved parts of it to, or
 * -1. Closes the descriptors in any case, now or by dwarf_source_close(). libs are borrowed until
 * then. NULL if there is none, or none that can be read without harm, or no libdw.
 */
struct dwarf_source *dwarf_source_open(const struct namer_libraries *libs, int fd, int common);
/* NULL is fine. */
void dwarf_source_close(struct dwarf_source *s);
/*
 * Appends the places of addr, an ELF address, as struct namer_wire_place has them: at most
 * NAMER_ANSWER_MAX bytes. Returns false if it is in no unit.
 */
bool dwarf_source_find(struct dwarf_source *s, uint64_t addr, struct strbuf *out);

#endif
