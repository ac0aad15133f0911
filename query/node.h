/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tree of a parsed query. Only the files of query/ use it. Everything in it is in the query's
 * arena.
 */
#ifndef TRACER_QUERY_NODE_H
#define TRACER_QUERY_NODE_H

#include <regex.h>

#include "event/find.h"
#include "query/error.h"
#include "query/needs.h"
#include "util/vec.h"

/* A part of the query's text, in bytes. */
struct place {
	size_t start, len;
};

enum node_kind {
	NODE_OR,
	NODE_AND,
	NODE_NOT,
	NODE_IS,       /* only a field: true if the event has the field and it is not 0 or empty */
	NODE_EQUAL,    /* == or `in`: equal to one of the literals */
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
	LITERAL_NAMES /* names joined by |, such as O_RDWR|O_CREAT, or one word such as openat */
};

struct literal {
	enum literal_kind kind;
	struct place place;
	/* For NUMBER, DURATION and SIZE; for NAMES, their numbers combined by OR. */
	value_number number;
	const char *text; /* STRING: the text, ends with a NUL; NAMES: the first name */
	size_t len;
	const char **names; /* for NAMES */
	size_t nnames;
	/* The names looked up as constants, if the field is a number; or NULL. */
	struct constant *constants;
	const regex_t *regex; /* compiled from the path pattern or the operand of =~; or NULL */
};

/* A step from a value to one of its members or elements. */
struct step {
	const char *name; /* name of the member, or NULL for an element */
	uint64_t index;
	struct place place;
};

enum field_kind {
	FIELD_ARGUMENT, /* an argument, or a part of it that `steps` selects */
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
	const char *argument; /* ARGUMENT: its name */
	struct step *steps;
	size_t nsteps;
	const uint8_t *rows; /* ARGUMENT: a bitmap of the rows of syscall_descs that have it */
};

struct node {
	enum node_kind kind;
	struct place place; /* place of the operator */
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
	regexes_t regexes; /* compiled for the literals */
	unsigned needs;
	/* set only while the query is parsed and checked */
	struct query_error *error;
};

/* Stores an error message and its place in q->error, unless there is one already. Returns false. */
bool query_fail(struct query *q, struct place place, const char *fmt, ...) attr_printf(3, 4);
/* Does the same, with the word that was probably meant. meant may be NULL; it is copied. */
bool query_fail_meant(struct query *q, struct place place, const char *meant, const char *fmt, ...)
	attr_printf(4, 5);

#endif
