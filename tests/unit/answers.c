/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "answers.h"

#include <stdlib.h>
#include <string.h>

static bool same_question(const struct fact_question *a, const struct fact_question *b)
{
	return a->kind == b->kind && a->tid == b->tid && a->n == b->n && a->of == b->of &&
	       !strcmp(a->key ? a->key : "", b->key ? b->key : "");
}

static struct known_answer *find(const struct answers *a, const struct fact_question *q)
{
	vec_for_each (&a->known, k) {
		if (same_question(&k->question, q))
			return k;
	}
	return NULL;
}

static void ask(struct facts *f, const struct fact_question *q, struct fact_answer *answer)
{
	struct answers *a = container_of(f, struct answers, facts);
	const struct known_answer *k;

	if (a->source) {
		facts_ask(a->source, q, answer);
		answers_add(a, q, answer);
		return;
	}
	k = find(a, q);
	if (!k) {
		answer->error = -ENODATA;
		return;
	}
	answer->error = k->error;
	answer->count = k->count;
	memcpy(answer->numbers, k->numbers, k->count * sizeof(k->numbers[0]));
	fact_set_bytes(answer, k->bytes, k->len);
}

static const struct facts_ops answers_ops = {.ask = ask};

void answers_init(struct answers *a, struct facts *source)
{
	*a = (struct answers){.facts.ops = &answers_ops, .source = source};
}

void answers_clear(struct answers *a)
{
	vec_for_each (&a->known, k) {
		free((char *)k->question.key);
		free(k->bytes);
	}
	a->known.n = 0;
}

void answers_deinit(struct answers *a)
{
	answers_clear(a);
	vec_deinit(&a->known);
}

void answers_add(struct answers *a, const struct fact_question *q, const struct fact_answer *answer)
{
	struct known_answer *k = find(a, q);

	if (!k) {
		k = vec_push(&a->known);
		*k = (struct known_answer){.question = *q};
		k->question.key = q->key ? mem_strdup(q->key) : NULL;
	}
	free(k->bytes);
	k->error = answer->error;
	k->count = answer->count;
	memcpy(k->numbers, answer->numbers, answer->count * sizeof(k->numbers[0]));
	k->len = answer->len;
	k->bytes = answer->len ? mem_alloc(answer->len) : NULL;
	if (k->len)
		memcpy(k->bytes, answer->bytes, k->len);
}

static const char *const names[FACT_KINDS] = {
	[FACT_FD_PATH] = "fd_path",
	[FACT_FD_INFO] = "fd_info",
	[FACT_FD_PIDFD] = "fd_pidfd",
	[FACT_FD_PROTOCOL] = "fd_protocol",
	[FACT_SOCKET] = "socket",
	[FACT_DEVICE] = "device",
	[FACT_COMM] = "comm",
	[FACT_PID] = "pid",
	[FACT_NAMESPACE] = "namespace",
	[FACT_MAPPING] = "mapping",
	[FACT_GENL_FAMILY] = "genl_family",
	[FACT_INTERFACE] = "interface",
	[FACT_BOOT_TIME] = "boot_time",
	[FACT_OPTMEM_MAX] = "optmem_max",
	[FACT_COMMAND] = "command",
	[FACT_LOCK_HOLDER] = "lock_holder",
	[FACT_EPOLL] = "epoll",
	[FACT_URING] = "uring",
	[FACT_URING_LAYOUT] = "uring_layout",
	[FACT_FD_CONTEXT] = "fd_context",
	[FACT_PATH_CONTEXT] = "path_context",
	[FACT_THREAD_CONTEXT] = "thread_context",
	[FACT_PROGRAM] = "program",
	[FACT_CGROUP] = "cgroup",
};

static const char *skip_blanks(const char *p)
{
	return p + strspn(p, " \t");
}

/*
 * Parses a quoted string. Stores at most size - 1 of its bytes in buf, and a NUL. Stores the number
 * of bytes in *len. Returns the position after the closing quote, or NULL if the string is
 * malformed or too long.
 */
static const char *parse_bytes(const char *p, char *buf, size_t size, size_t *len)
{
	*len = 0;
	if (*p++ != '"')
		return NULL;
	for (; *p && *p != '"' && *len < size - 1; p++) {
		char c = *p;

		if (c == '\\') {
			char hex[3] = "", *end;

			c = *++p == 'n' ? '\n' : *p;
			if (*p == 'x') {
				strncpy(hex, p + 1, 2);
				c = (char)strtol(hex, &end, 16);
				if (end != hex + 2)
					return NULL;
				p += 2;
			}
		}
		buf[(*len)++] = c;
	}
	buf[*len] = '\0';
	return *p == '"' ? p + 1 : NULL;
}

static const char *parse_question(const char *p, struct fact_question *q, char *key, size_t size)
{
	size_t len = strcspn(p, " \t="), kind = 0;

	while (kind < FACT_KINDS && (strlen(names[kind]) != len || strncmp(names[kind], p, len)))
		kind++;
	*q = (struct fact_question){.kind = (enum fact_kind)kind};
	for (p = skip_blanks(p + len); *p && *p != '='; p = skip_blanks(p)) {
		char *end;

		if (!strncmp(p, "key=", 4)) {
			p = parse_bytes(p + 4, key, size, &len);
			q->key = key;
			if (!p)
				return NULL;
			continue;
		}
		len = strcspn(p, "=");
		if (len == 3 && !strncmp(p, "tid", len))
			q->tid = (pid_t)strtol(p + len + 1, &end, 0);
		else if (len == 1 && *p == 'n')
			q->n = strtoll(p + len + 1, &end, 0);
		else if (len == 2 && !strncmp(p, "of", len))
			q->of = (int)strtol(p + len + 1, &end, 0);
		else
			return NULL;
		if (end == p + len + 1)
			return NULL;
		p = end;
	}
	return p;
}

static bool parse_answer(const char *p, struct fact_answer *a)
{
	char *end;

	a->error = 0;
	a->count = 0;
	a->len = 0;
	p = skip_blanks(p);
	if (*p == '!') {
		a->error = -(int)strtol(p + 1, &end, 0);
		return a->error < 0 && !*skip_blanks(end);
	}
	for (; *p && *p != '"'; p = skip_blanks(end)) {
		int64_t n = strtoll(p, &end, 0);

		if (end == p || a->count == FACT_NUMBERS)
			return false;
		fact_add_number(a, n);
	}
	if (*p)
		p = parse_bytes(p, a->bytes, sizeof(a->bytes), &a->len);
	return p && !*skip_blanks(p);
}

const char *answers_parse(struct answers *a, const char *line)
{
	struct fact_answer answer;
	struct fact_question q;
	char key[PATH_MAX];
	const char *p = parse_question(skip_blanks(line), &q, key, sizeof(key));

	if (!p || *p != '=')
		return "a question is KIND [tid=N] [n=N] [of=N] [key=\"TEXT\"], then =";
	if (q.kind == FACT_KINDS)
		return "no such kind of fact";
	if (!parse_answer(p + 1, &answer))
		return "an answer is !ERRNO, or numbers and then bytes in quotes";
	answers_add(a, &q, &answer);
	return NULL;
}
