/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tests of stack walks on 32-bit Arm: exception tables, analysis of A32 and T32 code, and a stack
 * that needs both.
 */
#include <elf.h>
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

#include "capture/chunks.h"
#include "linux/arch/code.h"
#include "mmap_cache.h"
#include "stack/files/elf_file.h"
#include "stack/files/file_source.h"
#include "stack/files/map_source.h"
#include "stack/files/map_table.h"
#include "stack/walk/ehabi.h"
#include "unwind.h"
#include "unwind_state.h"

#define MODE arch_mode_of_elf(EM_ARM)

/* An ELF file with one segment at BASE. The other constants are file offsets. */
enum {
	BASE = 0x10000,
	SIZE = 0x2000,
	TEXT = 0x100,
	EXTAB = 0x800,
	EXIDX = 0xa00,
	SECTIONS = 0xc00,
	SYMBOLS = 0xe00,
	STRINGS = 0x1000
};

static uint8_t image[SIZE];
static uint32_t nentries, nsymbols, nstrings;

static void put(uint32_t at, uint32_t v)
{
	memcpy(image + at, &v, sizeof(v));
}

static void put_thumb(uint32_t at, const uint16_t *code, size_t n)
{
	memcpy(image + at, code, n * sizeof(*code));
}

static uint32_t prel31(uint32_t from, uint32_t to)
{
	return (to - from) & 0x7fffffff;
}

/*
 * Adds an exception table entry for the function at offset `function`. `word` is the entry's second
 * word.
 */
static void put_entry(uint32_t function, uint32_t word)
{
	const uint32_t at = EXIDX + 8 * nentries++;

	put(at, prel31(at, function));
	put(at + 4, word);
}

static void put_symbol(const char *name, uint32_t value, uint32_t size)
{
	const Elf32_Sym sym = {.st_name = 1 + nstrings,
			       .st_value = BASE + value,
			       .st_size = size,
			       .st_info = ELF32_ST_INFO(STB_GLOBAL, STT_FUNC),
			       .st_shndx = 1};

	memcpy(image + SYMBOLS + sizeof(sym) * ++nsymbols, &sym, sizeof(sym));
	memcpy(image + STRINGS + 1 + nstrings, name, strlen(name) + 1);
	nstrings += strlen(name) + 1;
}

static void begin_image(void)
{
	memset(image, 0, sizeof(image));
	nentries = nsymbols = nstrings = 0;
}

static void end_image(uint32_t entry)
{
	Elf32_Ehdr *h = (void *)image;
	Elf32_Phdr *p = (void *)(image + sizeof(*h));
	Elf32_Shdr *s = (void *)(image + SECTIONS);

	memcpy(h->e_ident, ELFMAG, SELFMAG);
	h->e_ident[EI_CLASS] = ELFCLASS32;
	h->e_ident[EI_DATA] = ELFDATA2LSB;
	h->e_machine = EM_ARM;
	h->e_type = ET_EXEC;
	h->e_entry = BASE + entry;
	h->e_phoff = sizeof(*h);
	h->e_phnum = 2;
	h->e_phentsize = sizeof(*p);
	h->e_shoff = SECTIONS;
	h->e_shnum = 3;
	h->e_shentsize = sizeof(*s);
	p[0] = (Elf32_Phdr){.p_type = PT_LOAD,
			    .p_flags = PF_R | PF_X,
			    .p_vaddr = BASE,
			    .p_filesz = SIZE,
			    .p_memsz = SIZE};
	p[1] = (Elf32_Phdr){.p_type = 0x70000001, /* PT_ARM_EXIDX */
			    .p_flags = PF_R,
			    .p_offset = EXIDX,
			    .p_vaddr = BASE + EXIDX,
			    .p_filesz = 8 * nentries,
			    .p_memsz = 8 * nentries};
	s[1] = (Elf32_Shdr){.sh_type = SHT_SYMTAB,
			    .sh_offset = SYMBOLS,
			    .sh_size = (1 + nsymbols) * sizeof(Elf32_Sym),
			    .sh_entsize = sizeof(Elf32_Sym),
			    .sh_link = 2};
	s[2] = (Elf32_Shdr){.sh_type = SHT_STRTAB, .sh_offset = STRINGS, .sh_size = 1 + nstrings};
}

static struct elf_file *open_image(void)
{
	uint8_t *copy = malloc(SIZE);
	struct elf_file *f;

