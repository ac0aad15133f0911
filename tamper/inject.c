/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tamper/inject.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux/arch/arch.h"
#include "linux/syscall_desc.h"
#include "query/entry.h"
#include "query/query.h"
#include "util/number_set.h"
#include "util/mem.h"
#include "util/msg.h"
#include "util/names.h"
#include "util/suggestion.h"

int64_t duration_parse(const char *text, uint64_t unit)
{
	static const struct {
		const char *suffix;
		uint64_t ns;
	} units[] = {{"s", 1000000000}, {"ms", 1000000}, {"us", 1000}, {"ns", 1}};
	double n, ns;
	char *end;

	errno = 0;
	n = strtod(text, &end);
	/*
	 * Accept only decimal numbers. In a hexadecimal number, an invalid unit could be mistaken
	 * for a digit.
	 */
	if (strchr(text, 'x') || strchr(text, 'X') || end == text || errno || !isfinite(n) || n < 0)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (!strcmp(end, units[i].suffix)) {
			unit = units[i].ns;
			end += strlen(end);
		}
	}
	ns = n * unit;
	if (*end || ns >= 9.2e18)
		return -1;
	return ns;
}

static const char *skip_prefix(const char *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(s, prefix, n) ? NULL : s + n;
}

/*
 * Parses a number in when=, from 1 to max, with strtol(). Stores it in *n and advances *s past it.
 * Returns false if the number is invalid.
 */
static bool when_number(const char **s, unsigned max, unsigned *n)
{
	char *end;
	long v;

	errno = 0;
	v = strtol(*s, &end, 10);
	if (errno || v < 1 || v > max)
		return false;
	*s = end;
	*n = v;
	return true;
}

/* Parses FIRST[..LAST][+[STEP]]. Returns false if the text is invalid. */
static bool parse_when(struct injection *inj, const char *s)
{
	if (!when_number(&s, 65535, &inj->first))
		return false;
	inj->last = inj->first;
	inj->step = 1;
	if (s[0] == '.' && s[1] == '.') {
		s += 2;
		if (!when_number(&s, 65534, &inj->last) || inj->last < inj->first)
			return false;
	} else if (*s == '+') {
		inj->last = UINT_MAX;
	}
	if (*s == '+') {
		s++;
		if (*s && !when_number(&s, 65535, &inj->step))
			return false;
	}
	return !*s;
}

/*
 * Parses a byte that is written as two characters, in the same way as strace 7.2. Skips leading
 * white space: "41 441" is 41, 44, 41. The first character may be a sign. The second character need
 * not be a digit: "4z" is 4. However, "0x" is an error. Returns the byte, or -1 if the text is
 * invalid.
 */
static int hex_byte(const char *s)
{
	unsigned char byte;

	s += strspn(s, " \t\n\v\f\r");
	if (s[0] == '0' && (s[1] | 0x20) == 'x')
		return -1;
	return sscanf(s, "%2hhx", &byte) == 1 ? byte : -1;
}

/* The maximum number of characters, as in strace 7.2. */
#define POKE_DIGITS 2048

/* Parses @argN=HEX. Returns false if the text is invalid. */
static bool parse_poke(struct injection *inj, const char *s, bool at_exit)
{
	struct injection_poke poke = {.at_exit = at_exit};
	size_t len;

	s = skip_prefix(s, "@arg");
	if (!s || s[0] < '1' || s[0] > '7' || s[1] != '=')
		return false;
	poke.arg = s[0] - '1';
	s += 2;
	len = strlen(s);
	if (!len || len % 2 || len > POKE_DIGITS)
		return false;
	vec_for_each (&inj->pokes, p) {
		if (p->at_exit == at_exit && p->arg == poke.arg)
			return false;
	}
	poke.n = len / 2;
	poke.bytes = mem_alloc(poke.n);
	*vec_push(&inj->pokes) = poke;
	for (size_t i = 0; i < poke.n; i++) {
		int byte = hex_byte(s + 2 * i);

		if (byte < 0)
			return false;
		poke.bytes[i] = byte;
	}
	return true;
}

static bool parse_pokes(struct injection *inj, char *list, bool at_exit)
{
	char *save = NULL;
	bool any = false;

	for (char *t = strtok_r(list, ",", &save); t; t = strtok_r(NULL, ",", &save)) {
		if (!parse_poke(inj, t, at_exit))
			return false;
		any = true;
	}
	return any;
}

static bool parse_delay(const char *s, uint64_t *ns)
{
	int64_t v = duration_parse(s, 1000);

	*ns = v;
	return v >= 0;
}

static bool parse_retval(struct injection *inj, const char *s)
{
	char *end;

	errno = 0;
	inj->retval = strtoull(s, &end, 0);
	if (end == s || *end || errno)
		return false;
	if ((int64_t)inj->retval < 0 && (int64_t)inj->retval > -4096)
		msg("Inadvertent injection of error %d is possible for retval=%llu",
		    (int)-(int64_t)inj->retval, (unsigned long long)inj->retval);
	else if ((int32_t)inj->retval < 0 && (int32_t)inj->retval > -4096)
		msg("Inadvertent injection of error %d is possible in compat personality for "
		    "retval=%llu",
		    -(int32_t)inj->retval, (unsigned long long)inj->retval);
	else if (inj->retval != (uint32_t)inj->retval)
		msg("Injected return value %llu will be clipped to %u in compat personality",
		    (unsigned long long)inj->retval, (unsigned)inj->retval);
	return true;
}

