/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The namer's own side: it answers one question after the other. */
#ifndef TRACER_STACK_NAMER_SERVE_H
#define TRACER_STACK_NAMER_SERVE_H

#include "stack/namer/wire.h"

struct namer_libraries;
struct strbuf;

struct namer_server;
/* libs are borrowed. Never NULL; namer_server_destroy() frees it. */
struct namer_server *namer_server_create(const struct namer_libraries *libs);
void namer_server_destroy(struct namer_server *s);
/*
 * Answers a question with its text, of len bytes and no terminator, and its nfds descriptors, which
 * are closed, now or when the server is. Replaces out by the bytes of the answer, at most
 * NAMER_ANSWER_MAX. Returns false if there is nothing to say.
 */
bool namer_server_answer(struct namer_server *s, const struct namer_question *q, const char *text,
			 size_t len, const int *fds, unsigned nfds, struct strbuf *out);

/* Answers what comes by the socket until tracer closes it. In a process made for that alone. */
void namer_serve(const struct namer_libraries *libs, int sock) attr_noreturn;

#endif
