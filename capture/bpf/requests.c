/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts records about requests of io_urings to stops. */
#include "capture/bpf/engine_state.h"
#include "capture/bpf/map_values.h"
#include "capture/bpf/setup.h"
#include "linux/arch/abi.h"

/*
 * Returns the thread that has submitted the current record's request. If that thread has ended,
 * returns the placeholder e->nobody.
 */
static struct thread *submitter_of(struct bpf_engine *e)
{
	const pid_t tid = (pid_t)e->record->tid;
	struct thread *t = threads_find(&e->threads, tid);

	if (t)
		return t;
	e->nobody.tcb = (struct tcb){.tid = tid,
				     .tgid = tid,
				     .capture = &e->capture,
				     .memory = &e->memory.memory,
				     .facts = e->capture.facts};
	return &e->nobody;
}

static void describe_submission(struct bpf_engine *e, const struct submit_record *r,
				struct stop *stop)
{
	stop->kind = STOP_REQUEST_SUBMITTED;
	e->request.sqe = r->sqe;
	e->request.audit = r->compat ? setup_compat_audit() : abi_native()->audit;
	e->request.fd = r->fd;
	e->request.chain = r->chain;
	e->request.silent = r->silent;
	e->request.polled = r->polled;
}

static void describe_completion(struct bpf_engine *e, const struct complete_record *r,
				struct stop *stop)
{
	stop->kind = STOP_REQUEST_COMPLETED;
	e->request.user_data = r->user_data;
	e->request.result = r->result;
	e->request.cqe_flags = r->flags;
}

/* An odd factor: modulo 2^64, different numbers have different products. */
#define RING_FACTOR UINT64_C(0x9e3779b97f4a7c15)

static size_t chunks_at(const struct record *r)
{
	if (r->kind == RECORD_SUBMIT)
		return sizeof(struct submit_record);
	return r->kind == RECORD_COMPLETE ? sizeof(struct complete_record)
					  : sizeof(struct request_record);
}

void bpf_engine_describe_request(struct bpf_engine *e, struct thread *t, struct stop *stop)
{
	const struct request_record *r = (const struct request_record *)e->record;
	const size_t chunks = chunks_at(&r->head);

	t = t ? t : submitter_of(e);
	stop->tcb = &t->tcb;
	stop->request = &e->request;
	/*
	 * `ring` identifies the ring. ring[0] is derived from the ring's kernel address, which
	 * traces must not contain.
	 */
	e->request = (struct capture_request){
		.ring = {(r->ring ^ e->ring_key) * RING_FACTOR, r->serial}, .number = r->number};
	if (r->head.kind == RECORD_SUBMIT)
		describe_submission(e, (const struct submit_record *)r, stop);
	else if (r->head.kind == RECORD_COMPLETE)
		describe_completion(e, (const struct complete_record *)r, stop);
	else
		stop->kind = STOP_REQUEST_PUNTED;
	stream_facts_request(&e->facts, t->tcb.tid, (const char *)r + chunks,
			     e->record_size - chunks);
	e->record = NULL;
}