/*
 * Parses one of the colon-separated parts of an injection. Each action may be given only once.
 * Returns false if the part is invalid.
 */
static bool parse_part(struct injection *inj, char *part, bool fault)
{
	const char *v;
	unsigned action;
	bool ok;
	int n;

	if ((v = skip_prefix(part, "when=")))
		return parse_when(inj, v);
	if ((v = skip_prefix(part, "error="))) {
		n = number_lookup_errno(v);
		inj->error = n;
		action = INJECT_ERROR;
		ok = n > 0 && !(inj->actions & INJECT_RETVAL);
	} else if ((v = skip_prefix(part, "syscall="))) {
		n = syscall_desc_find(v);
		inj->row = n;
		action = INJECT_SYSCALL;
		ok = n >= 0 && abi_number(abi_native(), n) >= 0 &&
		     syscall_desc_classes(&syscall_descs[n]) & CLASS_PURE;
	} else if (fault) {
		return false;
	} else if ((v = skip_prefix(part, "retval="))) {
		action = INJECT_RETVAL;
		ok = !(inj->actions & (INJECT_ERROR | INJECT_RETVAL)) && parse_retval(inj, v);
	} else if ((v = skip_prefix(part, "signal="))) {
		inj->signal = number_lookup_signal(v);
		action = INJECT_SIGNAL;
		ok = inj->signal > 0 && inj->signal <= 64;
	} else if ((v = skip_prefix(part, "delay_enter="))) {
		action = INJECT_DELAY_ENTER;
		ok = parse_delay(v, &inj->delay_enter_ns);
	} else if ((v = skip_prefix(part, "delay_exit="))) {
		action = INJECT_DELAY_EXIT;
		ok = parse_delay(v, &inj->delay_exit_ns);
	} else if (skip_prefix(part, "poke_enter=")) {
		action = INJECT_POKE_ENTER;
		ok = parse_pokes(inj, part + strlen("poke_enter="), false);
	} else if (skip_prefix(part, "poke_exit=")) {
		action = INJECT_POKE_EXIT;
		ok = parse_pokes(inj, part + strlen("poke_exit="), true);
	} else {
		return false;
	}
	if (!ok || inj->actions & action)
		return false;
	inj->actions |= action;
	return true;
}

/*
 * Exits with an error message about `text`. If the invalid part is error=NAME, the message suggests
 * a similar name.
 */
static void attr_noreturn invalid(const char *what, const char *text, const char *part)
{
	const char *error = skip_prefix(part, "error=");
	struct suggestion s = {.word = error};
	bool wrong = error && number_lookup_errno(error) < 0;

	for (int n = 1; wrong && n < 4096; n++) {
		const char *name = errno_name(n);

		if (name)
			suggestion_consider(&s, name);
	}
	suggestion_hint(&s);
	die("invalid %s argument '%s'", what, text);
}

/* Removes ":if=EXPR" from the end of `text`. Returns EXPR, or NULL if there is none. */
static const char *cut_condition(char *text)
{
	char *at = strstr(text, ":if=");

	if (!at)
		return NULL;
	*at = '\0';
	return at + strlen(":if=");
}

static void parse_condition(struct injection *inj, const char *text, const char *what)
{
	attr_cleanup(mem_free_ptr) char *option = mem_printf("-e %s=…:if=", what);

	inj->condition = query_parse(text, option);
	query_check_entry(inj->condition, &inj->set, option);
}

void injection_parse(struct injection *inj, const char *text, const char *what)
{
	attr_cleanup(mem_free_ptr) char *copy = mem_strdup(text);
	bool fault = !strcmp(what, "fault");
	const char *condition = cut_condition(copy);
	char *colon = strchr(copy, ':'), *save = NULL;

	*inj = (struct injection){.first = 1, .last = UINT_MAX, .step = 1};
	if (colon)
		*colon++ = 0;
	for (char *t = colon ? strtok_r(colon, ":", &save) : NULL; t;
	     t = strtok_r(NULL, ":", &save)) {
		if (!parse_part(inj, t, fault))
			invalid(what, text, t);
	}
	if (fault && !(inj->actions & INJECT_ERROR)) {
		inj->actions |= INJECT_ERROR;
		inj->error = ENOSYS;
	}
	syscall_set_parse(&inj->set, copy);
	syscall_set_check_native(&inj->set);
	inj->set.elsewhere = NULL; /* `elsewhere` points into the copy, which is freed below */
	if (!(inj->actions & ~INJECT_SYSCALL))
		die("invalid %s argument '%s'", what, text);
	if (condition)
		parse_condition(inj, condition, what);
}

void injection_deinit(struct injection *inj)
{
	vec_for_each (&inj->pokes, p)
		free(p->bytes);
	vec_deinit(&inj->pokes);
	query_free(inj->condition);
}