	memcpy(copy, image, SIZE);
	f = elf_file_from_image(copy, SIZE);
	assert_non_null(f);
	return f;
}

/* ---- tables ---- */

/* Reads memory in which each word contains half of its own address. */
static bool read_half(void *ctx, uint64_t addr, void *buf, size_t n)
{
	const uint32_t v = addr / 2;

	(void)ctx;
	memcpy(buf, &v, n);
	return true;
}

/*
 * Prints where a row finds the caller's registers, assuming that each register r contains 0x1000 *
 * r.
 */
static void put_row(char *text, const struct cfi_row *row)
{
	struct cfi_machine m = {.mode = MODE, .read = read_half, .valid = UINT64_MAX};
	uint64_t cfa, at;

	for (unsigned i = 0; i < 16; i++)
		m.reg[i] = 0x1000 * i;
	cfa = m.reg[row->cfa_reg] + row->cfa.n;
	if (row->cfa_expr)
		assert_int_equal(
			cfi_expr(&m, row->bytes + row->cfa.n, row->cfa.len, false, 0, &cfa), 0);
	text += sprintf(text, "sp=%x", (unsigned)cfa);
	for (unsigned i = 0; i < MODE->columns; i++) {
		const struct cfi_rule *r = &row->regs[i];

		if (r->where == CFI_SAME)
			continue;
		at = cfa + r->n;
		if (r->where == CFI_EXPR)
			assert_int_equal(cfi_expr(&m, row->bytes + r->n, r->len, true, cfa, &at),
					 0);
		else
			assert_int_equal(r->where, CFI_OFFSET);
		text += sprintf(text, " r%u@%x", i, (unsigned)at);
	}
}

/*
 * Returns the row of a function as text. `word` is the second word of the function's table entry.
 * If it is 0, the entry refers to the list `words`.
 */
static const char *said(uint32_t word, const uint32_t *words, size_t n)
{
	static char text[512];
	struct elf_file *f;
	struct cfi_row row;
	int err;

	begin_image();
	put_entry(TEXT, 1);
	put_entry(TEXT + 0x20, word ? word : prel31(EXIDX + 12, EXTAB));
	put_entry(TEXT + 0x40, 1);
	for (size_t i = 0; i < n; i++)
		put(EXTAB + 4 * i, words[i]);
	end_image(TEXT);
	f = open_image();
	assert_int_equal(ehabi_lookup(f, MODE, BASE + TEXT - 2, &row), -ENOENT);
	assert_int_equal(ehabi_lookup(f, MODE, BASE + TEXT + 0x1e, &row), -ENOENT);
	assert_int_equal(ehabi_lookup(f, MODE, BASE + TEXT + 0x40, &row), -ENOENT);
	err = ehabi_lookup(f, MODE, BASE + TEXT + 0x20, &row);
	if (!err) {
		put_row(text, &row);
		free(row.bytes);
		assert_int_equal(ehabi_lookup(f, MODE, BASE + TEXT + 0x3f, &row), 0);
		free(row.bytes);
	}
	elf_file_close(f);
	return err == -ENOENT ? "nothing" : err ? "nonsense" : text;
}

#define INLINE(word) said(word, NULL, 0)
#define LISTED(...)                                                                                \
	said(0, (const uint32_t[]){__VA_ARGS__}, ARRAY_SIZE(((uint32_t[]){__VA_ARGS__})))

