/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "select/syscall_set.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/arch/arch.h"
#include "linux/syscall_desc.h"
#include "uring/ops.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/suggestion.h"

static const struct class_name {
	const char *name;
	uint32_t bits;
	bool bare; /* true if the percent sign may be omitted, as in older versions of strace */
} classes[] = {
	{"file", CLASS_FILE, true},
	{"desc", CLASS_DESC, true},
	{"memory", CLASS_MEMORY, true},
	{"process", CLASS_PROCESS, true},
	{"signal", CLASS_SIGNAL, true},
	{"ipc", CLASS_IPC, true},
	{"network", CLASS_NETWORK, true},
	{"net", CLASS_NETWORK, false},
	{"clock", CLASS_CLOCK, false},
	{"creds", CLASS_CREDS, false},
	{"pure", CLASS_PURE, false},
	{"stat", CLASS_STAT, false},
	{"lstat", CLASS_LSTAT, false},
	{"fstat", CLASS_FSTAT, false},
	{"%stat", CLASS_STAT | CLASS_LSTAT | CLASS_FSTAT | CLASS_STAT_LIKE, false},
	{"statfs", CLASS_STATFS, false},
	{"fstatfs", CLASS_FSTATFS, false},
	{"%statfs", CLASS_STATFS | CLASS_FSTATFS | CLASS_STATFS_LIKE, false},
};

/*
 * Returns the bits of a class, given its name without the first '%' ("file" for %file). Returns 0
 * if there is no such class.
 */
static uint32_t syscall_class_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (!strcmp(classes[i].name, name))
			return classes[i].bits;
	}
	return 0;
}

const char *syscall_class_name(unsigned i, uint32_t *bits)
{
	if (i >= ARRAY_SIZE(classes))
		return NULL;
	*bits = classes[i].bits;
	return classes[i].name;
}

void syscall_set_fill(struct syscall_set *set, bool all)
{
	memset(set->bits, all ? 0xff : 0, sizeof(set->bits));
	memset(set->requests, all ? 0xff : 0, sizeof(set->requests));
	set->beyond = all;
}

/*
 * Returns true if the set contains all requests and all numbers of all ABIs (`all` is true), or
 * none of them (`all` is false).
 */
static bool is_uniform(const struct syscall_set *set, bool all)
{
	uint64_t word = all ? ~(uint64_t)0 : 0;

	for (unsigned i = 0; i < ABI_COUNT; i++)
		for (unsigned j = 0; j < SYSCALL_SET_MAX / 64; j++)
			if (set->bits[i][j] != word)
				return false;
	for (size_t i = 0; i < ARRAY_SIZE(set->requests); i++)
		if (set->requests[i] != word)
			return false;
	return set->beyond == all;
}

static void add_outer(struct syscall_set *set, unsigned first, unsigned end, unsigned row)
{
	for (const struct abi *abi = abis; abi < abis + ABI_COUNT; abi++) {
		int nr = abi_number(abi, row);

		for (unsigned sub = first; nr >= 0 && sub < end; sub++)
			if (abi_row(abi, sub) >= 0 && syscall_set_has(set, abi, sub))
				set->bits[abi->index][nr / 64] |= (uint64_t)1 << nr % 64;
	}
}

void syscall_set_add_outer(struct syscall_set *set)
{
	add_outer(set, ABI_SOCKETCALLS, ABI_IPC_CALLS, ROW_socketcall);
	add_outer(set, ABI_IPC_CALLS, ABI_SUBCALLS_END, ROW_ipc);
}

void syscall_set_add(struct syscall_set *set, const struct syscall_set *other)
{
	for (unsigned i = 0; i < ABI_COUNT; i++)
		for (unsigned j = 0; j < SYSCALL_SET_MAX / 64; j++)
			set->bits[i][j] |= other->bits[i][j];
	for (size_t i = 0; i < ARRAY_SIZE(set->requests); i++)
		set->requests[i] |= other->requests[i];
	set->beyond |= other->beyond;
}

bool syscall_set_is_full(const struct syscall_set *set)
{
	return is_uniform(set, true);
}

unsigned syscall_set_count(const struct syscall_set *set, unsigned abi)
{
	unsigned n = 0;

	for (unsigned i = 0; i < SYSCALL_SET_MAX / 64; i++)
		n += (unsigned)__builtin_popcountll(set->bits[abi][i]);
	return n;
}

bool syscall_set_is_empty(const struct syscall_set *set)
{
	return is_uniform(set, false);
}

static void add(struct syscall_set *set, unsigned abi, unsigned nr)
{
	set->named = true;
	if (nr < SYSCALL_SET_MAX)
		set->bits[abi][nr / 64] |= (uint64_t)1 << nr % 64;
}

/* A mask has a bit for each ABI, and a bit for requests. */
#define ALL_ABIS ((1u << ABI_COUNT) - 1)
#define REQUESTS (1u << ABI_COUNT)

