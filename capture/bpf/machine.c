/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "capture/bpf/machine.h"

#include "capture/bpf/records.h"
#include "capture/plan.h"

#define PAGE	  4096
#define STEPS_MAX 2048
/* Where data that were read can lie in a record. */
#define DATA_MAX (RECORD_FULL + READ_PIECE)

#define IN_SCRATCH(field) ((int16_t)offsetof(struct scratch, field))
#define IN_OP(field)	  ((int16_t)offsetof(struct read_op, field))
#define IN_NUMBER(field)  ((int16_t)offsetof(struct read_number, field))
#define IN_MADE(field)                                                                             \
	((int16_t)(offsetof(struct scratch, made) + offsetof(struct read_made, field)))
#define IN_CHUNK(field)                                                                            \
	((int16_t)(offsetof(struct scratch, record) + offsetof(struct chunk_head, field)))

_Static_assert(offsetof(struct scratch, record) < INT16_MAX, "within reach of an instruction");
_Static_assert(sizeof(struct read_made) == 32, "a shift by MADE_SHIFT");
_Static_assert(READS_OF_ONE >= PLAN_OPS_MAX, "a place for every op of a plan");
#define MADE_SHIFT 5

/* The function's own stack. */
enum { AT_KEY = -8, AT_FROM = -16, AT_ELEMENT = -24, AT_DATA = -32 };

/*
 * Within the functions: r6 is the scratch, r7 the index of the op and later a size, r8 the struct
 * read_op, r9 the address to be read.
 */
struct machine {
	struct code *c;
	unsigned end;	  /* returns 1: no more reads */
	unsigned go_on;	  /* returns 0: to be called again */
	unsigned next_op; /* goes on with the next op */
	unsigned piece;	  /* reads a piece of what addr and left say */
	unsigned finish;  /* completes the chunk */
};

/* dst = the place in the scratch of element dst & mask of an array, less the array's offset. */
static void element(struct code *c, enum reg dst, int mask, int shift)
{
	code_alu_n(c, BPF_AND, dst, mask);
	code_alu_n(c, BPF_LSH, dst, shift);
	code_alu(c, BPF_ADD, dst, R6);
}

/*
 * dst = n bytes of the record, 4 or 8, at the offset from its beginning that src is ahead of the
 * scratch. Fields lie anywhere: where that is no place for a load, r1 to r5 are lost.
 */
static void load_data(struct code *c, int n, enum reg dst, enum reg src)
{
	if (!c->aligned) {
		code_load(c, n == 4 ? SIZE_4 : SIZE_8, dst, src, IN_SCRATCH(record));
		return;
	}
	code_store_n(c, SIZE_8, FP, AT_DATA, 0);
	code_mov(c, R3, src);
	code_alu_n(c, BPF_ADD, R3, IN_SCRATCH(record));
	code_mov(c, R1, FP);
	code_alu_n(c, BPF_ADD, R1, AT_DATA);
	code_mov_n(c, R2, n);
	code_call(c, HELPER_READ_KERNEL);
	code_load(c, SIZE_8, dst, FP, AT_DATA);
}

/* From the struct read_made that r4 is, the bytes of element r5: r2 = them, unless they end. */
static void field_of_read(struct code *c, int at, unsigned missing)
{
	code_load(c, SIZE_2, R3, R8, at + IN_NUMBER(stride));
	code_alu(c, BPF_MUL, R5, R3);
	code_load(c, SIZE_2, R3, R8, at + IN_NUMBER(offset));
	code_alu(c, BPF_ADD, R5, R3);
	code_load(c, SIZE_8, R3, R8, at + IN_NUMBER(n));
	code_alu(c, BPF_ADD, R3, R5);
	code_load(c, SIZE_4, R2, R4, IN_MADE(got));
	code_if(c, BPF_JGT, R3, R2, missing);
	code_load(c, SIZE_4, R2, R4, IN_MADE(data));
	code_alu(c, BPF_ADD, R2, R5);
	code_if_n(c, BPF_JGT, R2, DATA_MAX, missing);
	code_alu(c, BPF_ADD, R2, R6);
}