static void test_table(void **state)
{
	(void)state;
	assert_string_equal(INLINE(1), "nothing");
	assert_string_equal(INLINE(0x80b0b0b0), "sp=d000");
	assert_string_equal(INLINE(0x8001a8b0), "sp=d010 r4@d008 r14@d00c");
	assert_string_equal(INLINE(0x8041b0b0), "sp=cff8"); /* vsp -= 8 */
	assert_string_equal(INLINE(0x808408b0), "sp=d008 r7@d000 r14@d004");
	assert_string_equal(INLINE(0x80b108a9), "sp=d010 r3@d000 r4@d004 r5@d008 r14@d00c");
	assert_string_equal(INLINE(0x809701ab), "sp=701c r4@7008 r5@700c r6@7010 r7@7014 r14@7018");
	assert_string_equal(INLINE(0x80a1b0b0), "sp=d008 r4@d000 r5@d004");
	/* Personality 1 with two words: 0x204 + 4 * 130, and FPU registers. */
	assert_string_equal(LISTED(0x8101b282, 0x01a8b0b0), "sp=d414 r4@d40c r14@d410");
	assert_string_equal(LISTED(0x8101c981, 0xa8b3d0b0), "sp=d024 r4@d010 r14@d014");
	assert_string_equal(LISTED(0x8101b381, 0xb9d1a8b0), "sp=d040 r4@d038 r14@d03c");
	assert_string_equal(LISTED(0x8201b4b5, 0xa8b0b0b0), "sp=d00c r4@d004 r14@d008");
	assert_string_equal(LISTED(0x80a8b0b0), "sp=d008 r4@d000 r14@d004");
	/*
	 * A table entry for the personality routine of another language, and a list that is one
	 * word longer.
	 */
	assert_string_equal(LISTED(0x00001234, 0x01c0c703, 0xc6c1a8b0), "sp=d028 r4@d020 r14@d024");
	/* rows in which sp is restored from the stack or set from another register */
	assert_string_equal(LISTED(0x8101a7b0, 0),
			    "sp=d020 r4@d000 r5@d004 r6@d008 r7@d00c r8@d010 "
			    "r9@d014 r10@d018 r11@d01c");
	assert_string_equal(LISTED(0x8101a897, 0x01b0b0b0), "sp=7008 r4@d000 r14@d004");
	assert_string_equal(LISTED(0x81018008, 0x9701a8b0), "sp=6810 r4@6808 r7@d000 r14@680c");
	assert_string_equal(LISTED(0x81018280, 0x01b0b0b0), "sp=680a r11@d000");
	assert_string_equal(LISTED(0x81018280, 0xb0b0b0b0), "sp=6802 r11@d000");
}

static void test_bad_table(void **state)
{
	static const uint8_t spare[][2] = {{0x9d, 0xb0}, {0x9f, 0xb0}, {0xb1, 0x00}, {0xb1, 0x10},
					   {0xb6, 0xb0}, {0xb7, 0xb0}, {0xc7, 0x00}, {0xc7, 0x10},
					   {0xca, 0xb0}, {0xcf, 0xb0}, {0xd8, 0xb0}, {0xff, 0xb0}};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(spare); i++)
		assert_string_equal(INLINE(0x800000b0 | spare[i][0] << 16 | spare[i][1] << 8),
				    "nonsense");
	/* The opcode says that the function cannot be unwound. */
	assert_string_equal(INLINE(0x808000b0), "nothing");
	assert_string_equal(INLINE(0x81a8b0b0), "nonsense"); /* only personality 0 can be inline */
	assert_string_equal(INLINE(0x90a8b0b0), "nonsense");
	assert_string_equal(LISTED(0x83a8b0b0), "nonsense");
	assert_string_equal(LISTED(0x8800b0b0), "nonsense");
	assert_string_equal(INLINE(0x8001b2ff), "nonsense");		 /* a ULEB128 is missing */
	assert_string_equal(LISTED(0x8101b2ff, 0xffffffff), "nonsense"); /* ULEB128 too large */
	/* Opcodes after the finish opcode are ignored. */
	assert_string_equal(LISTED(0x81ffb0b0), "sp=d000");
	/*
	 * Reject rows that restore the pc. They describe signal frames, which are recognised by
	 * their code.
	 */
	assert_string_equal(LISTED(0x8102078f, 0xffb0b0b0), "nothing");
	/* The list of words is outside the file. */
	assert_string_equal(INLINE(prel31(EXIDX + 12, SIZE - 2)), "nonsense");
	assert_string_equal(INLINE(0x3fffffff), "nonsense");
}

/* Random tables at random locations must not crash the reader. */
static void test_random_table(void **state)
{
	struct elf_file *f;
	struct cfi_row row;

	(void)state;
	srand(1);
	for (int round = 0; round < 3000; round++) {
		begin_image();
		for (int i = 0; i < 16; i++)
			put_entry(TEXT + 8 * i,
				  round % 2 ? (uint32_t)rand() << 1 | 1u << 31
					    : prel31(EXIDX + 8 * i + 4, EXTAB + 16 * i));
		for (int i = 0; i < 64; i++)
			put(EXTAB + 4 * i, 0x80000000 | (rand() % 4) << 24 | (rand() & 0xffffff));
		end_image(TEXT);
		for (int i = round % 8; i; i--)
			image[EXIDX + rand() % 128] = rand();
		if (round % 16 == 1)
			((Elf32_Phdr *)(image + sizeof(Elf32_Ehdr)))[1].p_memsz = UINT32_MAX;
		if (round % 16 == 3)
			((Elf32_Phdr *)(image + sizeof(Elf32_Ehdr)))[1].p_vaddr = rand();
		f = open_image();
		for (uint32_t at = TEXT - 8; at < TEXT + 0x100; at += 4)
			if (!ehabi_lookup(f, MODE, BASE + at, &row)) {
				char text[512];

				put_row(text, &row);
				free(row.bytes);
			}
		ehabi_begins(f, BASE + TEXT);
		elf_file_close(f);
	}
}

