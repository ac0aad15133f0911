/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parses -e QUALIFIER=VALUE, and the long options that are named after qualifiers. */
#include <string.h>
#include <strings.h>

#include "capture/proc/selinux.h"
#include "cli/options.h"
#include "cli/options_seen.h"
#include "cli/options_value.h"
#include "util/msg.h"

static int lookup_quiet(const char *name)
{
	static const struct {
		const char *name;
		unsigned bit;
	} names[] = {
		{"attach", 0},	    {"exit", 1},	  {"exits", 1},	     {"path-resolution", 2},
		{"personality", 3}, {"thread-execve", 4}, {"superseded", 4},
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcasecmp(names[i].name, name))
			return names[i].bit;
	}
	return -1;
}

static int lookup(const char *name, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (!strcasecmp(names[i], name))
			return i;
	}
	return -1;
}

/* The names are in the order of the bits of enum fd_detail. */
static const char *const fd_details[] = {"path", "dev", "socket", "pidfd", "eventfd", "signalfd"};

static int lookup_fd_detail(const char *name)
{
	return lookup(name, fd_details, ARRAY_SIZE(fd_details));
}

static int lookup_pid_detail(const char *name)
{
	static const char *const names[] = {"comm", "pidns"};

	return lookup(name, names, ARRAY_SIZE(names));
}

static unsigned parse_bits(const char *text, const char *what, number_lookup *lookup_name,
			   unsigned count)
{
	struct number_set set = {0};
	unsigned bits;

	number_set_parse(&set, text, what, lookup_name);
	bits = number_set_bits(&set, count);
	number_set_deinit(&set);
	return bits;
}

static void set_trace(struct options *o, struct seen *seen, const char *value)
{
	syscall_set_parse_trace(&o->filter.trace, value);
	seen->traces_nothing = syscall_set_is_empty(&o->filter.trace);
	syscall_set_add_unnamed(&o->filter.trace);
}

static void set_abbrev(struct options *o attr_unused, struct seen *seen, const char *value)
{
	syscall_set_parse(&seen->abbrev, value);
}

static void set_verbose(struct options *o attr_unused, struct seen *seen, const char *value)
{
	syscall_set_parse(&seen->verbose, value);
}

static void set_raw(struct options *o attr_unused, struct seen *seen, const char *value)
{
	syscall_set_parse(&seen->raw, value);
}

static void set_fds(struct options *o, struct seen *seen attr_unused, const char *value)
{
	filter_set_fds(&o->filter, value);
}

static void set_signals(struct options *o, struct seen *seen attr_unused, const char *value)
{
	filter_set_signals(&o->filter, value);
}

static void set_status(struct options *o, struct seen *seen attr_unused, const char *value)
{
	filter_set_status(&o->filter, value);
}

static void set_stack(struct options *o, struct seen *seen attr_unused, const char *value)
{
	filter_set_stack(&o->filter, value);
}

static void set_quiet(struct options *o, struct seen *seen, const char *value)
{
	seen->q_long = true;
	o->quiet = parse_bits(value, "quiet", lookup_quiet, 5);
}

static void set_read(struct options *o, struct seen *seen attr_unused, const char *value)
{
	number_set_parse(&o->dump_read, value, "descriptor", number_lookup_fd);
	o->decode.dump_read = &o->dump_read;
}

static void set_write(struct options *o, struct seen *seen attr_unused, const char *value)
{
	number_set_parse(&o->dump_write, value, "descriptor", number_lookup_fd);
	o->decode.dump_write = &o->dump_write;
}

static void add_injection(struct options *o, struct seen *seen attr_unused, const char *value)
{
	injection_parse(vec_push(&o->injections), value, "inject");
}

static void add_fault(struct options *o, struct seen *seen attr_unused, const char *value)
{
	injection_parse(vec_push(&o->injections), value, "fault");
}

static void set_decode_fds(struct options *o, struct seen *seen, const char *value)
{
	seen->y_long = true;
	o->decode.fd_details =
		parse_bits(value, "decode-fds", lookup_fd_detail, ARRAY_SIZE(fd_details));
}

static void set_decode_pids(struct options *o, struct seen *seen attr_unused, const char *value)
{
	unsigned bits = parse_bits(value, "decode-pids", lookup_pid_detail, 2);

	o->decode.pid_comm = o->text.pid_comm = bits & 1;
	o->decode.pid_translate = bits & 2;
}

static void set_kvm(struct options *o, struct seen *seen attr_unused, const char *value)
{
	if (!strcmp(value, "vcpu"))
		o->kvm = KVM_VCPU;
	else if (!strcmp(value, "vcpu+"))
		o->kvm = KVM_VCPU_PLUS;
	else
		die("invalid -e kvm= argument: '%s'", value);
	o->decode.kvm_exits = true;
	o->decode.kvm_run = o->kvm == KVM_VCPU_PLUS;
}