/* The read that has a field: r4 = its struct read_made, r5 = the element of it. */
static void read_of_field(struct code *c, int at, unsigned missing)
{
	unsigned any = code_label(c), found = code_label(c);

	code_load(c, SIZE_1, R3, R8, at + IN_NUMBER(up));
	code_if_n(c, BPF_JEQ, R3, READ_ANY, any);
	code_load(c, SIZE_8, R4, FP, AT_FROM);
	code_load(c, SIZE_8, R5, FP, AT_ELEMENT);
	for (int up = 0; up < READ_UP_MAX; up++) {
		code_if_n(c, BPF_JLE, R3, up, found);
		element(c, R4, MADE_MAX - 1, MADE_SHIFT);
		code_load(c, SIZE_4, R5, R4, IN_MADE(element));
		code_load(c, SIZE_4, R4, R4, IN_MADE(from));
	}
	code_jump(c, found);
	code_place(c, any);
	code_load(c, SIZE_1, R2, R8, at + IN_NUMBER(op));
	element(c, R2, READS_OF_ONE - 1, 2);
	code_load(c, SIZE_4, R5, R2, IN_SCRATCH(counts));
	code_if_n(c, BPF_JEQ, R5, 0, missing);
	code_load(c, SIZE_4, R4, R2, IN_SCRATCH(begins));
	code_mov_n(c, R5, 0);
	code_place(c, found);
	element(c, R4, MADE_MAX - 1, MADE_SHIFT);
}

/* r0 = the struct read_number that is at bytes into the op; jumps if it is not known. */
static void number(struct code *c, int at, unsigned missing)
{
	unsigned argument = code_label(c), field = code_label(c), whole = code_label(c);
	unsigned done = code_label(c);

	code_load(c, SIZE_1, R1, R8, at + IN_NUMBER(source));
	code_load(c, SIZE_8, R0, R8, at + IN_NUMBER(n));
	code_if_n(c, BPF_JEQ, R1, PLAN_CONSTANT, done);
	code_if_n(c, BPF_JEQ, R1, PLAN_FIELD, field);
	code_if_n(c, BPF_JNE, R1, PLAN_RESULT, argument);
	code_load(c, SIZE_8, R0, R6, IN_SCRATCH(result));
	code_if_n(c, BPF_JSLT, R0, 0, missing);
	code_jump(c, done);

	code_place(c, argument);
	code_load(c, SIZE_1, R2, R8, at + IN_NUMBER(reg));
	element(c, R2, 7, 3);
	code_load(c, SIZE_8, R0, R2, IN_SCRATCH(args));
	code_if_n(c, BPF_JNE, R1, PLAN_IOC_SIZE, whole);
	code_alu_n(c, BPF_RSH, R0, 16);
	code_alu_n(c, BPF_AND, R0, 0x3fff);
	code_jump(c, done);
	code_place(c, whole);
	code_load(c, SIZE_8, R2, R8, at + IN_NUMBER(mask));
	code_alu(c, BPF_AND, R0, R2);
	code_if_n(c, BPF_JNE, R1, PLAN_ARG_INT, done);
	code_if_n(c, BPF_JGT, R0, INT32_MAX, missing);
	code_jump(c, done);

	code_place(c, field);
	read_of_field(c, at, missing);
	field_of_read(c, at, missing);
	load_data(c, 8, R0, R2);
	code_load(c, SIZE_8, R1, R8, at + IN_NUMBER(mask));
	code_alu(c, BPF_AND, R0, R1);
	code_place(c, done);
}

