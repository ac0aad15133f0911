/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Valid, unusual and hostile ELF files, call frame information and symbols. */
#include <elf.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "stack/walk/cfi.h"
#include "linux/arch/code.h"
#include "stack/walk/rules.h"
#include "stack/files/budget.h"
#include "stack/files/elf_file.h"
#include "stack/names/lines.h"
#include "stack/names/naming.h"
#include "stack/names/symbols.h"
#include "unwind.h"
#include "util/strbuf.h"

#define MODE_64 arch_mode_of_elf(EM_X86_64)
#define MODE_32 arch_mode_of_elf(EM_386)

/* A file with one segment at address 0x1000. The test writes its .eh_frame and .symtab. */
#define TEXT 0x1000

struct image {
	uint8_t *data;
	size_t size;
};

struct maker {
	uint8_t bytes[4096];
	size_t n;
};

static void put(struct maker *m, const void *p, size_t n)
{
	assert_true(m->n + n <= sizeof(m->bytes));
	if (n)
		memcpy(m->bytes + m->n, p, n);
	m->n += n;
}

static void put_uint(struct maker *m, uint64_t v, size_t n)
{
	put(m, &v, n);
}

/*
 * Writes a CIE: version 1, code alignment 1, data alignment -8, absolute pointers. `augmentation`
 * is usually "zR", and `ra` is the column of the return address. `program` contains n bytes of
 * initial instructions.
 */
static void put_cie_of(struct maker *m, const char *augmentation, uint8_t ra,
		       const uint8_t *program, size_t n)
{
	size_t at = m->n, len;

	put_uint(m, 0, 4);
	put_uint(m, 0, 4);
	put_uint(m, 1, 1);
	put(m, augmentation, strlen(augmentation) + 1);
	put_uint(m, 1, 1);
	put_uint(m, 0x78, 1);
	put_uint(m, ra, 1);
	put_uint(m, 1, 1);
	put_uint(m, 0, 1); /* R: absolute addresses */
	put(m, program, n);
	len = m->n - at - 4;
	memcpy(m->bytes + at, &len, 4);
}

static void put_cie(struct maker *m, const char *augmentation, const uint8_t *program, size_t n)
{
	put_cie_of(m, augmentation, 16, program, n);
}

static void put_fde(struct maker *m, uint64_t lo, uint64_t size, const uint8_t *program, size_t n)
{
	size_t at = m->n, len;

	put_uint(m, 0, 4);
	put_uint(m, at + 4, 4); /* the CIE is at offset 0 */
	put_uint(m, lo, 8);
	put_uint(m, size, 8);
	put_uint(m, 0, 1);
	put(m, program, n);
	len = m->n - at - 4;
	memcpy(m->bytes + at, &len, 4);
}

struct sym {
	const char *name;
	uint64_t addr, size;
	int type;
};

static struct elf_file *make_file(const struct maker *frame, const struct sym *syms, size_t nsyms)
{
	static const char names[] = "\0.eh_frame\0.symtab\0.strtab\0.shstrtab\0.debug_frame";
	size_t size = 64 << 10, at = 4096, strings = 1;
	uint8_t *image = calloc(1, size);
	Elf64_Ehdr *h = (void *)image;
	Elf64_Phdr *p = (void *)(image + sizeof(*h));
	Elf64_Shdr *s = (void *)(image + 512);
	Elf64_Sym *sym;
	char *str;

