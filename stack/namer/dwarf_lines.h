/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Source locations of addresses, from libdw. Only the namer may use it for tracees' files. */
#ifndef TRACER_STACK_NAMER_DWARF_LINES_H
#define TRACER_STACK_NAMER_DWARF_LINES_H

#include "defs.h"

struct namer_libraries;
struct strbuf;

struct dwarf_source;
/*
 * Opens the debugging information of a file. common is the file to which dwz(1) moved shared parts,
 * or -1. Takes ownership of both descriptors, on failure too. libs is borrowed until
 * dwarf_source_close(). Returns NULL if there is no debugging information, if it could harm libdw,
 * or if libdw is missing.
 */
struct dwarf_source *dwarf_source_open(const struct namer_libraries *libs, int fd, int common);
/* s may be NULL. */
void dwarf_source_close(struct dwarf_source *s);
/*
 * Appends the source locations of addr, an ELF address, as records of struct namer_wire_location.
 * out is at most NAMER_REPLY_MAX bytes long. Returns false if no unit contains addr.
 */
bool dwarf_source_find(struct dwarf_source *s, uint64_t addr, struct strbuf *out);

#endif