/* Finds the op: r7 = its index, r8 = it. */
static void find_op(const struct machine *m, int ops)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R7, R6, IN_SCRATCH(op));
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(ops));
	code_if(c, BPF_JGE, R7, R1, m->end);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(first));
	code_alu(c, BPF_ADD, R1, R7);
	code_store(c, SIZE_4, FP, AT_KEY, R1);
	code_map(c, R1, ops);
	code_mov(c, R2, FP);
	code_alu_n(c, BPF_ADD, R2, AT_KEY);
	code_call(c, HELPER_MAP_LOOKUP);
	code_if_n(c, BPF_JEQ, R0, 0, m->end);
	code_mov(c, R8, R0);
}

/* The first time that an op is looked at. */
static void begin_op(const struct machine *m)
{
	struct code *c = m->c;
	unsigned begun = code_label(c);

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(begun));
	code_if_n(c, BPF_JNE, R1, 0, begun);
	element(c, R7, READS_OF_ONE - 1, 2);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(made_count));
	code_store(c, SIZE_4, R7, IN_SCRATCH(begins), R1);
	code_store_n(c, SIZE_4, R7, IN_SCRATCH(counts), 0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(begun), 1);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(element), 0);
	code_load(c, SIZE_1, R1, R8, IN_OP(parent));
	element(c, R1, READS_OF_ONE - 1, 2);
	code_load(c, SIZE_4, R2, R1, IN_SCRATCH(begins));
	code_store(c, SIZE_4, R6, IN_SCRATCH(from), R2);
	code_load(c, SIZE_4, R1, R1, IN_SCRATCH(counts));
	code_alu(c, BPF_ADD, R1, R2);
	code_store(c, SIZE_4, R6, IN_SCRATCH(from_end), R1);
	code_place(c, begun);
}

/* Goes on with the next read of the parent. */
static void next_from(const struct machine *m)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(from));
	code_alu_n(c, BPF_ADD, R1, 1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(from), R1);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(element), 0);
}

/* r9 = the pointer in the element of the parent's read r4 that is next. */
static void pointer_in_read(const struct machine *m, unsigned have)
{
	struct code *c = m->c;
	unsigned next = code_label(c), wide = code_label(c), loaded = code_label(c);

	code_load(c, SIZE_4, R5, R6, IN_SCRATCH(element));
	code_store(c, SIZE_8, FP, AT_ELEMENT, R5);
	code_mov(c, R1, R5);
	code_load(c, SIZE_4, R2, R8, IN_OP(parent_stride));
	code_alu(c, BPF_MUL, R5, R2);
	code_load(c, SIZE_2, R2, R8, IN_OP(offset));
	code_alu(c, BPF_ADD, R5, R2);
	code_load(c, SIZE_1, R2, R8, IN_OP(pointer));
	code_mov(c, R0, R2);
	code_alu(c, BPF_ADD, R2, R5);
	code_load(c, SIZE_4, R3, R4, IN_MADE(got));
	code_if(c, BPF_JGT, R2, R3, next);
	code_load(c, SIZE_4, R3, R4, IN_MADE(data));
	code_alu(c, BPF_ADD, R3, R5);
	code_if_n(c, BPF_JGT, R3, DATA_MAX, next);
	code_alu(c, BPF_ADD, R3, R6);
	code_alu_n(c, BPF_ADD, R1, 1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(element), R1);
	code_if_n(c, BPF_JNE, R0, 4, wide);
	load_data(c, 4, R9, R3);
	code_jump(c, loaded);
	code_place(c, wide);
	load_data(c, 8, R9, R3);
	code_place(c, loaded);
	code_if_n(c, BPF_JNE, R9, 0, have);
	code_load(c, SIZE_1, R1, R8, IN_OP(list));
	code_if_n(c, BPF_JEQ, R1, 0, m->go_on);
	code_place(c, next);
	next_from(m);
	code_jump(c, m->go_on);
}

