/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The code that runs in the namer process. It answers one request at a time. */
#ifndef TRACER_STACK_NAMER_SERVE_H
#define TRACER_STACK_NAMER_SERVE_H

#include "stack/namer/wire.h"

struct namer_libraries;
struct strbuf;

struct namer_server;
/*
 * Creates the server, which exists until the process ends. Never returns NULL. `libs` must remain
 * valid as long as the server exists.
 */
struct namer_server *namer_server_create(const struct namer_libraries *libs);
/*
 * Answers a request. text has len bytes and is not NUL-terminated. Takes ownership of the nfds
 * descriptors in fds. Replaces the contents of out with the data of the reply, at most
 * NAMER_REPLY_MAX bytes. Returns false if nothing was found.
 */
bool namer_server_answer(struct namer_server *s, const struct namer_request *q, const char *text,
			 size_t len, const int *fds, unsigned nfds, struct strbuf *out);

/*
 * Answers requests from the socket until tracer closes it. Must be called only in the namer
 * process.
 */
void namer_serve(const struct namer_libraries *libs, int sock) attr_noreturn;

#endif