	memcpy(h->e_ident, ELFMAG, SELFMAG);
	h->e_ident[EI_CLASS] = ELFCLASS64;
	h->e_ident[EI_DATA] = ELFDATA2LSB;
	h->e_machine = EM_X86_64;
	h->e_type = ET_DYN;
	h->e_phoff = sizeof(*h);
	h->e_phnum = 1;
	h->e_phentsize = sizeof(*p);
	h->e_shoff = 512;
	h->e_shnum = 5;
	h->e_shentsize = sizeof(*s);
	h->e_shstrndx = 4;
	*p = (Elf64_Phdr){.p_type = PT_LOAD,
			  .p_flags = PF_R | PF_X,
			  .p_vaddr = TEXT,
			  .p_filesz = size,
			  .p_memsz = size};
	s[1] = (Elf64_Shdr){.sh_name = 1,
			    .sh_type = SHT_PROGBITS,
			    .sh_addr = TEXT + at,
			    .sh_offset = at,
			    .sh_size = frame->n};
	memcpy(image + at, frame->bytes, frame->n);
	at += 4096;
	s[2] = (Elf64_Shdr){.sh_name = 11,
			    .sh_type = SHT_SYMTAB,
			    .sh_link = 3,
			    .sh_offset = at,
			    .sh_size = (nsyms + 1) * sizeof(*sym),
			    .sh_entsize = sizeof(*sym)};
	sym = (void *)(image + at);
	at += 4096;
	str = (char *)image + at;
	for (size_t i = 0; i < nsyms; i++) {
		sym[i + 1] = (Elf64_Sym){.st_name = strings,
					 .st_info = ELF64_ST_INFO(STB_GLOBAL, syms[i].type),
					 .st_shndx = 1,
					 .st_value = syms[i].addr,
					 .st_size = syms[i].size};
		strcpy(str + strings, syms[i].name);
		strings += strlen(syms[i].name) + 1;
	}
	s[3] = (Elf64_Shdr){
		.sh_name = 19, .sh_type = SHT_STRTAB, .sh_offset = at, .sh_size = strings};
	s[4] = (Elf64_Shdr){
		.sh_name = 27, .sh_type = SHT_STRTAB, .sh_offset = 1024, .sh_size = sizeof(names)};
	memcpy(image + 1024, names, sizeof(names));
	return elf_file_from_image(image, size);
}

static const uint8_t usual_start[] = {0x0c, 7, 8, 0x90, 1}; /* CFA rsp+8, RA at CFA-8 */

static struct elf_file *file_of(const uint8_t *program, size_t n)
{
	struct maker m = {.n = 0};

	put_cie(&m, "zR", usual_start, sizeof(usual_start));
	put_fde(&m, 0x1100, 0x100, program, n);
	return make_file(&m, NULL, 0);
}

static int look(struct elf_file *f, uint64_t addr, struct cfi_row *row)
{
	int err = cfi_lookup(f, MODE_64, addr, row);

	if (!err)
		free(row->bytes);
	return err;
}

static void test_rows(void **state)
{
	/* push rbp; mov rsp,rbp; ...; leave; ret */
	static const uint8_t program[] = {0x41, 0x0e, 16,   0x86, 2, 0x43, 0x0d, 6,
					  0x50, 0x0a, 0x0c, 7,	  8, 0x41, 0x0b};
	struct elf_file *f = file_of(program, sizeof(program));
	struct cfi_row r;
	struct rule rule;

	(void)state;
	assert_int_equal(look(f, 0x10ff, &r), -ENOENT);
	assert_int_equal(look(f, 0x1200, &r), -ENOENT);
	assert_int_equal(look(f, 0x1100, &r), 0);
	assert_int_equal(r.cfa_reg, 7);
	assert_int_equal(r.cfa.n, 8);
	assert_int_equal(r.regs[16].where, CFI_OFFSET);
	assert_int_equal(r.regs[16].n, -8);
	assert_int_equal(r.regs[6].where, CFI_SAME);
	assert_int_equal(look(f, 0x1101, &r), 0);
	assert_int_equal(r.cfa.n, 16);
	assert_int_equal(r.regs[6].n, -16);
	assert_int_equal(look(f, 0x1104, &r), 0);
	assert_int_equal(r.cfa_reg, 6);
	assert_int_equal(r.cfa.n, 16);
	assert_int_equal(look(f, 0x1114, &r), 0);
	assert_int_equal(r.cfa_reg, 7);
	assert_int_equal(r.cfa.n, 8);
	assert_int_equal(look(f, 0x1115, &r), 0);
	assert_int_equal(r.cfa_reg, 6); /* restored by DW_CFA_restore_state */
	rule = rule_get(f, MODE_64, 0x1104);
	assert_int_equal(rule.kind, RULE_BP);
	assert_int_equal(rule.cfa_off, 16);
	assert_int_equal(rule.bp_at, -2);
	assert_int_equal(rule.ra_at, -1);
	rule = rule_get(f, MODE_64, 0x1100);
	assert_int_equal(rule.kind, RULE_SP);
	assert_int_equal(rule.bp_at, RULE_BP_KEPT);
	assert_int_equal(rule_get(f, MODE_64, 0x1200).kind, RULE_NONE);
	elf_file_close(f);
}