/* r9 = where the next read of the op begins; else goes on with the next op. */
static void find_place(const struct machine *m)
{
	struct code *c = m->c;
	unsigned pointed = code_label(c), behind = code_label(c), have = code_label(c);

	code_load(c, SIZE_1, R1, R8, IN_OP(place));
	code_if_n(c, BPF_JNE, R1, PLAN_ARGUMENT, pointed);
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(element));
	code_if_n(c, BPF_JNE, R2, 0, m->next_op);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(element), 1);
	code_store_n(c, SIZE_8, FP, AT_FROM, 0);
	code_store_n(c, SIZE_8, FP, AT_ELEMENT, 0);
	code_load(c, SIZE_1, R2, R8, IN_OP(reg));
	element(c, R2, 7, 3);
	code_load(c, SIZE_8, R9, R2, IN_SCRATCH(args));
	code_jump(c, have);

	code_place(c, pointed);
	code_load(c, SIZE_4, R4, R6, IN_SCRATCH(from));
	code_load(c, SIZE_4, R5, R6, IN_SCRATCH(from_end));
	code_if(c, BPF_JGE, R4, R5, m->next_op);
	code_store(c, SIZE_8, FP, AT_FROM, R4);
	element(c, R4, MADE_MAX - 1, MADE_SHIFT);
	code_if_n(c, BPF_JEQ, R1, PLAN_BEHIND, behind);
	pointer_in_read(m, have);

	code_place(c, behind);
	code_load(c, SIZE_8, R9, R4, IN_MADE(addr));
	code_load(c, SIZE_2, R2, R8, IN_OP(offset));
	code_alu(c, BPF_ADD, R9, R2);
	code_store_n(c, SIZE_8, FP, AT_ELEMENT, 0);
	next_from(m);
	code_place(c, have);
	code_if_n(c, BPF_JEQ, R9, 0, m->go_on);
}

/* r7 = how many bytes to read, not 0. */
static void find_length(const struct machine *m)
{
	struct code *c = m->c;
	unsigned always = code_label(c), sized = code_label(c), few = code_label(c);
	unsigned small = code_label(c);

	code_load(c, SIZE_8, R1, R8, IN_OP(mask));
	code_if_n(c, BPF_JEQ, R1, 0, always);
	number(c, IN_OP(condition), m->go_on);
	code_load(c, SIZE_8, R1, R8, IN_OP(mask));
	code_alu(c, BPF_AND, R0, R1);
	code_load(c, SIZE_8, R1, R8, IN_OP(value));
	code_if(c, BPF_JNE, R0, R1, m->go_on);
	code_place(c, always);
	code_load(c, SIZE_4, R7, R8, IN_OP(max));
	code_load(c, SIZE_1, R1, R8, IN_OP(kind));
	code_if_n(c, BPF_JNE, R1, PLAN_BYTES, sized);
	number(c, IN_OP(count), m->go_on);
	code_load(c, SIZE_4, R1, R8, IN_OP(elements));
	code_if(c, BPF_JLE, R0, R1, few);
	code_mov(c, R0, R1);
	code_place(c, few);
	/* Elements are at least of one byte: this cannot overflow. */
	code_if(c, BPF_JLE, R0, R7, small);
	code_mov(c, R0, R7);
	code_place(c, small);
	code_load(c, SIZE_4, R1, R8, IN_OP(unit));
	code_alu(c, BPF_MUL, R0, R1);
	code_if(c, BPF_JGE, R0, R7, sized);
	code_mov(c, R7, R0);
	code_place(c, sized);
	code_if_n(c, BPF_JEQ, R7, 0, m->go_on);
}

