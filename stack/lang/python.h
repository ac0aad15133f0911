/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPython's line tables, and the layouts of its structures by version. The offsets come from the
 * headers of each version. Since 3.13, they are read from the runtime (_Py_DebugOffsets in
 * pycore_debug_offsets.h).
 */
#ifndef TRACER_STACK_LANG_PYTHON_H
#define TRACER_STACK_LANG_PYTHON_H

#include "defs.h"

struct lang_memory;

#define PYTHON_COOKIE "xdebugpy"
/*
 * The number of bytes to read from each frame. All used members of a frame are within this range.
 */
#define PYTHON_FRAME 112

/* Member offsets and sizes, in bytes. */
struct python_layout {
	unsigned version;	/* major << 8 | minor */
	bool free_threaded;	/* a build without the global interpreter lock */
	uint16_t head;		/* _PyRuntimeState.interpreters.head */
	uint32_t next, threads; /* offsets of next and threads.head in PyInterpreterState */
	uint16_t thread_next;	/* PyThreadState */
	uint16_t thread_id;	/* PyThreadState: pthread_self() */
	uint16_t native_id;	/* PyThreadState: the kernel's thread id; since 3.11 */
	uint16_t frame;		/* PyThreadState: innermost frame, or cframe in 3.11 and 3.12 */
	bool by_cframe; /* PyThreadState.cframe points to a struct _PyCFrame, which points to the
			   frame */
	uint16_t cframe_frame; /* _PyCFrame: current_frame */
	uint16_t back, code,
		instr;		  /* offsets in a frame: caller, code object, current instruction */
	uint16_t owner, is_entry; /* offsets in a frame, or 0 if the version has no such member */
	uint16_t tlbc_index; /* offset in a frame in free-threaded builds, or 0 if the version has
				no such member */
	uint16_t filename, name;   /* offsets in PyCodeObject; name is the offset of the qualified
				      name if there is one */
	uint16_t firstline, lines; /* PyCodeObject */
	uint16_t instructions;	   /* offset in PyCodeObject, or 0 if frames contain an instruction
				      offset instead of an address */
	uint16_t tlbc; /* offset in PyCodeObject of the table of per-thread copies, or 0 */
	uint16_t check, check_end; /* the range of members of PyCodeObject that never change */
	uint16_t header;	   /* size of PyObject */
	uint16_t unicode_ascii;	   /* size of PyASCIIObject */
	uint16_t unicode_compact;  /* size of PyCompactUnicodeObject */
};

/*
 * Returns the layout of a version without debug offsets, or NULL for other versions. See struct
 * python_layout for the format of version.
 */
const struct python_layout *python_layout_of(unsigned version);
/*
 * Reads the layout from the debug offsets of the runtime at addr. Returns NULL on success,
 * otherwise the reason why they cannot be used.
 */
const char *python_layout_read(struct lang_memory *m, uint64_t addr, struct python_layout *l);

/*
 * Returns the line of an instruction in a function that starts at line `first`. `at` is the frame's
 * lasti until 3.10, and a byte offset in later versions. table may be NULL. Returns 0 if the
 * instruction has no line, or if the table is malformed.
 */
unsigned python_line(unsigned version, const uint8_t *table, size_t n, int first, uint64_t at);

#endif
