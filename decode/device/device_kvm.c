/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For -e kvm=vcpu and kvm=vcpu+: shows why a virtual processor returned. */
#include <stddef.h>
#include <string.h>

#include "decode/core/note.h"
#include "decode/device/device.h"

static const char vcpu[] = "anon_inode:kvm-vcpu:";

/*
 * A virtual processor. Its number comes from the name of its descriptor in /proc, and its struct
 * kvm_run (linux/kvm.h) is mapped by the process. Only the first bytes of the struct are shown.
 */
struct processor {
	const char *number;
	uint64_t addr;
	uint8_t run[64];
};
#define REASON_AT 8  /* offset of exit_reason */
#define UNION_AT  32 /* offset of the union with the data about the exit reason */
#define EXIT_IO	  2  /* KVM_EXIT_IO, KVM_EXIT_MMIO */
#define EXIT_MMIO 6

static bool processor_read(struct decoder *d, struct processor *p)
{
	struct fact_answer path;

	if (fact_fd_path(d->facts, d->tid, (int)decode_arg_raw(d, 0), &path) < 0 ||
	    strncmp(path.bytes, vcpu, strlen(vcpu)))
		return false;
	p->number = arena_strdup(d->arena, path.bytes + strlen(vcpu));
	p->addr = fact_mapping(d->facts, d->tid, path.bytes);
	return p->addr && decode_read(d, p->addr, p->run, sizeof(p->run)) == 0;
}

static uint32_t exit_reason(const uint8_t *run)
{
	uint32_t reason;

	memcpy(&reason, run + REASON_AT, sizeof(reason));
	return reason;
}

struct value *kvm_reason(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_uint(d->arena, n);

	v->comment = xlat_name(&xlat_kvm_exits, n);
	return v;
}

struct value *kvm_padded(struct decoder *d, const struct type *t, uint64_t n)
{
	struct value *v = value_hex(d->arena, n);

	v->width = t->width;
	v->text |= TEXT_PADDED;
	return v;
}

/*
 * Shows the bytes that the virtual processor writes to or reads from an I/O port. Like strace 7.2,
 * shows the bytes that are in memory after the call, but only if the call succeeded.
 */
struct value *kvm_io_data(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type data = ARRAY(HEX8, N(decode_field(d, "size") * decode_field(d, "count")));
	uint64_t addr = d->scope->addr - UNION_AT + n;

	return d->failed && data.len.n ? value_addr(d->arena, addr) : decode_at(d, &data, addr);
}

static struct value *run_value(struct decoder *d, const uint8_t *run, uint64_t addr)
{
	static const struct type all = STRUCT(kvm_run), io = STRUCT(kvm_run_io),
				 mmio = STRUCT(kvm_run_mmio);
	struct value *v = decode_bytes(d, &all, addr, run, UNION_AT), *more;
	bool is_io = exit_reason(run) == EXIT_IO;

	if (!is_io && exit_reason(run) != EXIT_MMIO)
		return v;
	more = value_struct(d->arena);
	value_add_named(more, is_io ? "io" : "mmio",
			decode_bytes(d, is_io ? &io : &mmio, addr + UNION_AT, run + UNION_AT,
				     decode_size(d->abi, is_io ? &io : &mmio)));
	value_add(v, more);
	return v;
}

static void add_dump(struct decoder *d, const char *heading, const struct value *v)
{
	struct dump *dump = arena_zalloc(d->arena, sizeof(*dump));

	*dump = (struct dump){.heading = heading, .value = v, .index = -1};
	*(d->ev->last_dump ? &d->ev->last_dump->next : &d->ev->dumps) = dump;
	d->ev->last_dump = dump;
}

struct value *kvm_run_before(struct decoder *d, const struct type *t attr_unused,
			     uint64_t n attr_unused)
{
	struct processor p;

	if (d->config->kvm_run && processor_read(d, &p))
		d->state->before[2] = value_string(
			d->arena,
			memcpy(arena_alloc(d->arena, sizeof(p.run)), p.run, sizeof(p.run)),
			sizeof(p.run));
	return NULL;
}

struct value *kvm_run_after(struct decoder *d, const struct type *t attr_unused,
			    uint64_t n attr_unused)
{
	const struct value *before = d->state->before[2];
	struct processor p;
	const char *name;

	if (!d->config->kvm_exits || (d->failed && !before) || !processor_read(d, &p))
		return NULL;
	if (before)
		add_dump(d, arena_printf(d->arena, "VCPU:%s<", p.number),
			 run_value(d, (const uint8_t *)before->str, p.addr));
	if (d->failed)
		return NULL;
	name = xlat_name(&xlat_kvm_exits, exit_reason(p.run));
	decode_note(d, value_plain(d->arena, name ? name : xlat_kvm_exits.unknown));
	if (d->config->kvm_run)
		add_dump(d, arena_printf(d->arena, "VCPU:%s>", p.number),
			 run_value(d, p.run, p.addr));
	return NULL;
}