/* The head of a chunk, and what is known of the read, from r9 and r7. */
static void begin_read(const struct machine *m)
{
	struct code *c = m->c;

	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(made_count));
	code_if_n(c, BPF_JGE, R1, MADE_MAX, m->end);
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(used));
	code_multiple(c, R2);
	code_if_n(c, BPF_JGT, R2, RECORD_FULL, m->end);
	code_store(c, SIZE_4, R6, IN_SCRATCH(chunk), R2);
	code_mov(c, R3, R2);
	code_alu(c, BPF_ADD, R3, R6);
	code_store(c, SIZE_8, R3, IN_CHUNK(addr), R9);
	code_store_n(c, SIZE_4, R3, IN_CHUNK(size), -EFAULT);
	code_load(c, SIZE_4, R4, R6, IN_SCRATCH(what));
	code_store(c, SIZE_4, R3, IN_CHUNK(what), R4);
	code_alu_n(c, BPF_ADD, R2, sizeof(struct chunk_head));
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R2);
	code_store(c, SIZE_8, R6, IN_SCRATCH(addr), R9);
	code_store(c, SIZE_8, R6, IN_SCRATCH(left), R7);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(pages), 0);
	element(c, R1, MADE_MAX - 1, MADE_SHIFT);
	code_store(c, SIZE_8, R1, IN_MADE(addr), R9);
	code_store(c, SIZE_4, R1, IN_MADE(data), R2);
	code_store_n(c, SIZE_4, R1, IN_MADE(got), 0);
	code_load(c, SIZE_8, R2, FP, AT_FROM);
	code_store(c, SIZE_4, R1, IN_MADE(from), R2);
	code_load(c, SIZE_8, R2, FP, AT_ELEMENT);
	code_store(c, SIZE_4, R1, IN_MADE(element), R2);
}

/* r7 = size of the next piece, r9 = its address, r1 = where it goes. */
static void find_piece(const struct machine *m)
{
	struct code *c = m->c;
	unsigned whole = code_label(c), bounded = code_label(c);

	code_load(c, SIZE_8, R9, R6, IN_SCRATCH(addr));
	code_load(c, SIZE_8, R7, R6, IN_SCRATCH(left));
	code_if_n(c, BPF_JLE, R7, READ_PIECE, bounded);
	code_mov_n(c, R7, READ_PIECE);
	code_place(c, bounded);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(pages));
	code_if_n(c, BPF_JEQ, R1, 0, whole);
	code_mov(c, R1, R9);
	code_alu_n(c, BPF_AND, R1, PAGE - 1);
	code_mov_n(c, R2, PAGE);
	code_alu(c, BPF_SUB, R2, R1);
	code_if(c, BPF_JLE, R7, R2, whole);
	code_mov(c, R7, R2);
	code_place(c, whole);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_if_n(c, BPF_JGT, R1, RECORD_FULL, m->finish);
	code_alu(c, BPF_ADD, R1, R6);
	code_alu_n(c, BPF_ADD, R1, IN_SCRATCH(record));
}

/* r1 = the struct read_made of the read under way. */
static void current_made(struct code *c)
{
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(made_count));
	element(c, R1, MADE_MAX - 1, MADE_SHIFT);
}

/* r7 bytes more were read. */
static void count_piece(struct code *c)
{
	current_made(c);
	code_load(c, SIZE_4, R2, R1, IN_MADE(got));
	code_alu(c, BPF_ADD, R2, R7);
	code_store(c, SIZE_4, R1, IN_MADE(got), R2);
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(used));
	code_alu(c, BPF_ADD, R2, R7);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R2);
}

