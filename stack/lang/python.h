/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPython: where its structures have what, by version, and its tables of lines. The offsets are
 * those of the headers of each version; from 3.13 on the runtime tells them (_Py_DebugOffsets in
 * pycore_debug_offsets.h).
 */
#ifndef TRACER_STACK_LANG_PYTHON_H
#define TRACER_STACK_LANG_PYTHON_H

#include "defs.h"

struct lang_memory;

#define PYTHON_COOKIE "xdebugpy"
#define PYTHON_FRAME  112 /* bytes of a frame that are read: offsets in it are less */

/* Offsets in bytes. */
struct python_layout {
	unsigned version;	    /* major << 8 | minor */
	bool free_threaded;	    /* a build without the global lock */
	uint16_t head;		    /* _PyRuntimeState.interpreters.head */
	uint32_t next, threads;	    /* PyInterpreterState: next, threads.head */
	uint16_t thread_next;	    /* PyThreadState */
	uint16_t thread_id;	    /* pthread_self() */
	uint16_t native_id;	    /* the kernel's id, 3.11 and newer */
	uint16_t frame;		    /* the innermost frame, or cframe of 3.11 and 3.12 */
	bool by_cframe;		    /* that is a struct _PyCFrame */
	uint16_t cframe_frame;	    /* its current_frame */
	uint16_t back, code, instr; /* a frame: its caller, its code, where it is */
	uint16_t owner, is_entry;   /* of a frame; 0: it has none */
	uint16_t tlbc_index;	    /* of a frame, in free-threaded builds; 0: none */
	uint16_t filename, name;    /* PyCodeObject; the qualified name where there is one */
	uint16_t firstline, lines;  /* of it */
	uint16_t instructions;	    /* of it; 0: frames count bytes or units from their start */
	uint16_t tlbc;		    /* of it: the table of copies that threads have; 0: none */
	uint16_t check, check_end;  /* of it: what does not change while it exists */
	uint16_t header;	    /* bytes of PyObject */
	uint16_t unicode_ascii;	    /* bytes of PyASCIIObject */
	uint16_t unicode_compact;   /* bytes of PyCompactUnicodeObject */
};

/*
 * The layout of a version without debug offsets. Returns NULL if there is none; versions are those
 * of struct python_layout.
 */
const struct python_layout *python_layout_of(unsigned version);
/*
 * The layout that the runtime at addr tells. Returns NULL, or why it cannot be used.
 */
const char *python_layout_read(struct lang_memory *m, uint64_t addr, struct python_layout *l);

/*
 * The line of the instruction at a place in a function that begins at line first: lasti of the
 * frame up to 3.10, else a distance in bytes. table is NULL if it could not be read. 0: the
 * instruction has no line, or the table is malformed.
 */
unsigned python_line(unsigned version, const uint8_t *table, size_t n, int first, uint64_t at);

#endif