/* ---- code ---- */

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

/*
 * Analyses the code from pc to the function's return or, if this fails, the code before pc. Returns
 * the result as text, or "nothing" if both fail.
 */
static const char *left(const void *code, size_t n, uint64_t pc)
{
	static char text[256];
	struct bytes b = {code, n};
	struct code_exit x;
	char *t = text;

	if (!MODE->code->find_exit(&(struct code_source){read_bytes, &b}, pc, &x) &&
	    !MODE->code->find_entry(&(struct code_source){read_bytes, &b}, pc, &x))
		return "nothing";
	t += sprintf(t, "r%u%+d ", x.base, (int)x.sp);
	t += x.ra_kept ? sprintf(t, "lr") : sprintf(t, "%+d", (int)x.ra);
	for (unsigned i = 0; i < 16; i++) {
		if (x.saved & 1u << i)
			t += sprintf(t, " r%u%+d", i, (int)x.at[i]);
		if (x.moved & 1u << i)
			t += sprintf(t, " r%u=r%d", i, (int)x.at[i]);
		if (x.lost & 1u << i)
			t += sprintf(t, " r%u?", i);
	}
	return text;
}

#define A32_AT(at, ...) left((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}), at)
#define T32_AT(at, ...)                                                                            \
	left((const uint16_t[]){__VA_ARGS__}, sizeof((uint16_t[]){__VA_ARGS__}), (at) | 1)
#define A32(...) A32_AT(0, __VA_ARGS__)
#define T32(...) T32_AT(0, __VA_ARGS__)

static void test_a32(void **state)
{
	(void)state;
	assert_string_equal(A32(0xe12fff1e), "r13+0 lr"); /* bx lr */
	assert_string_equal(A32(0xe1a0f00e), "r13+0 lr"); /* mov pc, lr */
	/* add sp, sp, #8; pop {r4, pc} */
	assert_string_equal(A32(0xe28dd008, 0xe8bd8010), "r13+16 +12 r4+8");
	/* sub sp, fp, #4; pop {fp, pc} */
	assert_string_equal(A32(0xe24bd004, 0xe8bd8800), "r11+4 +0 r11-4");
	/* ldr pc, [sp], #4, preceded by vpop {d8-d9} */
	assert_string_equal(A32(0xecbd8b04, 0xe49df004), "r13+20 +16");
	/* ldrd r4, r5, [sp]; ldr r6, [sp, #8]; add sp, sp, #12; pop {lr}; bx lr */
	assert_string_equal(A32(0xe1cd40d0, 0xe59d6008, 0xe28dd00c, 0xe49de004, 0xe12fff1e),
			    "r13+16 +12 r4+0 r5+4 r6+8");
	/* pop {r3}; bx r3 after a call */
	assert_string_equal(A32_AT(4, 0xeb000000, 0xe49d3004, 0xe12fff13), "r13+4 +0");
	/* cmp; addeq sp, sp, #8; popeq {r4, pc}; b to itself */
	assert_string_equal(A32(0xe3500000, 0x028dd008, 0x08bd8010, 0xeafffffe), "r13+16 +12 r4+8");
	/* push {r4, lr}; bl; pop {r4, pc}: pushed registers are restored */
	assert_string_equal(A32(0xe92d4010, 0xeb000000, 0xe8bd8010), "r13+0 lr");
	/* push {lr}; add lr, r1, r2; ldr pc, [sp], #4 */
	assert_string_equal(A32(0xe52de004, 0xe081e002, 0xe49df004), "r13+0 lr");
	/* movw r3, #4096; add sp, sp, r3; pop {pc} */
	assert_string_equal(A32(0xe3013000, 0xe08dd003, 0xe49df004), "r13+4100 +4096");
	/* mov r4, r5 or add r4, r4, r5, each without a restore; bx lr */
	assert_string_equal(A32(0xe1a04005, 0xe12fff1e), "r13+0 lr r4=r5");
	assert_string_equal(A32(0xe0844005, 0xe12fff1e), "r13+0 lr r4?");
	/*
	 * An endless loop after push {r4, lr}; sub sp, sp, #8; bl. The pushes determine the frame.
	 */
	assert_string_equal(A32_AT(12, 0xe92d4010, 0xe24dd008, 0xeb000000, 0xeafffffd),
			    "r13+16 +12 r4+8");
	/* The same function, but it pushes its arguments first. */
	assert_string_equal(A32_AT(12, 0xe92d000e, 0xe52de004, 0xeb000000, 0xeafffffd),
			    "r13+16 +0");
	assert_string_equal(A32(0xe1a00000, 0xe52de004, 0xeafffffe),
			    "r13+0 lr"); /* the pc is before the push */
	assert_string_equal(A32_AT(4, 0xeb000000, 0xe12fff1e), "nothing"); /* bl; bx lr */
	assert_string_equal(A32(0xe7f000f0, 0xe12fff1e), "nothing");	   /* udf */
	assert_string_equal(A32(0xe79ff103, 0xe12fff1e), "nothing");	   /* a jump table */
	assert_string_equal(A32(0xe1a00000), "nothing");		   /* the code ends */
}