static void set_namespace(struct options *o, struct seen *seen attr_unused, const char *value)
{
	if (value && strcmp(value, "new"))
		die("invalid -e namespace= argument: '%s'", value);
	o->decode.namespaces = true;
}

static int lookup_secontext(const char *name)
{
	static const char *const names[] = {"full", "mismatch"};
	const int n = lookup(name, names, ARRAY_SIZE(names));

	if (n < 0)
		die("invalid secontext '%s' (valid: full, mismatch, all, none)", name);
	return n;
}

static void set_secontext(struct options *o, struct seen *seen attr_unused, const char *value)
{
	const unsigned bits = value ? parse_bits(value, "secontext", lookup_secontext, 2) : 0;

	o->secontext = o->decode.secontext = true;
	o->text.full_contexts = bits & 1;
	o->decode.secontext_expected = bits & 2;
}

bool options_can_show_contexts(const struct options *o)
{
	if (!o->decode.secontext || o->trace)
		return o->decode.secontext;
	switch (selinux_state()) {
	case SELINUX_LEFT_OUT:
		die("SELinux context printing (--secontext option) is not supported by this build "
		    "of %s",
		    msg_program());
	case SELINUX_MISSING:
		die("--secontext: libselinux is missing or too old: install it (Debian: "
		    "libselinux1)");
	case SELINUX_DISABLED:
		return false;
	case SELINUX_ENABLED:
		break;
	}
	return true;
}

static const struct qualifier {
	const char *name;
	void (*set)(struct options *o, struct seen *seen, const char *value);
} qualifiers[] = {
	{"trace", set_trace},
	{"t", set_trace},
	{"trace-fds", set_fds},
	{"trace-fd", set_fds},
	{"fds", set_fds},
	{"fd", set_fds},
	{"abbrev", set_abbrev},
	{"a", set_abbrev},
	{"verbose", set_verbose},
	{"v", set_verbose},
	{"raw", set_raw},
	{"x", set_raw},
	{"signal", set_signals},
	{"signals", set_signals},
	{"s", set_signals},
	{"status", set_status},
	{"quiet", set_quiet},
	{"silent", set_quiet},
	{"silence", set_quiet},
	{"q", set_quiet},
	{"read", set_read},
	{"reads", set_read},
	{"r", set_read},
	{"write", set_write},
	{"writes", set_write},
	{"w", set_write},
	{"inject", add_injection},
	{"fault", add_fault},
	{"decode-fds", set_decode_fds},
	{"decode-fd", set_decode_fds},
	{"decode-pids", set_decode_pids},
	{"decode-pid", set_decode_pids},
	{"kvm", set_kvm},
	{"namespace", set_namespace},
	{"secontext", set_secontext},
	{"stack", set_stack},
};

static const struct qualifier *qualifier_find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		if (strlen(qualifiers[i].name) == len && !memcmp(qualifiers[i].name, name, len))
			return &qualifiers[i];
	}
	return NULL;
}

bool options_qualifier(struct options *o, struct seen *seen, const char *name, const char *value)
{
	const struct qualifier *q = qualifier_find(name, strlen(name));

	if (q)
		q->set(o, seen, value);
	return q;
}

void options_qualify(struct options *o, struct seen *seen, const char *expr)
{
	const char *equals = strchr(expr, '=');
	const struct qualifier *q = equals ? qualifier_find(expr, equals - expr) : NULL;

	if (q)
		q->set(o, seen, equals + 1);
	else
		set_trace(o, seen, expr); /* -e open means -e trace=open */
}

void options_columns(struct options *o, const char *list)
{
	bool given[SUMMARY_COLUMNS] = {false};
	struct summary_config *s = &o->summary;

	s->column_count = 0;
	for (const char *next = list; next;) {
		size_t len = strcspn(next, ",");
		attr_cleanup(mem_free_ptr) char *name = mem_strndup(next, len);
		int column = summary_column_find(name);

		if (column < 0 || column == SUMMARY_NOTHING) {
			option_hint_columns(false);
			die_usage("unknown column name: '%s'", name);
		}
		if (given[column])
			die_usage("call summary column has been provided more than once: '%s' "
				  "(-U option residual: '%s')",
				  name, next);
		given[column] = true;
		s->columns[s->column_count++] = column;
		next = next[len] ? next + len + 1 : NULL;
	}
	if (!given[SUMMARY_NAME])
		s->columns[s->column_count++] = SUMMARY_NAME;
}