/*
 * The CFI of glibc's _dl_runtime_resolve() on aarch64. The function is called by a stub that has
 * pushed two words, and the CFI ignores these words.
 */
static void test_stub(void **state)
{
	static const uint8_t start[] = {0x0c, 31, 0}; /* CFA sp+0 */
	/* x30 saved at CFA+8; CFA is sp+208; CFA is sp-16, x30 restored */
	static const uint8_t program[] = {0x11, 30,   0x7f, 0x44, 0x0e, 0xd0,
					  0x01, 0x44, 0x13, 2,	  0xde};
	const struct arch_mode *mode = arch_mode_of_elf(EM_AARCH64);
	struct maker m = {.n = 0};
	struct elf_file *f;
	struct rule rule;

	(void)state;
	put_cie_of(&m, "zR", 30, start, sizeof(start));
	put_fde(&m, 0x1100, 0x100, program, sizeof(program));
	f = make_file(&m, NULL, 0);
	rule = rule_get(f, mode, 0x1100);
	assert_int_equal(rule.kind, RULE_SP);
	assert_int_equal(rule.cfa_off, 16);
	assert_int_equal(rule.ra_at, -1);
	rule = rule_get(f, mode, 0x1104);
	assert_int_equal(rule.kind, RULE_SP);
	assert_int_equal(rule.cfa_off, 224);
	assert_int_equal(rule.ra_at, -1);
	rule = rule_get(f, mode, 0x1108);
	assert_int_equal(rule.kind, RULE_LEAF);
	assert_int_equal(rule.cfa_off, 0);
	elf_file_close(f);
}

static void check_kind(const uint8_t *program, size_t n, enum rule_kind kind)
{
	struct elf_file *f = file_of(program, n);

	assert_int_equal(rule_get(f, MODE_64, 0x1180).kind, kind);
	/* The second lookup uses the table of rules. */
	assert_int_equal(rule_get(f, MODE_64, 0x1180).kind, kind);
	elf_file_close(f);
}

#define KIND(kind, ...)                                                                            \
	check_kind((const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}), kind)

static void test_kinds(void **state)
{
	(void)state;
	KIND(RULE_SP, 0);
	KIND(RULE_END, 0x07, 16);	   /* RA undefined */
	KIND(RULE_SLOW, 0x0d, 10);	   /* CFA by r10 */
	KIND(RULE_SLOW, 0x0f, 2, 0x77, 8); /* CFA by expression */
	KIND(RULE_SP, 0x90, 2);		   /* RA at another offset, which a rule can express */
	KIND(RULE_SLOW, 0x11, 16, 0x80, 0x80, 0x7e); /* RA's offset is too large */
	KIND(RULE_SLOW, 0x09, 16, 5);		     /* RA is in a register */
	KIND(RULE_SLOW, 0x10, 6, 2, 0x77, 0);	     /* rbp by expression */
	KIND(RULE_SLOW, 0x07, 6);		     /* rbp lost */
	KIND(RULE_SLOW, 0x16, 7, 2, 0x77, 0);	     /* rsp by expression */
	KIND(RULE_SP, 0x90 - 13, 3);		     /* the rule for rbx is not needed */
	KIND(RULE_SP, 0x05, 40, 3);		     /* rules for vector registers are ignored */
	KIND(RULE_BAD, 0x3f);			     /* unknown instruction */
	KIND(RULE_BAD, 0x0b);			     /* no saved state to restore */
	KIND(RULE_BAD, 0x0c, 0x80);		     /* truncated number */
	KIND(RULE_BAD, 0x0c, 99, 8);		     /* unknown register */
	KIND(RULE_BAD, 0x0f, 100, 0x77);	     /* expression is longer than the record */
	KIND(RULE_BAD, 0x0c, 7, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f);
}

