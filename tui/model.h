/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The list of --tui: a window of consecutive rows of the filtered trace, the cursor, and the
 * filter. It does not know where rows come from or how they are drawn.
 */
#ifndef TRACER_TUI_MODEL_H
#define TRACER_TUI_MODEL_H

#include "tui/row.h"
#include "util/strbuf.h"
#include "util/vec.h"

/*
 * Maximum number of rows in memory. model_prepend() may exceed it, to keep the rows on the screen.
 */
#define MODEL_ROWS_MAX 40000

/* A line of the list: one row or, if calls are folded, a run of similar rows. */
struct item {
	size_t first, n; /* index of the first row, and number of rows */
};

/* A part of the filter. All parts must match. */
struct clause {
	char *query; /* an expression for --where; owned */
	char *label; /* the text for the title; owned */
};

struct model {
	VEC(struct row) rows;
	VEC(struct item) items;
	VEC(struct clause) clauses;
	bool folds;    /* true if runs of similar calls of a thread are one item */
	bool at_start; /* true if there are no earlier rows that match the filter */
	bool at_end;   /* true if there are no later rows so far */
	size_t cursor; /* selected item; 0 if there are none */
	size_t top;    /* first item on the screen */
	size_t height; /* number of lines of the list on the screen */
	bool follows;  /* true if the cursor stays at the last item when rows are appended */
};

/* Removes all rows, but not the clauses. The model must first be initialized with {0}. */
void model_clear(struct model *m);
void model_deinit(struct model *m);

/* Returns the selected row, or NULL if there are none. For a folded item, returns its first row. */
const struct row *model_selected(const struct model *m);
/* Appends a row, and takes ownership of it. May remove rows at the front to save memory. */
void model_append(struct model *m, struct row *r);
/*
 * Inserts rows before the first one, and takes ownership of their contents. May remove rows at the
 * end to save memory; then at_end is set to false.
 */
void model_prepend(struct model *m, const struct row *rows, size_t n);

/* Moves the cursor by a number of items. Stops at the first and the last item. */
void model_move(struct model *m, long by);
/* Selects the item that contains the row with this index. */
void model_select(struct model *m, size_t row);
/* Changes whether runs of similar calls are folded. The selected row stays selected. */
void model_fold(struct model *m, bool folds);
/* Sets the height of the list, and scrolls if the cursor would be outside. */
void model_resize(struct model *m, size_t height);

/*
 * Searches forwards (step 1) or backwards (step -1) from the selected item. Returns the index of
 * the first row for which `matches` returns true, or -1 if no such row is in memory.
 */
ssize_t model_find(const struct model *m, int step, bool (*matches)(const struct row *, void *),
		   void *ctx);

/* Adds a part to the filter. Both strings are copied. */
void model_push(struct model *m, const char *query, const char *label);
/* Removes the last part of the filter. Returns false if there is none. */
bool model_pop(struct model *m);
/* Appends the whole filter as an expression for --where. Appends nothing if there is no filter. */
void model_where(const struct model *m, struct strbuf *b);

/* The properties of a call that can become a filter. */
enum facet { FACET_PROCESS, FACET_THREAD, FACET_FD, FACET_PATH, FACET_NAME, FACET_HIDE };
/*
 * Adds a filter for calls that have this property in common with the row. Returns false if the row
 * does not have the property. FACET_HIDE filters out calls with the row's name.
 */
bool model_push_facet(struct model *m, const struct row *r, enum facet facet);

#endif