static void test_t32(void **state)
{
	(void)state;
	assert_string_equal(T32(0x4770), "r13+0 lr"); /* bx lr */
	/* add sp, #8; pop {r4, pc} */
	assert_string_equal(T32(0xb002, 0xbd10), "r13+16 +12 r4+8");
	/* adds r7, #48; mov sp, r7; pop {r7, pc} */
	assert_string_equal(T32(0x3730, 0x46bd, 0xbd80), "r7+56 +52 r7+48");
	/* mov r7, r3; add sp, #8; ldmia.w sp!, {r4-r8, pc} */
	assert_string_equal(T32(0x461f, 0xb002, 0xe8bd, 0x81f0),
			    "r13+32 +28 r4+8 r5+12 r6+16 r7+20 r8+24");
	/* ldr.w pc, [sp], #4, preceded by vpop {d8} */
	assert_string_equal(T32(0xecbd, 0x8b02, 0xf85d, 0xfb04), "r13+12 +8");
	/* pop {r7}; cmn.w r0, #4096; it cc; bxcc lr; b.w */
	assert_string_equal(T32(0xbc80, 0xf510, 0x5f80, 0xbf38, 0x4770, 0xf000, 0xb800),
			    "r13+4 lr r7+0");
	/* cbz, which skips a udf; ite eq; addeq sp, #4; addne sp, #4; pop {pc} */
	assert_string_equal(T32(0xb100, 0xde00, 0xbf0c, 0xb001, 0xb001, 0xbd00), "r13+8 +4");
	/* add.w sp, sp, #1024; ldrd r4, r5, [sp], #8; pop {pc} */
	assert_string_equal(T32(0xf50d, 0x6d80, 0xe8fd, 0x4502, 0xbd00),
			    "r13+1036 +1032 r4+1024 r5+1028");
	/* movw r3, #4100; add sp, r3; pop {pc} */
	assert_string_equal(T32(0xf241, 0x0304, 0x449d, 0xbd00), "r13+4104 +4100");
	/* mov r7, ip; bx lr. The value of ip is unknown. */
	assert_string_equal(T32(0x4667, 0x4770), "r13+0 lr r7?");
	/* tbb [pc, r0], whose first case is pop {pc} */
	assert_string_equal(T32(0xe8df, 0xf000, 0x0101, 0xbd00), "r13+4 +0");
	/* push {r7, lr}; sub sp, #16; add r7, sp, #0; bl; b back to it */
	assert_string_equal(T32_AT(10, 0xb580, 0xb084, 0xaf00, 0xf7ff, 0xfffe, 0xe7fb),
			    "r13+24 +20 r7+16");
	/* push {r4, lr}; add sp, #8; sub sp, #0x80000000; b to itself. Arithmetic is 32-bit. */
	assert_string_equal(A32_AT(12, 0xe92d4010, 0xe28dd008, 0xe24dd102, 0xeafffffe),
			    "r13-2147483648 +2147483644 r4+2147483640");
	assert_string_equal(T32(0xde00, 0x4770), "nothing");		   /* udf */
	assert_string_equal(T32_AT(4, 0xf7ff, 0xfffe, 0x4770), "nothing"); /* bl; bx lr */
	assert_string_equal(T32_AT(4, 0xf7ff, 0xfffe, 0xb510, 0xbd10),
			    "nothing"); /* the next function */
	assert_string_equal(T32(0xbf00), "nothing");
}

