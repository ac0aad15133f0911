/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The records in the bodies of EVENTS blocks. doc/trace-format.md specifies every byte. A record
 * consists of its type (one byte), the length of its content, and the content.
 */
#ifndef TRACER_TRACE_FORMAT_RECORDS_H
#define TRACER_TRACE_FORMAT_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Types of records. Files contain these numbers, so new types must be appended. Readers skip
 * unknown types.
 */
enum record_type {
	RECORD_THREAD = 1, /* identifies the thread to which the following records belong */
	RECORD_BEGIN,	   /* a thread that was traced from the start of the recording */
	RECORD_STARTED,	   /* end of the list of BEGIN records */
	RECORD_MEMORY,	   /* memory that was read at the next stop */
	RECORD_MISSING,	   /* memory that could not be read at the next stop */
	RECORD_FACT,	   /* a fact (capture/facts.h), valid until another record replaces it */
	RECORD_FORGET,	   /* all earlier facts, modules and stacks become invalid */
	RECORD_MODULE,	   /* a file or another object that contains the code of stack frames */
	RECORD_STACK,	   /* a stack */
	RECORD_AT,	   /* selects the stack of the next stop */
	/* Stops, see enum stop_kind. */
	RECORD_ENTER,
	RECORD_EXIT,
	RECORD_SIGNAL,
	RECORD_GROUP,
	RECORD_NEW,
	RECORD_FORK,
	RECORD_EXEC,
	RECORD_EXITING,
	RECORD_EXITED,
	RECORD_VANISHED,
	RECORD_LOST,
	RECORD_ENDED, /* tracing ended, and the remaining threads were detached */
	RECORD_NAME,  /* in a NAMES block: the name of a frame */
	/* describes how tracer changed the call that ends at the next stop (-e inject=) */
	RECORD_TAMPERED,
	RECORD_IS,	 /* in a STATE block: a thread that exists, and its registers */
	RECORD_MAPS,	 /* a table of executable mappings */
	RECORD_IMAGE,	 /* the contents of a module without a file */
	RECORD_PERF_MAP, /* a part of a process's perf map, in which a JIT compiler names its
			    code */
	RECORD_CODE,	 /* code that is not in a file; valid until the block ends */
	/* Type 30 was an earlier encoding of RECORD_RAW. */
	RECORD_RAW = 31, /* the registers and the stack of the next stop */
	RECORD_DIRENTS,	 /* like RECORD_MEMORY, in a smaller encoding for directory entries */
	/* Stops for requests of io_urings, if the engine reports requests. */
	RECORD_SUBMITTED,
	RECORD_PUNTED,
	RECORD_COMPLETED,
	RECORD_EVENT /* a STOP_EVENT, such as a context switch or a page fault */
};

/* Returns true if records of this type are stops. */
static inline bool record_is_stop(uint64_t type)
{
	return (type >= RECORD_ENTER && type <= RECORD_LOST) ||
	       (type >= RECORD_SUBMITTED && type <= RECORD_EVENT);
}

/*
 * Bits that follow the time in the record of a stop. LOST and EVENT records do not have them. The
 * meaning of bit 3 and the bits above it depends on the type of the record.
 */
enum stop_bits {
	/* The thread's CPU time has changed. The record contains the difference in microseconds. */
	STOP_HAS_CPU = 1 << 0,
	STOP_HAS_IP = 1 << 1, /* the pc differs from the pc at the thread's previous stop */
	STOP_HAS_SP = 1 << 2  /* the stack pointer differs from its value at the thread's previous
				 stop */
};

/*
 * Bits of ENTER records, and of NEW records for threads that were in a call when they were
 * attached.
 */
enum enter_bits {
	ENTER_HAS_AUDIT = 1 << 3, /* the audit value differs from that of the previous call */
	ENTER_UNKNOWN = 1 << 4,	  /* the registers could not be read */
	/*
	 * This bit and the next five belong to arguments 0 to 5. A bit is set if its argument
	 * differs from the same argument of the previous call.
	 */
	ENTER_HAS_ARG = 1 << 5
};
enum exit_bits {
	EXIT_IS_ERROR = 1 << 3,
	EXIT_UNKNOWN = 1 << 4 /* the result of the call was lost */
};
enum signal_bits { SIGNAL_HAS_INFO = 1 << 3 };
enum new_bits { NEW_IN_SYSCALL = 1 << 11 };
enum fork_bits { FORK_FOLLOWED = 1 << 3, FORK_SHARES_MM = 1 << 4 };

/* Bits that describe a thread. */
enum thread_bits {
	THREAD_ATTACHED = 1 << 0,
	THREAD_STARTED = 1 << 1,
	THREAD_BEFORE_EXEC = 1 << 2,
	THREAD_IN_SYSCALL = 1 << 3
};

/* Bits that describe a frame. */
enum frame_bits { FRAME_IS_EXACT = 1 << 0, FRAME_HAS_NAME = 1 << 1, FRAME_HAS_PC = 1 << 2 };
#define FRAME_BY_SHIFT 3

/* Limits that writers must observe and readers enforce. Sizes are in bytes. */
#define TRACE_STOP_MAX	 (512u << 10) /* size of all records of one stop */
#define TRACE_FACTS_MAX	 32768	      /* number of FACT records between two FORGET records */
#define TRACE_STACKS_MAX 65536	      /* number of stacks or modules between two FORGETs */
#define TRACE_FRAMES_MAX 4096	      /* number of frames in one stack */
#define TRACE_STATE_MAX	 8192	      /* number of threads in a STATE block */
#define TRACE_MAPS_MAX	 8192	      /* number of code mappings in an address space */
/* Number of code mappings in all address spaces between two FORGET records. */
#define TRACE_MAPPED_MAX 524288
/* Size of the code in a CODE record, and alignment of its address. */
#define TRACE_CODE_BYTES 512
#define TRACE_IMAGE_MAX	 (64u << 10) /* size of the contents of an IMAGE record */
#define TRACE_NAMES_MAX	 1048576     /* number of frame names in the trace */
#define TRACE_SQE_SIZE	 64	     /* size of the recorded part of a struct io_uring_sqe */
#define TRACE_NOTE_MAX	 64	     /* size of the description in RECORD_TAMPERED */
/*
 * Maximum size of the data that a reader keeps from a trace. If a trace needs more, the reader
 * stops.
 */
#define TRACE_KEPT_MAX	  ((size_t)256 << 20)
#define TRACE_TEXT_MAX	  4096 /* length of the name of a module or a symbol */
#define TRACE_INLINED_MAX 64   /* number of inlined calls per frame */

#endif
