/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/process/system.h"

/* ---- capget(2) ---- */

/*
 * Versions of the header (uapi linux/capability.h). Since version 2, a set consists of two words.
 */
#define CAP_VERSION_2 0x20071026
#define CAP_VERSION_3 0x20080522

/* Returns a table with the names of the bits in word `word` of a capability set. */
static const struct xlat *cap_bits(struct decoder *d, unsigned word)
{
	struct xlat_entry *entries = arena_alloc(d->arena, 32 * sizeof(*entries));
	struct xlat *x = arena_zalloc(d->arena, sizeof(*x));

	x->name = "caps";
	x->unknown = "CAP_???";
	x->kind = XLAT_FLAGS;
	x->entries = entries;
	for (unsigned i = 0; i < 32; i++) {
		const char *name = xlat_name(&xlat_caps, 32 * word + i);

		if (!name)
			continue;
		entries[x->n].val = 1u << i;
		entries[x->n++].name = arena_printf(d->arena, "1<<%s", name);
	}
	return x;
}

struct value *decode_cap_data(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const char *const names[] = {"effective", "permitted", "inheritable"};
	const struct xlat *bits[2];
	uint32_t header[2], version, words[6];
	struct value *v;
	unsigned nwords;
	int err;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	if (decode_read(d, decode_arg_raw(d, 0), header, sizeof(header)) < 0)
		return value_addr(d->arena, n);
	version = header[0];
	nwords = version == CAP_VERSION_2 || version == CAP_VERSION_3 ? 2 : 1;
	err = decode_read(d, n, words, nwords * 3 * sizeof(words[0]));
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	for (unsigned w = 0; w < nwords; w++)
		bits[w] = cap_bits(d, w);
	v = value_struct(d->arena);
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		struct value *set = value_or(d->arena, words[i]);

		set->text |= TEXT_EACH;
		for (unsigned w = 0; w < nwords; w++) {
			struct value *part;

			if (w && !words[3 + i])
				continue;
			part = value_add(set, value_flags(d->arena, bits[w], words[3 * w + i]));
			part->width = 4;
		}
		if (nwords > 1)
			set->num |= (uint64_t)words[3 + i] << 32;
		value_add_named(v, names[i], set);
	}
	return v;
}
const struct type_ops type_cap_data = {
	.name = "cap_data", .number = decode_cap_data, .fetch = decode_cap_data};

/* ---- syslog(2) ---- */

struct value *decode_syslog_action(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const char *name = xlat_name(&xlat_syslog_actions, n);
	struct value *v = value_int(d->arena, (int)n);

	v->comment = name ? name : "SYSLOG_ACTION_???";
	return v;
}
const struct type_ops type_syslog_action = {.name = "syslog_action",
					    .number = decode_syslog_action};

struct value *decode_loglevel(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	/*
	 * Names from linux/kern_levels.h. At a level above the last of these, the kernel prints all
	 * messages.
	 */
	static const char *const names[] = {
		"LOGLEVEL_EMERG", "LOGLEVEL_ALERT",   "LOGLEVEL_CRIT",
		"LOGLEVEL_ERR",	  "LOGLEVEL_WARNING", "LOGLEVEL_NOTICE",
		"LOGLEVEL_INFO",  "LOGLEVEL_DEBUG",   "LOGLEVEL_DEBUG+1"};
	struct value *v = value_int(d->arena, (int)n);

	v->comment = n < ARRAY_SIZE(names) ? names[n] : "LOGLEVEL_???";
	return v;
}

/* ---- kexec_load(2), sethostname(2) ---- */

#define KEXEC_SEGMENTS_MAX 16 /* KEXEC_SEGMENT_MAX */

static const struct type kexec_segments = ARRAY(STRUCT(kexec_segment), A1);

struct value *decode_kexec_segments(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (decode_arg_raw(d, 1) > KEXEC_SEGMENTS_MAX)
		return value_addr(d->arena, n);
	return decode_at(d, &kexec_segments, n);
}

#define HOSTNAME_MAX 64 /* __NEW_UTS_LEN */

struct value *decode_hostname(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t len = decode_arg_raw(d, 1);

	return len > HOSTNAME_MAX ? value_addr(d->arena, n) : decode_buffer(d, n, len);
}
const struct type_ops type_hostname = {
	.name = "hostname", .number = decode_hostname, .fetch = decode_hostname};

/* ---- the memory that the decoders above read ---- */

const struct custom_reads system_reads[] = {
	CUSTOM(decode_cap_data, BYTES(N(24))),
	CUSTOM_ARG(decode_cap_data, 0, BYTES(N(8))),
	CUSTOM(decode_kexec_segments, ARRAY(STRUCT(kexec_segment), A1)),
	CUSTOM(decode_hostname, BYTES(A1)),
	{0}};