/* When the memory budget is used up, the table of rules returns only what was charged for it. */
static void test_rule_budget(void **state)
{
	static const uint8_t program[] = {0};
	struct elf_file *f = file_of(program, sizeof(program));
	struct budget budget;
	uint64_t others = 1 << 20;

	(void)state;
	budget_init(&budget);
	f->budget = &budget;
	assert_true(elf_file_charge(f, others));
	rule_get(f, MODE_64, 0x10000);
	assert_true(f->bytes > others);
	budget.bytes = BUDGET_BYTES;
	for (uint64_t addr = 0x20000; addr < 0x21000; addr++)
		assert_int_equal(rule_get(f, MODE_64, addr).kind, RULE_NONE);
	assert_true(f->bytes >= others);
	elf_file_close(f);
}

static bool read_some(void *ctx, uint64_t addr, void *buf, size_t n)
{
	(void)ctx;
	if (addr < 0x1000)
		return false;
	memset(buf, 0x11, n);
	return true;
}

static int evaluate(const uint8_t *e, size_t n, uint64_t *v)
{
	struct cfi_machine m = {.mode = MODE_64, .valid = 1u << 7 | 1u << 6, .read = read_some};

	m.reg[7] = 0x5000;
	m.reg[6] = 0x6000;
	return cfi_expr(&m, e, n, true, 0x7000, v);
}

#define EXPR(want, ...)                                                                            \
	do {                                                                                       \
		uint64_t v;                                                                        \
		assert_int_equal(evaluate((const uint8_t[]){__VA_ARGS__},                          \
					  sizeof((uint8_t[]){__VA_ARGS__}), &v),                   \
				 0);                                                               \
		assert_true(v == (uint64_t)(want));                                                \
	} while (0)
#define EXPR_FAILS(err, ...)                                                                       \
	do {                                                                                       \
		uint64_t v;                                                                        \
		assert_int_equal(evaluate((const uint8_t[]){__VA_ARGS__},                          \
					  sizeof((uint8_t[]){__VA_ARGS__}), &v),                   \
				 err);                                                             \
	} while (0)