static bool call_before(const void *code, size_t n, uint64_t ra)
{
	struct bytes b = {code, n};

	return MODE->code->follows_call(&(struct code_source){read_bytes, &b}, ra);
}

static bool ends(const void *code, size_t n, uint64_t ra)
{
	struct bytes b = {code, n};

	return MODE->code->ends_thread(&(struct code_source){read_bytes, &b}, ra);
}

static void test_calls(void **state)
{
	static const uint32_t a32[] = {0xe1a0e00f, 0xe12fff13, 0xeb000000, 0x1a000000,
				       0xfa000000, 0xe12fff33, 0xe1a00000, 0xe1a00000};
	static const bool a32_calls[] = {false, true, true, false, true, true, false};
	static const uint16_t t32[] = {0xbf00, 0xbf00, 0xf7ff, 0xfffe, 0xf7ff, 0xe800,
				       0x4798, 0x4718, 0xf000, 0xb800, 0xbf00};
	/* mov.w r7, #1; svc 0. Then the same with another syscall number, and after a return. */
	static const uint16_t end[] = {0xf04f, 0x0701, 0xdf00}, other[] = {0xf04f, 0x0702, 0xdf00},
			      returns[] = {0x4770, 0xf04f, 0x0701, 0xdf00};
	static const uint32_t end_a32[] = {0xe1a00006, 0xe3a07001, 0xef000000};

	(void)state;
	for (unsigned i = 1; i < ARRAY_SIZE(a32_calls); i++)
		assert_int_equal(call_before(a32, sizeof(a32), 4 * i + 4), a32_calls[i]);
	assert_false(call_before(a32, sizeof(a32), 14));
	assert_true(call_before(t32, sizeof(t32), 9));	 /* bl */
	assert_true(call_before(t32, sizeof(t32), 13));	 /* blx */
	assert_true(call_before(t32, sizeof(t32), 15));	 /* blx r3 */
	assert_false(call_before(t32, sizeof(t32), 17)); /* bx r3 */
	assert_false(call_before(t32, sizeof(t32), 21)); /* b.w */
	assert_true(ends(end, sizeof(end), 1));
	assert_true(ends(end_a32, sizeof(end_a32), 0));
	assert_false(ends(other, sizeof(other), 1));
	assert_false(ends(returns, sizeof(returns), 1));
}

static void test_random_code(void **state)
{
	uint16_t any[128];

	(void)state;
	srand(1);
	for (int round = 0; round < 20000; round++) {
		for (size_t i = 0; i < ARRAY_SIZE(any); i++)
			any[i] = rand();
		left(any, sizeof(any), (rand() & 0x3c) | (round & 1));
		ends(any, sizeof(any), (rand() & 0x3c) | (round & 1));
	}
}

/* ---- walk of a complete stack ---- */

#define NOBODY (1 << 29)
enum { HANDLER = 0x100, RESTORER = 0x120, LEAF = 0x140, LOOP = 0x160, MAIN = 0x180, START = 0x1a0 };
enum {
	SIGPAGE = 0x20000,
	STACK = 0x7fff0000,
	INTERRUPTED = STACK + 0x200,
	IN_MAIN = INTERRUPTED + 24
};

