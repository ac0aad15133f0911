/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "show.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/chunks.h"
#include "cli/options.h"
#include "decode/core/plan_types.h"
#include "linux/arch/abi.h"
#include "linux/arch/arch.h"
#include "linux/row_finder.h"
#include "sinks/json/json.h"
#include "sinks/text/text.h"
#include "syscall.h"
#include "world.h"

/* Cases use only lower descriptors than this. */
#define OUTPUT_FD 200

/* State that is reused if the next syscall has the same options. */
static struct {
	bool ready;
	char line[512];			      /* the options for which this state was created */
	char words[512], path[32], *argv[64]; /* the command line that `options` points to */
	struct options options;
	struct world world; /* the facts of the case */
	struct sink *text, *json;
	struct plans *plans; /* plans for reading ahead in the tracee's memory, as in a session */
	struct row_finder *rows;
	int fd; /* the file that both sinks write to */
	off_t read;
} kept;

static struct {
	const struct call *call;
	/* The syscall has returned, so reads return the memory contents after the syscall. */
	bool returned;
} world;

/* The memory that the plan of a row has read, as in a recording. */
static struct {
	struct chunks chunks;
	struct arena arena;
} captured;

static const struct call_block *block_at(uint64_t addr)
{
	for (unsigned i = 0; i < world.call->nblocks; i++) {
		const struct call_block *b = &world.call->blocks[i];

		if (addr >= b->addr && addr - b->addr < b->size)
			return b;
	}
	return NULL;
}

/* Blocks are not adjacent, so a read ends at the end of its block. */
static ssize_t world_read(struct memory *m attr_unused, uint64_t addr, void *buf, size_t n)
{
	const struct call_block *b = block_at(addr);

	if (!b)
		return -EFAULT;
	n = size_min(n, b->size - (addr - b->addr));
	memcpy(buf, (world.returned && b->exit ? b->exit : b->entry) + (addr - b->addr), n);
	return (ssize_t)n;
}

static const struct memory_ops world_ops = {.read_some = world_read};
static struct memory world_memory = {&world_ops};

void show_end(void)
{
	if (!kept.ready)
		return;
	kept.text->ops->end(kept.text);
	kept.json->ops->end(kept.json);
	options_deinit(&kept.options);
	world_deinit(&kept.world);
	close(kept.fd);
	plans_destroy(kept.plans);
	row_finder_destroy(kept.rows);
	chunks_deinit(&captured.chunks);
	arena_reset(&captured.arena);
	kept.ready = false;
}

/* Parses the options of the case and creates the sinks. */
static void prepare(const struct call *c)
{
	char **argv = kept.argv, *word, *rest = kept.words;
	int argc = 0;

	if (kept.ready && !strcmp(kept.line, c->options))
		return;
	show_end();
	kept.fd = dup2(memfd_create("shown", MFD_CLOEXEC), OUTPUT_FD);
	snprintf(kept.path, sizeof(kept.path), "/proc/self/fd/%d", kept.fd);
	strcpy(kept.words, c->options);
	argv[argc++] = (char *)"tracer";
	argv[argc++] = (char *)"-a1";
	argv[argc++] = (char *)"-A";
	argv[argc++] = (char *)"-o";
	argv[argc++] = kept.path;
	while ((word = strsep(&rest, " ")) && argc < 60)
		if (*word)
			argv[argc++] = word;
	argv[argc++] = (char *)"true";
	argv[argc] = NULL;
	memset(&kept.options, 0, sizeof(kept.options));
	optind = 0; /* reset getopt(3) */
	getopt(1, argv, "");
	options_parse(&kept.options, argc, argv);
	world_init(&kept.world);
	kept.text = text_sink_create(&kept.options.text);
	kept.json = json_sink_create(
		&(struct sink_config){.path = kept.options.text.path, .append = true});
	kept.read = lseek(kept.fd, 0, SEEK_END);
	strcpy(kept.line, c->options);
	kept.plans = plans_create();
	kept.rows = row_finder_create();
	chunks_init(&captured.chunks);
	kept.ready = true;
}

/* Returns the output since the last call, without its final newline. The caller must free it. */
static char *written(struct sink *sink)
{
	off_t end;
	ssize_t n;
	char *s;

	if (sink->ops->flush)
		sink->ops->flush(sink);
	end = lseek(kept.fd, 0, SEEK_END);
	s = mem_alloc((size_t)(end - kept.read) + 1);
	n = pread(kept.fd, s, (size_t)(end - kept.read), kept.read);
	kept.read = end;
	s[n > 0 && s[n - 1] == '\n' ? n - 1 : n > 0 ? n : 0] = '\0';
	return s;
}

/* Maximum number of reads per plan. Recordings have their own limit. */
#define READS_MAX 4096

/*
 * Reads the memory that the syscall's read plan specifies into `captured`. If `again` is set, keeps
 * the memory that was captured at entry, because -e read= and -e write= also need it at exit.
 */
