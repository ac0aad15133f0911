/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layouts of CPython's structures, by version, and its line tables. The offsets are taken from the
 * headers of each version. From 3.13 on they are read from the runtime (_Py_DebugOffsets in
 * pycore_debug_offsets.h).
 */
#ifndef TRACER_STACK_LANG_PYTHON_H
#define TRACER_STACK_LANG_PYTHON_H

#include "defs.h"

struct lang_memory;

#define PYTHON_COOKIE "xdebugpy"
/* The number of bytes to read from each frame. All members of a frame must be within them. */
#define PYTHON_FRAME 112

/* Offsets and sizes in bytes. */
struct python_layout {
	unsigned version;	    /* major << 8 | minor */
	bool free_threaded;	    /* a build without the global interpreter lock */
	uint16_t head;		    /* _PyRuntimeState.interpreters.head */
	uint32_t next, threads;	    /* PyInterpreterState: next, threads.head */
	uint16_t thread_next;	    /* PyThreadState */
	uint16_t thread_id;	    /* PyThreadState: pthread_self() */
	uint16_t native_id;	    /* PyThreadState: the kernel's thread id; 3.11 and newer */
	uint16_t frame;		    /* PyThreadState: innermost frame; in 3.11 and 3.12 cframe */
	bool by_cframe;		    /* frame points to a struct _PyCFrame */
	uint16_t cframe_frame;	    /* _PyCFrame: current_frame */
	uint16_t back, code, instr; /* frame: caller, code object, current instruction */
	uint16_t owner, is_entry;   /* frame; 0 if the version has no such member */
	uint16_t tlbc_index;	    /* frame, in free-threaded builds; 0 if there is none */
	uint16_t filename, name;    /* PyCodeObject; name is the qualified name if there is one */
	uint16_t firstline, lines;  /* PyCodeObject */
	uint16_t instructions; /* PyCodeObject; 0 if a frame has an instruction offset instead of an
				  address */
	uint16_t tlbc; /* PyCodeObject: table of the copies for threads; 0 if there is none */
	uint16_t check, check_end; /* PyCodeObject: the range of members that never change */
	uint16_t header;	   /* size of PyObject */
	uint16_t unicode_ascii;	   /* size of PyASCIIObject */
	uint16_t unicode_compact;  /* size of PyCompactUnicodeObject */
};

/*
 * Returns the layout of a version without debug offsets, or NULL if there is none. version is as in
 * struct python_layout.
 */
const struct python_layout *python_layout_of(unsigned version);
/*
 * Reads the layout from the debug offsets of the runtime at addr. Returns NULL on success,
 * otherwise the reason why they cannot be used.
 */
const char *python_layout_read(struct lang_memory *m, uint64_t addr, struct python_layout *l);

/*
 * Returns the line of an instruction in a function that begins at line `first`. `at` is the frame's
 * lasti up to 3.10, and an offset in bytes in later versions. table may be NULL. Returns 0 if the
 * instruction has no line, or if the table is malformed.
 */
unsigned python_line(unsigned version, const uint8_t *table, size_t n, int first, uint64_t at);

#endif