static void test_expressions(void **state)
{
	uint8_t pushes[100];
	uint64_t v;

	(void)state;
	EXPR(0x7000, 0x96);
	EXPR(0x5008, 0x77, 8);
	EXPR(0x4ff8, 0x77, 0x78);
	EXPR(0x1111111111111111, 0x77, 0, 0x06);
	EXPR(0x1111, 0x77, 0, 0x94, 2);
	EXPR(3, 0x35, 0x32, 0x1c); /* 5 - 2 */
	EXPR(-1, 0x31, 0x1f);	   /* neg */
	EXPR(-2, 0x09, 0xfe);	   /* const1s */
	EXPR(0xfe, 0x08, 0xfe);	   /* const1u */
	EXPR(0x1234, 0x0a, 0x34, 0x12);
	EXPR(1, 0x31, 0x32, 0x2d);	       /* 1 < 2 */
	EXPR(2, 0x31, 0x32, 0x16, 0x13);       /* swap, drop */
	EXPR(7, 0x37, 0x31, 0x28, 1, 0, 0x31); /* DW_OP_bra skips a push */
	EXPR(0x80, 0x31, 0x37, 0x24);	       /* shl */
	EXPR(0, 0x31, 0x08, 64, 0x24);	       /* shift by the width of the type */
	EXPR(0x6008, 0x92, 6, 8);
	EXPR(-1, 0x09, 0x80, 0x08, 200, 0x26); /* shra */
	EXPR_FAILS(-EINVAL, 0x13, 0x13);       /* drops more values than the stack has */
	EXPR_FAILS(-EINVAL, 0x13);	       /* leaves the stack empty */
	EXPR_FAILS(-EINVAL, 0x31, 0x30, 0x1b); /* division by zero */
	EXPR_FAILS(-EINVAL, 0x31, 0x30, 0x1d);
	EXPR_FAILS(-EINVAL, 0x11, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f, 0x09,
		   0xff, 0x1b);		       /* divides the most negative number by -1 */
	EXPR_FAILS(-EINVAL, 0x70, 0);	       /* an unknown register */
	EXPR_FAILS(-EINVAL, 0x15, 9);	       /* picks an element below the bottom of the stack */
	EXPR_FAILS(-EINVAL, 0x2f, 0xfd, 0xff); /* a loop */
	EXPR_FAILS(-EINVAL, 0x2f, 100, 0);     /* jumps out of the expression */
	EXPR_FAILS(-EINVAL, 0x0e, 1, 2);       /* cut off */
	EXPR_FAILS(-EINVAL, 0xe0);	       /* unknown operation */
	EXPR_FAILS(-EINVAL, 0x03, 0, 0, 0, 0, 0, 0, 0, 0);
	EXPR_FAILS(-EFAULT, 0x30, 0x06);
	memset(pushes, 0x31, sizeof(pushes));
	assert_int_equal(evaluate(pushes, sizeof(pushes), &v), -EINVAL);
}

static void test_odd_cies(void **state)
{
	struct maker m = {.n = 0};
	struct elf_file *f;
	struct cfi_row r;

	(void)state;
	put_cie(&m, "zRS", usual_start, sizeof(usual_start));
	put_fde(&m, 0x1100, 0x100, NULL, 0);
	put_fde(&m, 0x1300, 0x10, NULL, 0);
	f = make_file(&m, NULL, 0);
	assert_int_equal(look(f, 0x1108, &r), 0);
	assert_true(r.signal);
	assert_int_equal(look(f, 0x1308, &r), 0);
	elf_file_close(f);
	/*
	 * FDEs whose CIE or length is outside the section, whose header is truncated, or whose CIE
	 * has an unknown version.
	 */
	for (int how = 0; how < 4; how++) {
		m.n = 0;
		put_cie(&m, "zR", usual_start, sizeof(usual_start));
		put_fde(&m, 0x1100, 0x100, NULL, 0);
		if (how == 0)
			memset(m.bytes + m.n - 21, 0xee, 4);
		else if (how == 1)
			memset(m.bytes + m.n - 25, 0xee, 4);
		else if (how == 2)
			m.n -= 10;
		else
			m.bytes[8] = 9; /* an unknown version */
		f = make_file(&m, NULL, 0);
		assert_true(look(f, 0x1108, &r) < 0);
		elf_file_close(f);
	}
}

/* An address that is too large for the keys of the tables has no rule and no row. */
static void test_large_addresses(void **state)
{
	static const uint8_t nothing[] = {0};
	struct elf_file *f = file_of(nothing, sizeof(nothing));

	(void)state;
	assert_int_equal(rule_get(f, MODE_64, 0x1180).kind, RULE_SP);
	assert_int_equal(row_get(f, MODE_64, 0x1180)->err, 0);
	assert_int_equal(code_row_get(f, MODE_64, 0x1180, CODE_EXIT)->err, -ENOENT);
	for (unsigned bit = 48; bit < 64; bit++) {
		assert_int_equal(rule_get(f, MODE_64, 0x1180 | 1ull << bit).kind, RULE_NONE);
		assert_int_equal(row_get(f, MODE_64, 0x1180 | 1ull << bit)->err, -ENOENT);
	}
	elf_file_close(f);
}