static void make_program(void)
{
	/* push {r4, lr}; sub sp, #8; bl; add sp, #8; pop {r4, pc} */
	static const uint16_t handler[] = {0xb510, 0xb082, 0xf7ff, 0xfffe, 0xb002, 0xbd10},
			      restorer[] = {0xf04f, 0x0777, 0xdf00}, /* mov.w r7, #119; svc 0 */
		/*
		 * push {r7, lr}; sub sp, #16; add r7, sp, #0; bl that never returns; data that
		 * looks like a pop
		 */
		loop[] = {0xb580, 0xb084, 0xaf00, 0xf7ff, 0xfffe, 0xbd10},
			      in_main[] = {0xb5f0, 0xf7ff, 0xfffe, 0xbdf0}; /* push; bl; pop */

	begin_image();
	put_thumb(HANDLER, handler, ARRAY_SIZE(handler));
	put_thumb(RESTORER, restorer, ARRAY_SIZE(restorer));
	put(LEAF, 0xe0800001);	   /* add r0, r0, r1 */
	put(LEAF + 4, 0xe12fff1e); /* bx lr */
	put_thumb(LOOP, loop, ARRAY_SIZE(loop));
	put_thumb(MAIN, in_main, ARRAY_SIZE(in_main));
	put(START, 0xeb000000); /* bl */
	put(START + 4, 0xe7f000f0);
	put_entry(HANDLER, 0x8001a8b0);
	put_entry(RESTORER - 2, 1);
	put_entry(MAIN, 0x80abb0b0);
	put_entry(START, 1);
	put_symbol("handler", HANDLER + 1, 12);
	put_symbol("restorer", RESTORER + 1, 6);
	put_symbol("leaf", LEAF, 8);
	put_symbol("loop", LOOP + 1, 12);
	put_symbol("main", MAIN + 1, 8);
	/* The exception table has an entry at the start of _start(). */
	put_symbol("_start", START, 0);
	end_image(START);
}

static int find(struct map_source *s, pid_t tid, intptr_t *keep, uint64_t addr, bool names,
		struct mapping *m)
{
	(void)s, (void)tid, (void)keep, (void)addr, (void)names, (void)m;
	return -ENOTTY;
}

static struct map_table *list(struct map_source *s, pid_t tid)
{
	static const char maps[] = "00010000-00012000 r-xp 00000000 08:01 7 /program\n"
				   "00020000-00021000 r-xp 00000000 00:00 0 [sigpage]\n"
				   "7fff0000-7fff1000 rw-p 00000000 00:00 0 [stack]\n";

	(void)s, (void)tid;
	return map_table_parse(maps, sizeof(maps) - 1);
}

static bool reads_execute(struct map_source *s, pid_t tid)
{
	(void)s, (void)tid;
	return false;
}

static int open_mapped(struct file_source *s, pid_t tid, const struct mapping *m)
{
	int fd = memfd_create("program", MFD_CLOEXEC);

	(void)s, (void)tid, (void)m;
	assert_int_equal(pwrite(fd, image, SIZE, 0), SIZE);
	return fd;
}

static int open_path(struct file_source *s, pid_t pid, const char *path, bool owned)
{
	(void)s, (void)pid, (void)path, (void)owned;
	errno = ENOENT;
	return -1;
}

static pid_t inner_pid(struct file_source *s, pid_t pid)
{
	(void)s;
	return pid;
}

static void make_stack(uint32_t *words, uint32_t restorer)
{
	uint32_t *frame = words + 4, *regs = frame + 8; /* registers in struct sigframe */

	words[3] = restorer;
	regs[7] = 0x12345678;
	regs[13] = INTERRUPTED;
	regs[14] = (BASE + LOOP + 10) | 1;
	regs[15] = BASE + LEAF;
	regs[16] = 0x10; /* cpsr: A32 code */
	words[(INTERRUPTED + 16 - STACK) / 4] = 7;
	words[(INTERRUPTED + 20 - STACK) / 4] = (BASE + MAIN + 6) | 1;
	words[(IN_MAIN + 16 - STACK) / 4] = BASE + START + 4;
}

struct arm_walk {
	struct map_source maps;
	struct file_source files;
	struct mmap_cache *cache;
	struct unwinder *unwinder;
	struct unwind_stop stop;
	struct chunks chunks;
	struct stack *stack;
};

