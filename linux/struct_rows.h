/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The macros for the rows of linux/structs/NAME.def. The fields of a struct are listed in memory
 * order:
 *
 *	STRUCT_BEGIN(timespec)
 *	F(tv_sec, LONG)
 *	F(tv_nsec, LONG)
 *	STRUCT_END(timespec)
 *
 *	F	a field that is always shown
 *	FV	shown with -v only; otherwise replaced by "..."
 *	FNZ	shown if it is not zero
 *	PAD	occupies its bytes, but is never shown
 *	FO, FI	FO is shown only at exit, FI only at entry
 *	FU	at the offset of the field before it: another member of a union or word
 *	FW	in a struct whose size varies: shown if the field before it is shown
 *	FC, FCN	changed by the kernel: 4 => 2. FCN repeats the name: 4 => count=2
 *	FP	an array or struct; only the bytes within the struct's size are shown
 *
 * FOV combines FO and FV, FUV combines FU and FV, and FOW combines FO and FW.
 *
 * The type may be followed by other members of struct field: F(mode, U32, .cond = has_mode).
 * Offsets are computed from the types and the ABI; .align = 1 is for fields of packed structs.
 */
/* clang-format off */
#define F(n, ...)   {.name = #n, .type = __VA_ARGS__},
#define FV(n, ...)  {.name = #n, .flags = FIELD_F_VERBOSE, .type = __VA_ARGS__},
#define FNZ(n, ...) {.name = #n, .flags = FIELD_F_NONZERO, .type = __VA_ARGS__},
#define PAD(n, ...) {.name = #n, .flags = FIELD_F_HIDDEN, .type = __VA_ARGS__},
#define FO(n, ...)  {.name = #n, .flags = FIELD_F_OUT, .type = __VA_ARGS__},
#define FOV(n, ...) {.name = #n, .flags = FIELD_F_OUT | FIELD_F_VERBOSE, .type = __VA_ARGS__},
#define FI(n, ...)  {.name = #n, .flags = FIELD_F_IN, .type = __VA_ARGS__},
#define FC(n, ...)  {.name = #n, .flags = FIELD_F_CHANGES, .type = __VA_ARGS__},
#define FCN(n, ...) {.name = #n, .flags = FIELD_F_CHANGES | FIELD_F_AGAIN, .type = __VA_ARGS__},
#define FOW(n, ...) {.name = #n, .flags = FIELD_F_OUT | FIELD_F_WITH, .type = __VA_ARGS__},
#define FW(n, ...)  {.name = #n, .flags = FIELD_F_WITH, .type = __VA_ARGS__},
#define FU(n, ...)  {.name = #n, .flags = FIELD_F_SAME, .type = __VA_ARGS__},
#define FP(n, ...)  {.name = #n, .flags = FIELD_F_PART, .type = __VA_ARGS__},
#define FUV(n, ...) {.name = #n, .flags = FIELD_F_SAME | FIELD_F_VERBOSE, .type = __VA_ARGS__},
/* clang-format on */

#define STRUCT_BEGIN(s) static const struct field fields_##s[] = {
#define STRUCT_END(s)                                                                              \
	}                                                                                          \
	;                                                                                          \
	static struct struct_layout *layouts_##s[ABI_COUNT];                                       \
	const struct struct_desc struct_##s = {                                                    \
		.name = #s,                                                                        \
		.fields = fields_##s,                                                              \
		.nfields = ARRAY_SIZE(fields_##s),                                                 \
		.layouts = layouts_##s,                                                            \
	};