static void read_piece(const struct machine *m)
{
	struct code *c = m->c;
	unsigned string = code_label(c), good = code_label(c), failed = code_label(c);
	unsigned ended = code_label(c), bytes = code_label(c), missing = code_label(c);

	find_piece(m);
	code_load(c, SIZE_1, R2, R8, IN_OP(kind));
	code_if_n(c, BPF_JNE, R2, PLAN_STRING, bytes);
	/* One that goes on where nothing is mapped is bytes, too. */
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(pages));
	code_if_n(c, BPF_JEQ, R2, 0, string);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(left), 0);
	code_mov(c, R2, R7);
	code_mov(c, R3, R9);
	code_call(c, HELPER_READ_USER);
	code_if_n(c, BPF_JEQ, R0, 0, ended);
	code_jump(c, failed);
	code_place(c, bytes);
	code_mov(c, R2, R7);
	code_mov(c, R3, R9);
	code_call(c, HELPER_READ_USER);
	code_if_n(c, BPF_JEQ, R0, 0, good);
	/* A read is made whole or not at all: once more, as far as the page goes. */
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(pages));
	code_if_n(c, BPF_JNE, R1, 0, failed);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(pages), 1);
	code_jump(c, m->go_on);

	code_place(c, good);
	code_alu(c, BPF_ADD, R9, R7);
	code_store(c, SIZE_8, R6, IN_SCRATCH(addr), R9);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(left));
	code_alu(c, BPF_SUB, R1, R7);
	code_store(c, SIZE_8, R6, IN_SCRATCH(left), R1);
	count_piece(c);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(left));
	code_if_n(c, BPF_JNE, R1, 0, m->go_on);
	code_jump(c, m->finish);

	/* One byte more than wanted: the helper ends what it cuts with a NUL. */
	code_place(c, string);
	code_mov(c, R2, R7);
	code_alu_n(c, BPF_ADD, R2, 1);
	code_mov(c, R3, R9);
	code_call(c, HELPER_READ_USER_STRING);
	code_if_n(c, BPF_JSLE, R0, 0, missing);
	code_if(c, BPF_JGE, R0, R7, ended);
	code_mov(c, R7, R0);
	code_place(c, ended);
	count_piece(c);
	code_jump(c, m->finish);

	/*
	 * What was not in memory at the entry is now, if the kernel has read it. If it is not, it
	 * goes on behind what is mapped: once more, as far as the page goes.
	 */
	code_place(c, missing);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(what));
	code_if_n(c, BPF_JNE, R1, CHUNK_AGAIN, failed);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(pages), 1);
	code_jump(c, m->go_on);

	code_place(c, failed);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(failed), 1);
}

static void finish_read(const struct machine *m)
{
	struct code *c = m->c;
	unsigned empty = code_label(c);

	code_place(c, m->finish);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(left), 0);
	current_made(c);
	code_load(c, SIZE_4, R2, R1, IN_MADE(got));
	code_if_n(c, BPF_JEQ, R2, 0, empty);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(chunk));
	code_multiple(c, R1);
	code_if_n(c, BPF_JGT, R1, RECORD_FULL, m->end);
	code_alu(c, BPF_ADD, R1, R6);
	code_store(c, SIZE_4, R1, IN_CHUNK(size), R2);
	code_place(c, empty);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_alu_n(c, BPF_ADD, R1, 7);
	code_alu_n(c, BPF_AND, R1, 0x7ffffff8);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(made_count));
	code_alu_n(c, BPF_ADD, R1, 1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(made_count), R1);
	code_load(c, SIZE_4, R2, R6, IN_SCRATCH(op));
	element(c, R2, READS_OF_ONE - 1, 2);
	code_load(c, SIZE_4, R1, R2, IN_SCRATCH(counts));
	code_alu_n(c, BPF_ADD, R1, 1);
	code_store(c, SIZE_4, R2, IN_SCRATCH(counts), R1);
	/* At an argument there is one read only. */
	code_load(c, SIZE_1, R1, R8, IN_OP(place));
	code_if_n(c, BPF_JNE, R1, PLAN_ARGUMENT, m->go_on);
}

void machine_function(struct code *c, int ops)
{
	const struct machine m = {.c = c,
				  .end = code_label(c),
				  .go_on = code_label(c),
				  .next_op = code_label(c),
				  .piece = code_label(c),
				  .finish = code_label(c)};

	code_load(c, SIZE_8, R6, R2, 0);
	find_op(&m, ops);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(left));
	code_if_n(c, BPF_JNE, R1, 0, m.piece);
	begin_op(&m);
	find_place(&m);
	find_length(&m);
	begin_read(&m);
	code_place(c, m.piece);
	read_piece(&m);
	finish_read(&m);
	code_place(c, m.next_op);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(op));
	code_alu_n(c, BPF_ADD, R1, 1);
	code_store(c, SIZE_4, R6, IN_SCRATCH(op), R1);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(begun), 0);
	code_place(c, m.go_on);
	code_return(c, 0);
	code_place(c, m.end);
	code_return(c, 1);
}