static unsigned native_abis(void)
{
	unsigned mask = 0;

	for (unsigned i = 0; i < ABI_COUNT; i++)
		mask |= (unsigned)abi_runs_here(&abis[i]) << i;
	return mask;
}

typedef bool row_match(const char *name, const struct syscall_desc *desc, const void *ctx);

static unsigned add_requests(struct syscall_set *set, row_match *match, const void *ctx)
{
	unsigned found = 0;

	for (unsigned row = 0; row < syscall_desc_count; row++) {
		if (!match(syscall_descs[row].name, &syscall_descs[row], ctx) ||
		    !uring_has_row(row))
			continue;
		set->named = true;
		set->requests[row / 64] |= UINT64_C(1) << row % 64;
		found = REQUESTS;
	}
	return found;
}

/*
 * Adds the syscalls that match() accepts, in the ABIs of `mask`. If `mask` contains REQUESTS, also
 * adds the requests that match() accepts. Returns the bits of `mask` for which match() accepted
 * anything.
 */
static unsigned add_rows(struct syscall_set *set, unsigned mask, row_match *match, const void *ctx)
{
	unsigned found = mask & REQUESTS ? add_requests(set, match, ctx) : 0;

	for (unsigned i = 0; i < ABI_COUNT; i++) {
		if (!(mask & 1 << i))
			continue;
		for (unsigned nr = 0; nr < abis[i].nrows; nr++) {
			int row = abi_row(&abis[i], nr);

			attr_cleanup(mem_free_ptr) char *foreign = NULL;
			const char *name;

			if (row < 0)
				continue;
			name = syscall_descs[row].name;
			if (abi_is_foreign(&abis[i], nr))
				name = foreign = mem_printf("%s#64", name);
			if (match(name, &syscall_descs[row], ctx)) {
				add(set, i, nr);
				found |= 1u << i;
			}
		}
	}
	return found;
}

static bool match_name(const char *name, const struct syscall_desc *desc attr_unused,
		       const void *ctx)
{
	return !strcmp(name, ctx);
}

static bool match_class(const char *name attr_unused, const struct syscall_desc *desc,
			const void *ctx)
{
	return syscall_desc_classes(desc) & *(const uint32_t *)ctx;
}

static bool match_regex(const char *name, const struct syscall_desc *desc attr_unused,
			const void *ctx)
{
	return !regexec(ctx, name, 0, NULL, 0);
}

static unsigned add_regex(struct syscall_set *set, unsigned mask, const char *pattern)
{
	char why[256];
	regex_t re;
	unsigned found;
	int rc = regcomp(&re, pattern, REG_EXTENDED | REG_NOSUB);

	if (rc) {
		regerror(rc, &re, why, sizeof(why));
		die("regcomp: %s: %s", pattern, why);
	}
	found = add_rows(set, mask, match_regex, &re);
	regfree(&re);
	return found;
}

static unsigned add_number(struct syscall_set *set, unsigned mask, const char *digits)
{
	unsigned found = 0;
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(digits, &end, 10);
	if (*end || errno)
		return 0;
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		unsigned long nr = n & ~(unsigned long)abis[i].nr_mask;

		/*
		 * In the native ABI, also accept numbers that no syscall has, because a future
		 * kernel may use them.
		 */
		if (!(mask & 1 << i) || nr >= abis[i].nrows || nr >= ABI_NUMBERS_END ||
		    (i != abi_native()->index && abi_row(&abis[i], nr) < 0))
			continue;
		add(set, i, nr);
		found |= 1u << i;
	}
	return found;
}

/* Returns the ABIs in `mask` that the text after '@' designates. */
static unsigned designated(unsigned mask, const char *name)
{
	for (unsigned i = 0; i < ABI_COUNT; i++)
		if (strcmp(name, abis[i].designator))
			mask &= ~(1u << i);
	return mask;
}

static void attr_noreturn bad_designator(const char *name, const char *value)
{
	die_usage("incorrect personality designator '%s' in qualification '%s'", name, value);
}

/*
 * Returns the mask that the text after the last '@' in `token` designates. If there is no '@',
 * returns a mask with all bits set. Removes the '@' and this text from `token`. Accepts @uring and
 * @syscall if `trace` is set. If the text is invalid, exits with a message that contains `whole`.
 */
static unsigned cut_designator(char *token, const char *whole, bool trace)
{
	char *at = strrchr(token, '@');
	unsigned mask;

	if (!at)
		return ALL_ABIS | REQUESTS;
	*at++ = 0;
	if (trace && !strcmp(at, "uring"))
		return REQUESTS;
	if (trace && !strcmp(at, "syscall"))
		return ALL_ABIS;
	mask = designated(ALL_ABIS, at);
	if (!mask)
		bad_designator(at, whole);
	return mask;
}

/*
 * Adds the syscalls and requests that a VALUE selects. Returns the mask of the ABIs in which the
 * value is valid, with the bit REQUESTS if the value is valid for requests. Returns 0 if the value
 * is not valid at all.
 */
