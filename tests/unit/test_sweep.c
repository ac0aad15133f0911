/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decodes every row of every table, in every ABI, with random arguments and memory, at entry and
 * exit, for success and failure. Finds crashes, sanitizer reports, values without text, and
 * arguments that never get a value.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "decode/core/decode.h"
#include "fake.h"
#include "linux/arch/abi.h"

#define MEMORY 16384
#define BASE   0x10000

static uint64_t seed = 88172645463325252ull;

static uint64_t random64(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static uint64_t random_arg(void)
{
	switch (random64() % 10) {
	case 0:
		return 0;
	case 1:
		return (uint64_t)-1;
	case 2:
		return random64() % 64;
	case 3:
		return 1ull << random64() % 64;
	case 4:
		return random64();
	case 5:
		return random64() % 4096;
	case 6: /* a pointer to the last bytes of readable memory */
		return BASE + MEMORY - random64() % 64;
	default:
		return BASE + random64() % (MEMORY - 64);
	}
}

static void random_memory(uint8_t *bytes)
{
	unsigned kind = random64() % 4;

	for (size_t i = 0; i < MEMORY; i += 8) {
		uint64_t n = kind == 0 ? random64() : kind == 1 ? 0 : random_arg();

		memcpy(bytes + i, &n, sizeof(n));
	}
}

static void one(struct fake *f, unsigned abi, uint64_t nr, uint64_t selector, int selector_reg,
		struct strbuf *out)
{
	struct syscall_event *ev;

	f->tcb.regs = (struct syscall_regs){.audit = abis[abi].audit, .nr = nr};
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		f->tcb.regs.args[i] = random_arg();
	if (selector_reg >= 0)
		f->tcb.regs.args[selector_reg] = selector;
	ev = syscall_begin(&f->tcb, f->rows);
	syscall_decode_enter(&f->tcb, &f->config);
	fake_text(f, out);
	f->tcb.regs.is_error = random64() & 1;
	f->tcb.regs.ret =
		f->tcb.regs.is_error ? -(int64_t)(random64() % 600) : (int64_t)random_arg();
	syscall_end(&f->tcb);
	syscall_decode_exit(&f->tcb, &f->config);
	for (unsigned i = 0; i < ev->base.nargs; i++)
		if (!ev->base.args[i].in && !ev->base.args[i].out)
			fail_msg("%s: argument %u (%s) has no value", ev->base.name, i,
				 ev->base.args[i].name);
	fake_text(f, out);
	syscall_finish(&f->tcb);
}

static void sweep(struct fake *f, unsigned rounds)
{
	struct strbuf out = {0};

	for (unsigned round = 0; round < rounds; round++) {
		random_memory(f->bytes);
		for (unsigned abi = 0; abi < ABI_COUNT; abi++) {
			for (unsigned nr = 0; nr < abis[abi].nrows + 2; nr++)
				one(f, abi, nr | abis[abi].nr_mask, 0, -1, &out);
		}
	}
	strbuf_deinit(&out);
}

static void sweep_variants(struct fake *f, const struct variants *v, unsigned nr,
			   struct strbuf *out)
{
	uint64_t value;

	for (unsigned i = 0; i < v->n; i++) {
		if (!variant_value(f->rows, v, &v->rows[i], &abis[ABI_X86_64], &value))
			continue;
		random_memory(f->bytes);
		for (unsigned k = 0; k < 8; k++)
			one(f, ABI_X86_64, nr, value, v->key->reg, out);
	}
}

static void test_sweep_rows(void **state)
{
	struct fake *f = *state;

	sweep(f, 12);
}

static void test_sweep_rows_verbose(void **state)
{
	uint8_t modes[ABI_COUNT * ROW_COUNT];
	struct fake *f = *state;

	memset(modes, DECODE_FULL, sizeof(modes));
	f->config.per_syscall = modes;
	sweep(f, 6);
	f->config.per_syscall = NULL;
}

static void test_sweep_variants(void **state)
{
	struct fake *f = *state;
	struct strbuf out = {0};

	for (unsigned nr = 0; nr < abis[ABI_X86_64].nrows; nr++) {
		int row = abi_row(&abis[ABI_X86_64], nr);

		if (row < 0 || !syscall_descs[row].variants)
			continue;
		sweep_variants(f, syscall_descs[row].variants, nr, &out);
	}
	strbuf_deinit(&out);
}

/*
 * Returns the number of values that were not captured. Fails if a value states that the tracee
 * itself could not read its memory.
 */
static unsigned check_not_captured(const struct value *parent, const char *name)
{
	unsigned found = parent->err == -ENODATA;

	if (parent->err == -EFAULT)
		fail_msg("%s: memory that was never captured is shown as unreadable", name);
	if (parent->kind == VALUE_STRUCT || parent->kind == VALUE_ARRAY ||
	    parent->kind == VALUE_SEQ || parent->kind == VALUE_CHANGE)
		value_for_each(parent, v) found += check_not_captured(v, name);
	return found;
}

static unsigned check_event(const struct syscall_event *ev)
{
	unsigned found = 0;

	for (unsigned i = 0; i < ev->base.nargs; i++) {
		if (ev->base.args[i].in)
			found += check_not_captured(ev->base.args[i].in, ev->base.name);
		if (ev->base.args[i].out)
			found += check_not_captured(ev->base.args[i].out, ev->base.name);
	}
	return found;
}

/*
 * Decodes a syscall whose pointers point to memory that was never captured, or to the end of the
 * captured memory. Returns the number of values that were not captured.
 */
static unsigned one_not_captured(struct fake *f, uint64_t nr, uint64_t selector, int selector_reg)
{
	struct syscall_event *ev;
	unsigned found;

	f->tcb.regs = (struct syscall_regs){.audit = abis[ABI_X86_64].audit, .nr = nr};
	for (unsigned i = 0; i < SYSCALL_ARGS_MAX; i++)
		f->tcb.regs.args[i] =
			random64() & 1 ? BASE + MEMORY - random64() % 64 : random64() % 4096;
	if (selector_reg >= 0)
		f->tcb.regs.args[selector_reg] = selector;
	ev = syscall_begin(&f->tcb, f->rows);
	syscall_decode_enter(&f->tcb, &f->config);
	found = check_event(ev);
	f->tcb.regs.ret = random64() % 4096;
	syscall_end(&f->tcb);
	syscall_decode_exit(&f->tcb, &f->config);
	found += check_event(ev);
	syscall_finish(&f->tcb);
	return found;
}

/* If a decoder shows an address because a read has failed, the value contains the error. */
static void test_reason(void **state)
{
	struct fake *f = *state;
	struct syscall_event *ev;

	f->memory.absent = -ENODATA;
	f->tcb.regs = (struct syscall_regs){
		.audit = abis[ABI_X86_64].audit, .nr = 46 /* sendmsg */, .args = {3, BASE - 4096}};
	ev = syscall_begin(&f->tcb, f->rows);
	syscall_decode_enter(&f->tcb, &f->config);
	syscall_end(&f->tcb);
	syscall_decode_exit(&f->tcb, &f->config);
	assert_int_equal((ev->base.args[1].out ? ev->base.args[1].out : ev->base.args[1].in)->err,
			 -ENODATA);
	syscall_finish(&f->tcb);
	f->memory.absent = -EFAULT;
}

/*
 * All decoders, including custom functions and ends of arrays, mark values whose memory was not
 * captured.
 */
static void test_not_captured(void **state)
{
	uint8_t modes[ABI_COUNT * ROW_COUNT];
	struct fake *f = *state;
	unsigned found = 0;

	f->memory.absent = -ENODATA;
	memset(modes, DECODE_FULL, sizeof(modes));
	for (unsigned round = 0; round < 12; round++) {
		random_memory(f->bytes);
		f->config.per_syscall = round & 1 ? modes : NULL;
		for (unsigned nr = 0; nr < abis[ABI_X86_64].nrows; nr++) {
			int row = abi_row(&abis[ABI_X86_64], nr);
			const struct variants *v = row < 0 ? NULL : syscall_descs[row].variants;
			uint64_t value;

			found += one_not_captured(f, nr, 0, -1);
			for (unsigned i = 0; v && i < v->n; i++)
				if (variant_value(f->rows, v, &v->rows[i], &abis[ABI_X86_64],
						  &value))
					found += one_not_captured(f, nr, value, v->key->reg);
		}
	}
	f->config.per_syscall = NULL;
	assert_true(found > 1000);
}

/*
 * Checks the name of each variant. The name table (xlat) must contain the name, because otherwise
 * lookups never find the variant. If the name table has several names for the variant's number, the
 * variant must be marked with IOCTL_ALSO, to show that this is intended.
 */
static void check_names(struct row_finder *rows, const struct variants *v, const struct abi *abi)
{
	const struct xlat *names = v->key->names;

	for (unsigned i = 0; i < v->n; i++) {
		const struct variant *row = &v->rows[i];
		uint64_t value;

		if ((row->only_64 && abi->compat) || (row->only_x86 && !abi->x86_forms))
			continue;
		/* Other machines lack some of the names that x86 has. */
		if (v->numbers && !abi->x86_forms)
			continue;
		if (!variant_value(rows, v, row, abi, &value))
			fail_msg("%s: %s is not in table %s", v->name, row->value_name,
				 names->name);
		for (unsigned k = 0; k < names->n; k++) {
			const struct xlat_entry *e = &names->entries[k];

			if (abi->index != ABI_X86_64 || e->val << v->shift != value ||
			    !strcmp(e->name, row->value_name))
				continue;
			if (!row->also || strcmp(row->also, e->name))
				fail_msg("%s: %s is also %s", v->name, row->value_name, e->name);
		}
	}
}

static void check_also(const struct variants *v)
{
	for (unsigned i = 0; i < v->n; i++) {
		const struct variant *row = &v->rows[i];
		const struct xlat_entry *e, *other;

		if (!row->also)
			continue;
		e = xlat_find(v->key->names, row->value_name);
		other = xlat_find(v->key->names, row->also);
		if (!e || !other || e->val != other->val)
			fail_msg("%s: %s is not %s", v->name, row->also, row->value_name);
	}
}

static void test_variants_are_named(void **state)
{
	struct fake *f = *state;

	for (unsigned i = 0; i < syscall_desc_count; i++) {
		const struct variants *v = syscall_descs[i].variants;

		if (!v)
			continue;
		for (unsigned abi = 0; abi < ABI_COUNT; abi++)
			check_names(f->rows, v, &abis[abi]);
		check_also(v);
	}
}

/*
 * Checks that a lookup of each number finds the variant for this number. If two variants had the
 * same number, the second variant would never be used.
 */
static void check_found(struct row_finder *rows, const struct syscall_desc *desc,
			const struct abi *abi)
{
	const struct variants *v = desc->variants;

	for (unsigned i = 0; i < v->n; i++) {
		uint64_t args[SYSCALL_ARGS_MAX] = {0};
		const struct syscall_desc *found;

		if (!variant_value(rows, v, &v->rows[i], abi, &args[v->key->reg]))
			continue;
		found = row_finder_select(rows, desc, abi, args);
		assert_string_equal(found->name, v->rows[i].desc.name);
		assert_int_equal(found->nargs,
				 v->rows[i].desc.nargs + (v->rows[i].whole ? 0 : v->key->nprefix));
		assert_ptr_equal(row_finder_select(rows, desc, abi, args), found);
	}
}

static void test_variants_are_found(void **state)
{
	struct fake *f = *state;

	for (unsigned i = 0; i < syscall_desc_count; i++)
		for (unsigned abi = 0; syscall_descs[i].variants && abi < ABI_COUNT; abi++)
			check_found(f->rows, &syscall_descs[i], &abis[abi]);
}

static const struct struct_desc *const structs[] = {
#define STRUCT_NAME(s) &struct_##s,
#include "linux/struct_names.h"
};

/*
 * Checks that the names in a condition exist. condition_values() ends the program if a name is
 * missing from its table, so that this test fails.
 */
static void check_condition(const struct condition *c)
{
	if (!c)
		return;
	if (c->names)
		assert_true(condition_values(c)->n);
	check_condition(c->first.when);
	check_condition(c->second.when);
}

static void check_conditions(const struct syscall_desc *desc)
{
	for (unsigned i = 0; i < desc->nargs; i++)
		check_condition(desc->args[i].when);
}

static void test_conditions_are_named(void **state attr_unused)
{
	for (size_t i = 0; i < ARRAY_SIZE(structs); i++)
		for (unsigned k = 0; k < structs[i]->nfields; k++) {
			const struct condition *c = structs[i]->fields[k].when;

			if (c && c->names)
				assert_true(condition_values(c)->n);
		}
	for (unsigned i = 0; i < syscall_desc_count; i++) {
		const struct variants *v = syscall_descs[i].variants;

		check_conditions(&syscall_descs[i]);
		for (unsigned k = 0; v && k < v->n; k++)
			check_conditions(&v->rows[k].desc);
	}
}

static void test_every_number_has_a_row(void **state attr_unused)
{
	for (unsigned abi = 0; abi < ABI_COUNT; abi++)
		for (unsigned nr = 0; nr < abis[abi].nrows; nr++) {
			int row = abi_row(&abis[abi], nr);

			if (row < 0)
				continue;
			assert_true((unsigned)row < syscall_desc_count);
			assert_non_null(syscall_descs[row].name);
			if (syscall_descs[row].nargs && !syscall_descs[row].variants)
				for (unsigned i = 0; i < syscall_descs[row].nargs; i++)
					assert_non_null(syscall_descs[row].args[i].type.ops);
		}
}

static int setup(void **state)
{
	struct fake *f = malloc(sizeof(*f));

	fake_init(f, BASE, calloc(1, MEMORY), MEMORY);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fake *f = *state;

	fake_deinit(f);
	free(f->bytes);
	free(f);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_number_has_a_row),
		cmocka_unit_test_setup_teardown(test_variants_are_named, setup, teardown),
		cmocka_unit_test_setup_teardown(test_variants_are_found, setup, teardown),
		cmocka_unit_test(test_conditions_are_named),
		cmocka_unit_test_setup_teardown(test_sweep_rows, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sweep_rows_verbose, setup, teardown),
		cmocka_unit_test_setup_teardown(test_sweep_variants, setup, teardown),
		cmocka_unit_test_setup_teardown(test_not_captured, setup, teardown),
		cmocka_unit_test_setup_teardown(test_reason, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
