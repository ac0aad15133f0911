/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shared memory in which the process that traces puts the snapshots of --live, and from which the
 * process that draws takes them. Neither process waits for the other.
 */
#ifndef TRACER_SINKS_LIVE_BOARD_H
#define TRACER_SINKS_LIVE_BOARD_H

#include "sinks/live/snapshot.h"

/* Maximum number of threads whose waits are described. */
#define LIVE_WAITS_MAX 256

struct live_board;

/* Returns an empty board, which child processes share, or NULL if no memory is available. */
struct live_board *live_board_create(void);
void live_board_destroy(struct live_board *b);

/* Puts a snapshot on the board. If it is too large for the board, omits its last threads. */
void live_board_put(struct live_board *b, const struct live_snapshot *s);
/*
 * Replaces *s by the latest snapshot. Returns false, and keeps *s, if there is no newer one. If the
 * writer overwrites the snapshot during each attempt to copy it, returns true with an empty *s.
 */
bool live_board_get(struct live_board *b, struct live_snapshot *s);

/*
 * Requests descriptions of what n threads wait for. Threads after the first LIVE_WAITS_MAX are
 * ignored.
 */
void live_board_want(struct live_board *b, const pid_t *tids, size_t n);
/*
 * Copies the tids of the last request. Returns their number. Returns 0 if this request was returned
 * before, unless `again` is set.
 */
size_t live_board_wanted(struct live_board *b, bool again, pid_t tids[LIVE_WAITS_MAX]);
/* Puts the descriptions of n waits on the board. */
void live_board_put_waits(struct live_board *b, const struct live_wait *waits, size_t n);
/*
 * Copies the latest descriptions. Returns their number, or 0 if they were replaced during each
 * attempt to copy them. Sets *number to a number that changes when new descriptions are put on the
 * board.
 */
size_t live_board_waits(struct live_board *b, struct live_wait waits[LIVE_WAITS_MAX],
			uint64_t *number);

#endif