/* Prepares a walk of the stack `words` in T32 code of the image. The caller sets the pc. */
static void begin_walk(struct arm_walk *w, enum unwinder_kind kind, const uint32_t *words,
		       size_t size)
{
	static const struct map_source_ops map_ops = {
		.find = find, .list = list, .reads_execute = reads_execute};
	static const struct file_source_ops file_ops = {
		.open_mapped = open_mapped, .open_path = open_path, .inner_pid = inner_pid};
	static const uint32_t sigpage[] = {0xe3a07077, 0xef000077}; /* mov r7, #119; svc #119 */
	struct unwind_config config = {.frame_limit = 256, .unwinder = kind};
	struct mmap_cache_config cache_config = {.follow = true};

	*w = (struct arm_walk){.maps.ops = &map_ops, .files.ops = &file_ops};
	w->cache = mmap_cache_create(&cache_config, &w->maps);
	w->unwinder = unwinder_create(&config, w->cache, &w->files);
	chunks_init(&w->chunks);
	chunks_add(&w->chunks, STACK, words, size);
	chunks_add(&w->chunks, BASE, image, SIZE);
	chunks_add(&w->chunks, SIGPAGE, sigpage, sizeof(sigpage));
	w->stop = (struct unwind_stop){.tid = NOBODY, .tgid = NOBODY, .mode = MODE};
	w->stop.mm = mmap_cache_attach(w->cache, NOBODY, NOBODY, true);
	w->stop.memory = &w->chunks.memory;
	w->stop.regs[13] = STACK;
	w->stop.regs[16] = 0x30; /* cpsr: T32 code */
}

static void end_walk(struct arm_walk *w)
{
	stack_release(w->stack);
	mmap_cache_release(w->stop.mm);
	unwinder_destroy(w->unwinder);
	mmap_cache_destroy(w->cache);
	chunks_deinit(&w->chunks);
}

static void check_stack(enum unwinder_kind kind, uint32_t restorer)
{
	static const char *const names[] = {"handler", "restorer", "leaf",
					    "loop",    "main",	   "_start"};
	static const unsigned offsets[] = {8, 0, 0, 10, 6, 4};
	uint32_t words[1024] = {0};
	struct arm_walk w;
	const struct frame *f;
	size_t n;

	make_stack(words, restorer);
	begin_walk(&w, kind, words, sizeof(words));
	w.stop.regs[15] = BASE + HANDLER + 8;
	w.stack = unwind_capture(w.unwinder, &w.stop);
	f = stack_frames(w.unwinder, w.stack, &n);
	for (size_t i = 0; i < n && i < ARRAY_SIZE(names); i++) {
		if (i == 1 && restorer == SIGPAGE) {
			assert_null(f[i].symbol);
			continue;
		}
		assert_non_null(f[i].symbol);
		assert_string_equal(f[i].symbol, names[i]);
		assert_int_equal(f[i].offset, offsets[i]);
	}
	assert_int_equal(n, ARRAY_SIZE(names));
	assert_int_equal(stack_status(w.stack, NULL), STACK_COMPLETE);
	end_walk(&w);
}

static void test_stack(void **state)
{
	static const enum unwinder_kind kinds[] = {UNWINDER_AUTO, UNWINDER_RULES, UNWINDER_ROWS};

	(void)state;
	make_program();
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		check_stack(kinds[i], (BASE + RESTORER) | 1);
		check_stack(kinds[i], SIGPAGE);
	}
}

/*
 * If the budget has no room for a second row, the row of the stopped function, which does not
 * return, is still used.
 */
static void test_no_room(void **state)
{
	static const uint16_t in_main[] = {0xb510, 0xe7fe}; /* push {r4, lr}; b to itself */
	uint32_t words[1024] = {0};
	struct arm_walk w;
	const struct frame *f;
	size_t n;

	(void)state;
	begin_image();
	put_thumb(MAIN, in_main, ARRAY_SIZE(in_main));
	put(START, 0xeb000000); /* bl */
	put_entry(MAIN, 0x80a8b0b0);
	put_entry(START, 1);
	end_image(START);
	words[1] = BASE + START + 4;
	begin_walk(&w, UNWINDER_ROWS, words, sizeof(words));
	w.unwinder->budget.bytes = BUDGET_BYTES;
	w.stop.regs[15] = BASE + MAIN + 2;
	w.stop.exact = true;
	w.stack = unwind_capture(w.unwinder, &w.stop);
	f = stack_frames(w.unwinder, w.stack, &n);
	assert_int_equal(n, 2);
	assert_int_equal(f[1].addr, BASE + START + 4);
	assert_int_equal(stack_status(w.stack, NULL), STACK_COMPLETE);
	end_walk(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),	     cmocka_unit_test(test_bad_table),
		cmocka_unit_test(test_random_table), cmocka_unit_test(test_a32),
		cmocka_unit_test(test_t32),	     cmocka_unit_test(test_calls),
		cmocka_unit_test(test_random_code),  cmocka_unit_test(test_stack),
		cmocka_unit_test(test_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