/* If the budget does not allow reading .debug_frame, this is not taken for a lack of CFI. */
static void test_debug_frame_refused(void **state)
{
	struct maker m = {.n = sizeof(m.bytes)};
	/* bytes that are left for the file and for all files, and the result of the look-up */
	const struct {
		uint64_t file, all;
		int err;
	} cases[] = {
		{m.n, m.n, -ENOENT},
		{m.n - 1, m.n, -EAGAIN},
		{m.n, m.n - 1, -EAGAIN},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct elf_file *f = make_file(&m, NULL, 0);
		struct budget budget;
		struct cfi_row r;

		/* the offset of ".debug_frame" in the section names */
		((Elf64_Shdr *)(f->image + 512))[1].sh_name = 37;
		budget_init(&budget);
		f->budget = &budget;
		f->bytes = BUDGET_FILE_BYTES - cases[i].file;
		budget.bytes = BUDGET_BYTES - cases[i].all;
		assert_int_equal(look(f, 0x1100, &r), cases[i].err);
		elf_file_close(f);
	}
}

static const char *named(struct elf_file *f, uint64_t addr, uint64_t *offset)
{
	const struct line *l = naming_line(f, addr, true, false);

	*offset = l->offset;
	return l->symbol ? l->symbol : "";
}

static void test_symbols(void **state)
{
	const bool demangles = unwind_has(UNWIND_DEMANGLING);
	static const struct sym syms[] = {
		{"outer", 0x2000, 0x100, STT_FUNC},
		{"inner", 0x2010, 0x10, STT_FUNC},
		{"first", 0x3000, 0x10, STT_FUNC},
		{"second", 0x3000, 0x20, STT_FUNC},
		{"sizeless", 0x1100, 0, STT_FUNC},
		{"data", 0x2080, 0x10, STT_OBJECT},
		{"elsewhere", 0x4000, 0, STT_FUNC},
		{"_ZN2ns1fEi", 0x5000, 0x10, STT_FUNC},
		{"bare", 0x6000, 0x10, STT_NOTYPE},
		{"_ZN4core3fmt5write17h0123456789abcdefE", 0x7000, 8, STT_FUNC},
	};
	struct namer *namer = namer_create();
	struct maker m = {.n = 0};
	struct elf_file *f;
	uint64_t off;

	(void)state;
	put_cie(&m, "zR", usual_start, sizeof(usual_start));
	put_fde(&m, 0x1100, 0x100, NULL, 0);
	f = make_file(&m, syms, ARRAY_SIZE(syms));
	f->namer = namer;
	assert_string_equal(named(f, 0x1fff, &off), "");
	assert_string_equal(named(f, 0x2000, &off), "outer");
	assert_string_equal(named(f, 0x200f, &off), "outer");
	assert_string_equal(named(f, 0x2010, &off), "inner");
	/* the address is after the end of the nested symbol */
	assert_string_equal(named(f, 0x2020, &off), "outer");
	assert_int_equal(off, 0x20);
	assert_string_equal(named(f, 0x2084, &off), "outer");
	assert_string_equal(named(f, 0x2100, &off), "");
	assert_string_equal(named(f, 0x3004, &off), "first");
	assert_string_equal(named(f, 0x3014, &off), "second");
	/* A symbol of size 0 extends to the end of the FDE that begins at its address. */
	assert_string_equal(named(f, 0x11ff, &off), "sizeless");
	assert_string_equal(named(f, 0x1200, &off), "");
	assert_string_equal(named(f, 0x4000, &off), "");
	assert_string_equal(named(f, 0x5001, &off), demangles ? "ns::f(int)" : "_ZN2ns1fEi");
	assert_string_equal(named(f, 0x6001, &off), "bare");
	assert_string_equal(named(f, 0x7001, &off),
			    demangles ? "core::fmt::write"
				      : "_ZN4core3fmt5write17h0123456789abcdefE");
	elf_file_close(f);
	namer_destroy(namer);
}

