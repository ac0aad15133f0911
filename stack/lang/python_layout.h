/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The layouts of CPython's structures in each version, and its line tables. The offsets up to 3.12
 * come from the headers of each version. Since 3.13, the offsets are read from the runtime itself
 * (_Py_DebugOffsets in pycore_debug_offsets.h).
 */
#ifndef TRACER_STACK_LANG_PYTHON_LAYOUT_H
#define TRACER_STACK_LANG_PYTHON_LAYOUT_H

#include "defs.h"

#define PYTHON_COOKIE  "xdebugpy"
#define PYTHON_OFFSETS 87 /* number of words of the debug offsets that are used */
/* All members of a frame that we use are in its first PYTHON_FRAME bytes. */
#define PYTHON_FRAME 112

/* Offsets and sizes of members, in bytes. */
struct python_layout {
	unsigned version;	/* major << 8 | minor */
	bool free_threaded;	/* true for a build without the global interpreter lock (GIL) */
	uint16_t head;		/* offset of interpreters.head in _PyRuntimeState */
	uint32_t next, threads; /* offsets of next and threads.head in PyInterpreterState */
	uint16_t thread_next;	/* offset of next in PyThreadState */
	uint16_t thread_id;	/* offset in PyThreadState of the result of pthread_self() */
	uint16_t native_id;	/* offset in PyThreadState of the kernel's thread id; since 3.11 */
	uint16_t frame; /* offset in PyThreadState of the innermost frame, or of cframe in 3.11
			   and 3.12 */
	bool by_cframe; /* PyThreadState.cframe points to a struct _PyCFrame, which points to the
			   innermost frame */
	uint16_t cframe_frame; /* offset of current_frame in _PyCFrame */
	uint16_t back, code,
		instr;		  /* offsets in a frame: caller, code object, current instruction */
	uint16_t owner, is_entry; /* offsets in a frame; 0 if the version lacks the member */
	uint16_t tlbc_index; /* offset in a frame, in free-threaded builds; 0 if the version lacks
				the member */
	/*
	 * offsets in PyCodeObject; name is the qualified name, or the plain name if the version has
	 * no qualified names
	 */
	uint16_t filename, name;
	uint16_t firstline, lines; /* offsets in PyCodeObject: first line, line table */
	/*
	 * offset in PyCodeObject of the instructions; 0 if frames store the offset of an
	 * instruction instead of its address
	 */
	uint16_t instructions;
	uint16_t tlbc; /* offset in PyCodeObject of a table with code copies per thread, or 0 */
	uint16_t check, check_end; /* offset range of the PyCodeObject members that never change */
	uint16_t header;	   /* size of PyObject */
	uint16_t unicode_ascii;	   /* size of PyASCIIObject */
	uint16_t unicode_compact;  /* size of PyCompactUnicodeObject */
	/* The following members are only set for versions whose asyncio tasks can be read. */
	bool has_tasks;
	uint16_t frame_size;			/* size of a frame without its local variables */
	uint16_t stack_pointer;			/* offset in a frame */
	uint16_t gen_frame, gen_state;		/* offsets in PyGenObject: frame, state */
	uint16_t set_used, set_mask, set_table; /* offsets in PySetObject */
	uint16_t type_flags;			/* offset of tp_flags in PyTypeObject */
	uint16_t long_tag, long_digits;		/* offsets in PyLongObject */
};

/*
 * Returns the layout of a version that has no debug offsets, or NULL for other versions. `version`
 * is encoded as in struct python_layout.
 */
const struct python_layout *python_layout_of(unsigned version);
/*
 * Sets the layout from the debug offsets, which are the first words of _PyRuntime. Returns NULL on
 * success, or the reason why the debug offsets cannot be used.
 */
const char *python_layout_read(const uint64_t offsets[PYTHON_OFFSETS], struct python_layout *l);

/*
 * Returns the line of an instruction in a function that starts at the line `first`. `at` is the
 * frame's lasti until 3.10, and a byte offset in later versions. table may be NULL. Returns 0 if
 * the instruction has no line or if the table is malformed.
 */
unsigned python_line(unsigned version, const uint8_t *table, size_t n, int first, uint64_t at);

#endif
