/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The records in the bodies of EVENTS blocks, as doc/trace-format.md describes them byte by byte.
 * A record is its type (one byte), the length of the rest, and the rest.
 */
#ifndef TRACER_TRACE_FORMAT_RECORDS_H
#define TRACER_TRACE_FORMAT_RECORDS_H

/* These numbers are in files: new ones go to the end. Readers skip types that they do not know. */
enum record_type {
	RECORD_THREAD = 1, /* the records that follow are of this thread */
	RECORD_BEGIN,	   /* a thread that is traced from the start */
	RECORD_STARTED,	   /* there are no more of those */
	RECORD_MEMORY,	   /* bytes that the next stop's memory has */
	RECORD_MISSING,	   /* memory that could not be read at the next stop */
	RECORD_FACT,	   /* the answer to a question, until there is another one */
	RECORD_FORGET,	   /* all answers, modules and stacks so far are void */
	RECORD_MODULE,	   /* a file, or another thing, that frames of stacks are in */
	RECORD_STACK,	   /* a stack */
	RECORD_AT,	   /* which stack the next stop has */
	/* Stops, of enum stop_kind. */
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
	RECORD_ENDED,	 /* tracing ended, of what is still traced by letting go of it */
	RECORD_NAME,	 /* in a block NAMES: what a frame is called */
	RECORD_TAMPERED, /* what was done to the call that the next stop ends */
	RECORD_IS,	 /* in a block STATE: a thread that there is, and its registers */
	RECORD_MAPS,	 /* which code is mapped where */
	RECORD_IMAGE,	 /* the bytes of a module that is in no file */
	RECORD_PERF_MAP, /* a part of the perf map of a process: what its JIT calls its code */
	RECORD_CODE,	 /* bytes of code that is in no file, as it is until the block ends */
	/* 30 was another coding of what RAW tells. */
	RECORD_RAW = 31, /* the registers and the stack that the next stop has */
	RECORD_DIRENTS	 /* as MEMORY: entries of a directory, which take less room so */
};

/* Bits in front of every stop. Those from STOP_OWN_BITS on depend on its type. */
enum stop_bits {
	STOP_HAS_CPU = 1 << 0, /* the CPU time of the thread has changed: it follows, in us */
	STOP_HAS_IP = 1 << 1,  /* the pc is another one than at the thread's stop before */
	STOP_HAS_SP = 1 << 2   /* and the stack pointer */
};
#define STOP_OWN_BITS 3

/* Of ENTER, and of NEW that interrupts a call. */
enum enter_bits {
	ENTER_HAS_AUDIT = 1 << 3, /* the audit value is another one than before */
	ENTER_UNKNOWN = 1 << 4,	  /* the registers could not be read */
	ENTER_HAS_ARG = 1 << 5	  /* and the five bits above: that argument is another one */
};
enum exit_bits {
	EXIT_IS_ERROR = 1 << 3,
	EXIT_UNKNOWN = 1 << 4 /* what the call has returned was lost */
};
enum signal_bits { SIGNAL_HAS_INFO = 1 << 3 };
enum new_bits { NEW_IN_SYSCALL = 1 << 11 };
enum fork_bits { FORK_FOLLOWED = 1 << 3, FORK_SHARES_MM = 1 << 4 };

/* Of a thread. */
enum thread_bits {
	THREAD_ATTACHED = 1 << 0,
	THREAD_STARTED = 1 << 1,
	THREAD_BEFORE_EXEC = 1 << 2,
	THREAD_IN_SYSCALL = 1 << 3
};

/* Of a frame. */
enum frame_bits { FRAME_IS_EXACT = 1 << 0, FRAME_HAS_NAME = 1 << 1, FRAME_HAS_PC = 1 << 2 };
#define FRAME_BY_SHIFT 3

/* Limits that writers keep and readers hold them to. */
#define TRACE_STOP_MAX	 (512u << 10) /* bytes of all records of one stop */
#define TRACE_FACTS_MAX	 32768	      /* answers between two FORGETs */
#define TRACE_STACKS_MAX 65536	      /* stacks and modules, likewise */
#define TRACE_FRAMES_MAX 4096	      /* frames of a stack */
#define TRACE_STATE_MAX	 8192	      /* threads in a block STATE */
#define TRACE_MAPS_MAX	 8192	      /* mappings of code in an address space */
#define TRACE_MAPPED_MAX 524288	      /* the same in all address spaces between two FORGETs */
#define TRACE_CODE_BYTES 512 /* bytes of a record CODE, and what its address is a multiple of */
#define TRACE_IMAGE_MAX	 (64u << 10) /* bytes of an image */
#define TRACE_NAMES_MAX	 1048576     /* names of frames, in all */
#define TRACE_NOTE_MAX	 64	     /* bytes of what is said of a call that was tampered with */
/* Bytes that a reader keeps in memory of what a trace says, until it stops reading. */
#define TRACE_KEPT_MAX	  ((size_t)256 << 20)
#define TRACE_TEXT_MAX	  4096 /* bytes of the name of a module or of a symbol */
#define TRACE_INLINED_MAX 64   /* calls inlined at one frame */

#endif