/* If there is no CFI, code is analysed up to the instruction that returns. */

struct bytes {
	const uint8_t *p;
	size_t n;
};

static bool read_bytes(void *ctx, uint64_t addr, void *buf, size_t n)
{
	const struct bytes *b = ctx;

	if (addr > b->n || n > b->n - addr)
		return false;
	memcpy(buf, b->p + addr, n);
	return true;
}

static bool find_exit(const uint8_t *p, size_t n, struct code_exit *x)
{
	struct bytes b = {p, n};

	return MODE_64->code->find_exit(&(struct code_source){read_bytes, &b}, 0, x);
}

#define EXIT(x, ...) find_exit((const uint8_t[]){__VA_ARGS__}, sizeof((uint8_t[]){__VA_ARGS__}), x)

static void test_code(void **state)
{
	static const uint8_t calls[] = {0, 0, 0xe8, 1, 2, 3,	4,    0x90,
					0, 0, 0,    0, 0, 0xff, 0xd0, 0x90};
	struct bytes b = {calls, sizeof(calls)};
	struct code_source source = {read_bytes, &b};
	struct code_exit x;

	(void)state;
	assert_true(EXIT(&x, 0xc3)); /* ret */
	assert_int_equal(x.ra, 0);
	assert_int_equal(x.base, 7);
	/* add $0x18,%rsp; pop %rbx; pop %rbp; pop %r12; ret */
	assert_true(EXIT(&x, 0x48, 0x83, 0xc4, 0x18, 0x5b, 0x5d, 0x41, 0x5c, 0xc3));
	assert_int_equal(x.ra, 0x30);
	assert_int_equal(x.saved, 1 << 3 | 1 << 6 | 1 << 12);
	assert_int_equal(x.at[3], 0x18);
	assert_int_equal(x.at[6], 0x20);
	assert_int_equal(x.at[12], 0x28);
	assert_true(EXIT(&x, 0xc9, 0xc3)); /* leave; ret */
	assert_int_equal(x.base, 6);
	assert_int_equal(x.ra, 8);
	assert_int_equal(x.at[6], 0);
	/* lea -0x10(%rbp),%rsp; pop %rbx; pop %r12; pop %rbp; ret */
	assert_true(EXIT(&x, 0x48, 0x8d, 0x65, 0xf0, 0x5b, 0x41, 0x5c, 0x5d, 0xc3));
	assert_int_equal(x.base, 6);
	assert_int_equal(x.ra, 8);
	assert_int_equal(x.at[3], -16);
	/*
	 * push %rbp; call; pop %rbp. The code has pushed rbp itself, so rbp is not a saved register
	 * of the caller.
	 */
	assert_true(EXIT(&x, 0x55, 0xe8, 0, 0, 0, 0, 0x5d, 0xc3));
	assert_int_equal(x.ra, 0);
	assert_int_equal(x.saved, 0);
	/* je, which skips a ud2; nop; ret */
	assert_true(EXIT(&x, 0x74, 0x02, 0x0f, 0x0b, 0x90, 0xc3));
	assert_false(EXIT(&x, 0xeb, 0xfe));		/* a loop */
	assert_false(EXIT(&x, 0xff, 0xe0));		/* jmp *%rax */
	assert_false(EXIT(&x, 0x48, 0x89, 0xc4, 0xc3)); /* mov %rax,%rsp */
	assert_false(EXIT(&x, 0x90, 0x90));		/* the code ends without a return */
	assert_false(EXIT(&x, 0x48, 0x83));		/* a truncated instruction */
	assert_true(MODE_64->code->follows_call(&source, 7));
	assert_true(MODE_64->code->follows_call(&source, 15));
	assert_false(MODE_64->code->follows_call(&source, 8));
	assert_false(MODE_64->code->follows_call(&source, 3));
}

