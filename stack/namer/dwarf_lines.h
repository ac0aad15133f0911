/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the source locations of addresses with libdw. Tracees' files must be read only in the namer
 * process (namer.h), because they may be malicious.
 */
#ifndef TRACER_STACK_NAMER_DWARF_LINES_H
#define TRACER_STACK_NAMER_DWARF_LINES_H

#include "defs.h"

struct namer_libraries;
struct strbuf;

struct dwarf_source;
/*
 * Opens the debugging information in the file fd. `common` is the file to which dwz(1) moved shared
 * parts, or -1. Takes ownership of both descriptors, even on failure. Borrows libs until
 * dwarf_source_close(). Returns NULL if a file has no debugging information, if this information
 * could crash libdw, or if libdw is missing.
 */
struct dwarf_source *dwarf_source_open(const struct namer_libraries *libs, int fd, int common);
/* Frees s, which may be NULL. */
void dwarf_source_close(struct dwarf_source *s);
/*
 * Appends the source locations for addr, an ELF address, to out. Each is a struct
 * namer_wire_location with its strings. Stops before out would exceed NAMER_REPLY_MAX bytes.
 * Returns false if no unit contains addr.
 */
bool dwarf_source_find(struct dwarf_source *s, uint64_t addr, struct strbuf *out);

#endif