static void capture(const struct syscall_event *ev, bool exiting, bool again)
{
	static const struct plan_limits limits = {.bytes = {[PLAN_WHOLE] = 1 << 18,
							    [PLAN_PATH] = 1 << 16,
							    [PLAN_TEXT] = 1 << 16,
							    [PLAN_DATA] = 1 << 18,
							    [PLAN_ELEMENTS] = 1 << 16,
							    [PLAN_LISTED] = 1 << 18},
						  .elements = 1 << 16,
						  .depth = PLAN_DEPTH_MAX,
						  .full = true};
	static struct plan_read reads[READS_MAX];
	const struct plan_call call = {.memory = &world_memory,
				       .args = ev->raw_args,
				       .has_result = exiting,
				       .big_endian = ev->abi->arch->big_endian,
				       .result =
					       ev->base.ret_kind == RET_VALUE ? ev->base.ret : -1};
	unsigned n;

	if (!again) {
		chunks_clear(&captured.chunks);
		arena_reset(&captured.arena);
	}
	if (!ev->desc)
		return;
	n = plan_run(plans_get(kept.plans, ev->desc, ev->abi, exiting), &call, &limits,
		     &captured.arena, reads, READS_MAX);
	/* Add errors first. The bytes of other reads that succeeded then replace them. */
	for (unsigned i = 0; i < n; i++)
		if (reads[i].error)
			chunks_add_error(&captured.chunks, reads[i].addr + reads[i].got, 1,
					 reads[i].error);
	for (unsigned i = 0; i < n; i++)
		if (reads[i].got)
			chunks_add(&captured.chunks, reads[i].addr, reads[i].bytes, reads[i].got);
}

/*
 * Decodes the syscall at entry and at exit, and passes it to a sink. If `planned` is set, decoders
 * see only the memory that the read plan covers.
 */
static void pass(const struct call *c, struct sink *sink, bool planned)
{
	const struct decode_config *config = &kept.options.decode;
	struct tcb tcb = {.tid = getpid(),
			  .tgid = getpid(),
			  .memory = &world_memory,
			  .facts = &kept.world.facts};
	struct syscall_event *ev;
	struct event event = {0};

	tcb.regs = (struct syscall_regs){.audit = abis[c->abi].audit,
					 .nr = c->nr,
					 .ret = c->ret,
					 .is_error = c->end == CALL_FAILS};
	memcpy(tcb.regs.args, c->args, sizeof(tcb.regs.args));
	event_identify(&event, &tcb);
	event.abi = c->abi;
	world.returned = false;
	if (sink->ops->thread_begin)
		sink->ops->thread_begin(sink, &event);
	ev = syscall_begin(&tcb, kept.rows);
	if (planned) {
		capture(ev, false, false);
		tcb.memory = &captured.chunks.memory;
	}
	syscall_decode_enter(&tcb, config);
	ev->base.kind = EVENT_ENTER;
	sink->ops->event(sink, &ev->base);
	world.returned = true;
	if (c->end == CALL_NEVER_ENDS)
		ev->base.ret_kind = RET_NONE;
	else
		syscall_end(&tcb);
	if (planned)
		capture(ev, true, config->dump_read || config->dump_write);
	syscall_decode_exit(&tcb, config);
	ev->base.kind = EVENT_SYSCALL;
	sink->ops->event(sink, &ev->base);
	syscall_finish(&tcb);
	if (sink->ops->thread_end)
		sink->ops->thread_end(sink, &event);
	syscall_forget(&tcb);
}

/*
 * Returns the members of a JSON event from "args" to the one before "duration", as an object. The
 * caller must free the result.
 */
static char *without_the_rest(char *line)
{
	char *from = strstr(line, "\"args\":"), *to = from ? strstr(from, ",\"duration\":") : NULL;
	char *s;

	if (!to || asprintf(&s, "{%.*s}", (int)(to - from), from) < 0)
		return strdup(line);
	return s;
}

void show(const struct call *c, bool planned, struct shown *shown)
{
	char *line;

	world.call = c;
	prepare(c);
	world_of_call(&kept.world, c, getpid());
	kept.options.decode.plans = planned ? NULL : kept.plans;
	pass(c, kept.text, planned);
	shown->text = written(kept.text);
	pass(c, kept.json, planned);
	line = written(kept.json);
	shown->json = without_the_rest(line);
	free(line);
}

void show_to(const struct call *c, struct sink *sink)
{
	struct decode_config *config = &kept.options.decode;

	world.call = c;
	prepare(c);
	world_of_call(&kept.world, c, getpid());
	config->plans = kept.plans;
	config->query_details = FD_PATH | FD_SOCKET;
	config->resolve_paths = true;
	pass(c, sink, false);
	config->query_details = 0;
	config->resolve_paths = false;
}

void shown_release(struct shown *shown)
{
	free(shown->text);
	free(shown->json);
}