/* Sparse files are accepted whatever their size. */
static void test_holes(void **state)
{
	int fd = memfd_create("holes", 0);
	Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT}};
	struct elf_file *f;

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, &h, sizeof(h)), sizeof(h));
	assert_int_equal(ftruncate(fd, INT64_MAX >> 12 << 12), 0);
	f = elf_file_open_fd(fd);
	assert_non_null(f);
	assert_null(elf_file_section(f, ".symtab"));
	elf_file_close(f);
}

/* Looks up random addresses in f, which may be damaged. Any result is acceptable except a crash. */
static void use(struct elf_file *f, unsigned seed)
{
	struct mapping m = {.start = 0x400000, .end = 0x500000};
	struct strbuf b = {0};
	uint64_t addr, start;
	struct cfi_row row;

	srand(seed);
	elf_file_build_id(f);
	for (int i = 0; i < 60; i++) {
		uint64_t lookup;

		m.offset = (uint64_t)(rand() % 512) << 12;
		if (!elf_file_address(f, &m, m.start + rand() % 0x100000, &addr))
			addr = rand();
		for (lookup = addr; lookup < addr + 64; lookup += 16) {
			look(f, lookup, &row);
			rule_get(f, MODE_64, lookup);
			rule_get(f, MODE_32, lookup);
			row_get(f, MODE_64, lookup);
			code_row_get(f, MODE_64, lookup, CODE_EXIT);
		}
		if (i < 10)
			symbols_find(f, addr, &b, &start);
	}
	strbuf_deinit(&b);
}

static uint8_t *own_program(size_t *size)
{
	FILE *file = fopen("/proc/self/exe", "r");
	uint8_t *data;

	fseek(file, 0, SEEK_END);
	*size = ftell(file);
	rewind(file);
	data = malloc(*size);
	assert_int_equal(fread(data, 1, *size, file), *size);
	fclose(file);
	return data;
}

static void test_hostile(void **state)
{
	size_t size, cut;
	uint8_t *good = own_program(&size);
	struct elf_file *f = elf_file_open_fd(open("/proc/self/exe", O_RDONLY));
	const struct elf_section *s[3];
	unsigned rounds = getenv("FUZZ_ROUNDS") ? atoi(getenv("FUZZ_ROUNDS")) : 150;

	(void)state;
	s[0] = elf_file_section(f, ".eh_frame");
	s[1] = elf_file_section(f, ".eh_frame_hdr");
	s[2] = elf_file_section(f, ".symtab");
	use(f, 1);
	for (unsigned round = 0; round < rounds; round++) {
		uint8_t *bad = malloc(size);
		struct elf_file *g;

		srand(round);
		memcpy(bad, good, size);
		for (int i = 0; i < 200; i++) {
			const struct elf_section *in = s[rand() % 3];
			size_t at;

			if (round % 4 == 0)
				at = rand() % 1024; /* in the program headers */
			else if (round % 4 == 1)
				at = size - 1 - rand() % 4096; /* in the section headers */
			else if (in && in->size && in->offset + in->size <= size)
				at = in->offset + rand() % in->size;
			else
				at = rand() % size;
			bad[at] = rand() % 3 ? rand() : rand() % 2 ? 0xff : 0;
			if (round % 4 == 0 && i > 8)
				break;
		}
		memcpy(bad, ELFMAG, SELFMAG);
		cut = round % 7 == 6 ? rand() % size : size;
		g = elf_file_from_image(bad, cut);
		if (g)
			use(g, round);
		elf_file_close(g);
	}
	elf_file_close(f);
	free(good);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_stub),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_rule_budget),
		cmocka_unit_test(test_expressions),
		cmocka_unit_test(test_odd_cies),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_code),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_large_addresses),
		cmocka_unit_test(test_debug_frame_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