static unsigned add_token(struct syscall_set *set, const char *token, bool trace)
{
	attr_cleanup(mem_free_ptr) char *t = mem_strdup(token);
	unsigned mask = cut_designator(t, token, trace);
	uint32_t bits;

	if (*t >= '0' && *t <= '9')
		return add_number(set, mask, t);
	if (*t == '/')
		return add_regex(set, mask, t + 1);
	if (!strcmp(t, "all")) {
		for (unsigned i = 0; i < ABI_COUNT; i++) {
			if (mask & 1 << i)
				memset(set->bits[i], 0xff, sizeof(set->bits[i]));
		}
		if ((mask & ALL_ABIS) == ALL_ABIS)
			set->beyond = true;
		if (mask & REQUESTS)
			memset(set->requests, 0xff, sizeof(set->requests));
		return mask;
	}
	if (*t == '%') {
		bits = syscall_class_find(t + 1);
		if (!bits)
			return 0;
		add_rows(set, mask, match_class, &bits);
		return mask; /* a class may be empty in an ABI */
	}
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (classes[i].bare && !strcmp(classes[i].name, t)) {
			add_rows(set, mask, match_class, &classes[i].bits);
			return mask;
		}
	}
	return add_rows(set, mask, match_name, t);
}

/* Exits with an error message about a VALUE, and suggests a similar name. */
static void attr_noreturn invalid(const char *value)
{
	struct suggestion s = {.word = value};
	char names[ARRAY_SIZE(classes)][16];

	if (*value == '%') {
		for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
			snprintf(names[i], sizeof(names[i]), "%%%s", classes[i].name);
			suggestion_consider(&s, names[i]);
		}
	} else {
		for (unsigned i = 0; i < syscall_desc_count; i++)
			suggestion_consider(&s, syscall_descs[i].name);
	}
	suggestion_hint(&s);
	die("invalid system call '%s'", value);
}

static void invert(struct syscall_set *set)
{
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		for (unsigned j = 0; j < SYSCALL_SET_MAX / 64; j++)
			set->bits[i][j] = ~set->bits[i][j];
	}
	for (size_t i = 0; i < ARRAY_SIZE(set->requests); i++)
		set->requests[i] = ~set->requests[i];
	set->beyond = !set->beyond;
}

/* Adds the values of a list. Returns the number of values in the list. */
static unsigned add_list(struct syscall_set *set, const char *list, bool trace)
{
	attr_cleanup(mem_free_ptr) char *copy = mem_strdup(list);
	const unsigned native = native_abis() | REQUESTS;
	char *save = NULL;
	unsigned n = 0;

	for (char *t = strtok_r(copy, ",", &save); t; t = strtok_r(NULL, ",", &save), n++) {
		bool optional = *t == '?';
		unsigned found;

		while (*t == '?')
			t++;
		found = add_token(set, t, trace);
		if (!trace && found == REQUESTS)
			found = 0;
		if (!found && !optional)
			invalid(t);
		if (found && !(found & native) && !optional && !set->elsewhere)
			set->elsewhere = list + (t - copy);
		if (found == REQUESTS && !optional && !set->requested)
			set->requested = list + (t - copy);
	}
	return n;
}

static void parse(struct syscall_set *set, const char *text, bool trace)
{
	const char *list = text + strspn(text, "!");

	syscall_set_fill(set, false);
	set->elsewhere = set->requested = NULL;
	if (strcmp(list, "none") != 0 && !add_list(set, list, trace))
		die("invalid system call '%s'", text);
	if ((list - text) % 2)
		invert(set);
}

void syscall_set_parse(struct syscall_set *set, const char *text)
{
	parse(set, text, false);
}

void syscall_set_parse_trace(struct syscall_set *set, const char *text)
{
	parse(set, text, true);
}

void syscall_set_check_requests(const struct syscall_set *set)
{
	attr_cleanup(mem_free_ptr) char *value = NULL;

	if (!set->requested)
		return;
	value = mem_strndup(set->requested, strcspn(set->requested, ","));
	die_usage("-e trace=%s requires --io-uring=on", value);
}

void syscall_set_check_native(const struct syscall_set *set)
{
	attr_cleanup(mem_free_ptr) char *value = NULL;
	const char *at;

	if (!set->elsewhere)
		return;
	value = mem_strndup(set->elsewhere, strcspn(set->elsewhere, ","));
	at = strrchr(value, '@');
	if (at && !designated(native_abis(), at + 1))
		bad_designator(at + 1, value);
	invalid(value);
}

void syscall_set_add_unnamed(struct syscall_set *set)
{
	for (unsigned i = 0; i < ABI_COUNT; i++) {
		for (unsigned nr = 0; nr < SYSCALL_SET_MAX; nr++) {
			if (abi_row(&abis[i], abis[i].nr_mask | nr) < 0)
				set->bits[i][nr / 64] |= UINT64_C(1) << nr % 64;
		}
	}
	set->beyond = true;
}
