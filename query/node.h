/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The tree of a parsed query, which only the files in query/ use. The whole tree is allocated in
 * the query's arena.
 */
#ifndef TRACER_QUERY_NODE_H
#define TRACER_QUERY_NODE_H

#include <regex.h>

#include "event/find.h"
#include "query/error.h"
#include "query/needs.h"
#include "util/vec.h"

/* A range of the query's text, in bytes. */
struct place {
	size_t start, len;
};

enum node_kind {
	NODE_OR,
	NODE_AND,
	NODE_NOT,
	NODE_IS, /* a field without operator: true if the field exists and is neither 0 nor empty */
	NODE_EQUAL,    /* == or `in`: the field equals one of the literals */
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
	LITERAL_DURATION, /* a duration in nanoseconds */
	LITERAL_SIZE,	  /* a size in bytes */
	LITERAL_STRING,
	LITERAL_NAMES /* names joined by |, such as O_RDWR|O_CREAT, or a single word such as openat
		       */
};

struct literal {
	enum literal_kind kind;
	struct place place;
	/* NUMBER, DURATION, SIZE: the value. NAMES: the values of all names, combined by OR. */
	value_number number;
	const char *text; /* STRING: the text, NUL-terminated. NAMES: the first name */
	size_t len;
	const char **names; /* NAMES: all names */
	size_t nnames;
	/* the constants with these names if the field is numeric, otherwise NULL */
	struct constant *constants;
	const regex_t *regex;	 /* the compiled path pattern or operand of =~, or NULL */
	const struct glob *glob; /* a faster form of a path pattern, or NULL */
};

/* Selects a member or an element of a value. */
struct step {
	const char *name; /* name of the member, or NULL to select an element */
	uint64_t index;
	struct place place;
};

enum field_kind {
	FIELD_ARGUMENT, /* an argument, or a part of an argument that `steps` selects */
	FIELD_KIND,
	FIELD_NAME,
	FIELD_CLASS,
	FIELD_PID,
	FIELD_TID,
	FIELD_COMM,
	FIELD_EXE,
	FIELD_CGROUP,
	FIELD_ABI,
	FIELD_NR,
	FIELD_IP,
	FIELD_RET,
	FIELD_ERROR,
	FIELD_DURATION,
	FIELD_TIME,
	FIELD_BLOCKED,
	FIELD_RUNNABLE,
	FIELD_CPU,
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
	FIELD_SIGNAL,
	/*
	 * Fields that expressions cannot name. Each has several values, which are known only if
	 * subject->watched is set. FIELD_WATCHED_PATH: literals without a regex match only the path
	 * that the call uses; literals with a regex also match its absolute form.
	 */
	FIELD_WATCHED_FD,
	FIELD_WATCHED_PATH
};

struct field_ref {
	enum field_kind kind;
	struct place place;
	const char *argument; /* ARGUMENT: name of the argument */
	struct step *steps;
	size_t nsteps;
	/* ARGUMENT: bitmap of the rows of syscall_descs that have this argument */
	const uint8_t *rows;
};

struct node {
	enum node_kind kind;
	struct place place; /* position of the operator */
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
	regexes_t regexes; /* the compiled regular expressions of the literals */
	unsigned needs;
	/* set only during parsing and checking */
	struct query_error *error;
};

/*
 * Stores an error message and its position in q->error if this is the first error. Returns false.
 */
bool query_fail(struct query *q, struct place place, const char *fmt, ...) attr_printf(3, 4);
/*
 * Like query_fail(), but also suggests `meant`, the word that the user probably meant. Copies
 * `meant`, which may be NULL.
 */
bool query_fail_meant(struct query *q, struct place place, const char *meant, const char *fmt, ...)
	attr_printf(4, 5);

/*
 * Compiles the text of a literal, which is a path pattern (`glob`) or an extended regular
 * expression. The compiled forms belong to `q`. If the text is invalid, writes the reason to `why`
 * and returns false.
 */
bool query_compile(struct query *q, struct literal *l, bool glob, char why[QUERY_WHY]);

#endif
