/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tree of a parsed query, for the files of query/ alone. All of it is in the query's arena. */
#ifndef TRACER_QUERY_NODE_H
#define TRACER_QUERY_NODE_H

#include <regex.h>

#include "event/find.h"
#include "query/error.h"
#include "query/needs.h"
#include "util/vec.h"

/* A part of the text. */
struct place {
	size_t start, len;
};

enum node_kind {
	NODE_OR,
	NODE_AND,
	NODE_NOT,
	NODE_IS,       /* the field alone: the event has it, and it is not 0 or empty */
	NODE_EQUAL,    /* == one of the literals; `in` has several */
	NODE_DIFFERS,  /* != */
	NODE_LESS,     /* < */
	NODE_AT_MOST,  /* <= */
	NODE_MORE,     /* > */
	NODE_AT_LEAST, /* >= */
	NODE_MATCHES,  /* =~ */
	NODE_MISSES,   /* !~ */
	NODE_HAS
};

enum literal_kind {
	LITERAL_NUMBER,
	LITERAL_DURATION, /* in nanoseconds */
	LITERAL_SIZE,	  /* in bytes */
	LITERAL_STRING,
	LITERAL_NAMES /* names joined by |: O_RDWR|O_CREAT, or one word: openat */
};

struct literal {
	enum literal_kind kind;
	struct place place;
	value_number number; /* of NUMBER, DURATION, SIZE; of NAMES the numbers joined by | */
	const char *text;    /* of STRING, terminated; of NAMES the first one */
	size_t len;
	const char **names; /* of NAMES */
	size_t nnames;
	struct constant *constants; /* the same, looked up, if the field is compared as a number */
	const regex_t *regex;	    /* of a pattern of paths, or of =~; or NULL */
};

/* A step from a value to a part of it. */
struct step {
	const char *name; /* NULL: an element */
	uint64_t index;
	struct place place;
};

enum field_kind {
	FIELD_ARGUMENT, /* and what its steps lead to */
	FIELD_KIND,
	FIELD_NAME,
	FIELD_CLASS,
	FIELD_PID,
	FIELD_TID,
	FIELD_COMM,
	FIELD_ABI,
	FIELD_NR,
	FIELD_IP,
	FIELD_RET,
	FIELD_ERROR,
	FIELD_DURATION,
	FIELD_TIME,
	FIELD_STACK,
	FIELD_PATH,
	FIELD_BYTES,
	FIELD_FD,
	FIELD_FD_PATH,
	FIELD_FD_KIND,
	FIELD_FD_ADDR,
	FIELD_FD_PORT,
	FIELD_PEER,
	FIELD_PEER_ADDR,
	FIELD_PEER_PORT,
	FIELD_SIGNAL
};

struct field_ref {
	enum field_kind kind;
	struct place place;
	const char *argument; /* of ARGUMENT: its name */
	struct step *steps;
	size_t nsteps;
	const uint8_t *rows; /* of ARGUMENT: a bit for each row of syscall_descs that has it */
};

struct node {
	enum node_kind kind;
	struct place place; /* of the operator */
	struct node *a, *b;
	struct field_ref field;
	struct literal *literals;
	size_t nliterals;
};

typedef VEC(regex_t *) regexes_t;

struct query {
	struct arena arena;
	char *text;
	struct node *root;
	regexes_t regexes; /* of the literals */
	unsigned needs;
	/* While it is made. */
	struct query_error *error;
};

/* Notes what is wrong and where, unless something was noted before. Always returns false. */
bool query_fail(struct query *q, struct place place, const char *fmt, ...) attr_printf(3, 4);
/* The same, and what was probably meant; meant may be NULL, and is copied. */
bool query_fail_meant(struct query *q, struct place place, const char *meant, const char *fmt, ...)
	attr_printf(4, 5);

#endif
