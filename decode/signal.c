/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/signal.h"

#include <string.h>

#define KERNEL_NSIG	64 /* asm/signal.h */
#define KERNEL_SIGRTMIN 32

/* The name of a signal, "SIGRT_5" for the numberless ones; NULL if there is no such signal. */
static const char *signal_name(struct arena *a, int sig)
{
	const char *name = xlat_name(&xlat_signals, (unsigned)sig);

	if (name)
		return name;
	if (sig == KERNEL_SIGRTMIN)
		return "SIGRTMIN";
	if (sig > KERNEL_SIGRTMIN && sig <= KERNEL_NSIG)
		return arena_printf(a, "SIGRT_%d", sig - KERNEL_SIGRTMIN);
	return NULL;
}

struct value *decode_signo(struct decoder *d, int sig)
{
	const char *name = signal_name(d->arena, sig);

	if (!name)
		return value_int(d->arena, sig);
	return value_word(d->arena, name, sig);
}

struct value *decode_sigset(struct decoder *d, const uint8_t *bytes, size_t len)
{
	struct value *v = value_new(d->arena, VALUE_BITSET, 0);
	unsigned nsig = size_min(len * 8, KERNEL_NSIG), set = 0;
	bool inverted;

	for (unsigned i = 0; i < nsig; i++)
		set += bytes[i / 8] >> (i % 8) & 1;
	/* More in than out reads better as what is out. */
	inverted = set >= nsig * 2 / 3;
	if (inverted)
		v->flags |= VALUE_F_INVERTED;
	for (unsigned i = 0; i < nsig; i++) {
		const char *name;

		if ((bytes[i / 8] >> (i % 8) & 1) == inverted)
			continue;
		name = signal_name(d->arena, i + 1);
		if (!strncmp(name, "SIG", 3))
			name += 3;
		value_add(v, value_word(d->arena, name, i + 1));
	}
	memcpy(&v->num, bytes, size_min(len, sizeof(v->num)));
	return v;
}

static struct value *sigset_memory(struct decoder *d, const struct type *t attr_unused,
				   uint64_t addr attr_unused, const uint8_t *bytes, size_t len)
{
	return decode_sigset(d, bytes, len);
}

static struct value *sigset_fetch(struct decoder *d, const struct type *t, uint64_t addr)
{
	uint8_t *bytes;
	uint64_t len;

	if (!decode_length(d, &t->len, &len) || !len)
		return value_addr(d->arena, addr);
	bytes = decode_read_new(d, addr, size_min(len, KERNEL_NSIG / 8), NULL);
	if (!bytes)
		return value_addr(d->arena, addr);
	return decode_sigset(d, bytes, size_min(len, KERNEL_NSIG / 8));
}

const struct type_ops type_sigset = {
	.name = "sigset", .fetch = sigset_fetch, .memory = sigset_memory};