void machine_stack_function(struct code *c)
{
	unsigned end = code_label(c), small = code_label(c), next = code_label(c);

	code_load(c, SIZE_8, R6, R2, 0);
	code_load(c, SIZE_8, R9, R6, IN_SCRATCH(addr));
	code_mov(c, R1, R9);
	code_alu_n(c, BPF_AND, R1, PAGE - 1);
	code_mov_n(c, R7, PAGE);
	code_alu(c, BPF_SUB, R7, R1);
	code_load(c, SIZE_8, R1, R6, IN_SCRATCH(limit));
	code_if(c, BPF_JLE, R7, R1, small);
	code_mov(c, R7, R1);
	code_place(c, small);
	code_if_n(c, BPF_JEQ, R7, 0, end);
	code_if_n(c, BPF_JGT, R7, PAGE, end);
	code_alu(c, BPF_SUB, R1, R7);
	code_store(c, SIZE_8, R6, IN_SCRATCH(limit), R1);
	/* The head of a chunk of this page, and behind it the page. */
	code_load(c, SIZE_4, R8, R6, IN_SCRATCH(used));
	code_multiple(c, R8);
	code_if_n(c, BPF_JGT, R8, RECORD_ROOM + STACK_ROOM - 2 * PAGE, end);
	code_alu(c, BPF_ADD, R8, R6);
	code_store(c, SIZE_8, R8, IN_CHUNK(addr), R9);
	code_store_n(c, SIZE_4, R8, IN_CHUNK(size), -EFAULT);
	code_store_n(c, SIZE_4, R8, IN_CHUNK(what), CHUNK_STACK);
	code_mov(c, R1, R8);
	code_alu_n(c, BPF_ADD, R1, IN_SCRATCH(record) + sizeof(struct chunk_head));
	code_mov(c, R2, R7);
	code_mov(c, R3, R9);
	code_call(c, HELPER_READ_USER);
	code_alu(c, BPF_ADD, R9, R7);
	code_store(c, SIZE_8, R6, IN_SCRATCH(addr), R9);
	code_load(c, SIZE_4, R1, R6, IN_SCRATCH(used));
	code_alu_n(c, BPF_ADD, R1, sizeof(struct chunk_head));
	/* A page that was never written to is no reason to stop: frames may lie behind it. */
	code_if_n(c, BPF_JNE, R0, 0, next);
	code_store(c, SIZE_4, R8, IN_CHUNK(size), R7);
	code_alu(c, BPF_ADD, R1, R7);
	code_alu_n(c, BPF_ADD, R1, 7);
	code_alu_n(c, BPF_AND, R1, -8);
	code_place(c, next);
	code_store(c, SIZE_4, R6, IN_SCRATCH(used), R1);
	code_return(c, 0);
	code_place(c, end);
	code_return(c, 1);
}

void machine_run(struct code *c, unsigned function, enum reg reads, int what, int16_t slot)
{
	unsigned none = code_label(c);

	code_if_n(c, BPF_JEQ, reads, 0, none);
	code_mov(c, R2, reads);
	code_alu_n(c, BPF_AND, R2, READS_FIRST_MASK);
	code_store(c, SIZE_4, R6, IN_SCRATCH(first), R2);
	code_alu_n(c, BPF_RSH, reads, 24);
	code_store(c, SIZE_4, R6, IN_SCRATCH(ops), reads);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(op), 0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(begun), 0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(made_count), 0);
	code_store_n(c, SIZE_4, R6, IN_SCRATCH(what), what);
	code_store_n(c, SIZE_8, R6, IN_SCRATCH(left), 0);
	code_store(c, SIZE_8, FP, slot, R6);
	code_mov_n(c, R1, STEPS_MAX);
	code_function(c, R2, function);
	code_mov(c, R3, FP);
	code_alu_n(c, BPF_ADD, R3, slot);
	code_mov_n(c, R4, 0);
	code_call(c, HELPER_LOOP);
	code_place(c, none);
}
