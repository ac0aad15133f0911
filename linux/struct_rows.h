/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How a struct is written, in memory order:
 *
 *	STRUCT_BEGIN(timespec)
 *	F(tv_sec, LONG)
 *	F(tv_nsec, LONG)
 *	STRUCT_END(timespec)
 *
 * F is a field; FV one shown only unabbreviated (-v), otherwise "..." stands for
 * it; FNZ one shown only when not zero; PAD one that takes its place but is never
 * shown; FO and FI ones shown only at exit and only at entry, FOV both FO and FV;
 * FU one at the previous field's offset (a union's next member, or the next bits of
 * a word), FUV both FU and FV; FW one that, where the struct's size varies, is there as
 * soon as the field before it is, FOW both FO and FW; FC one that the kernel changes (4 => 2),
 * FCN the same with its name again (4 => count=2); FP an array or struct that is
 * shown as far as the struct goes.
 *
 * After the type, designated initialisers of struct field may follow:
 * F(mode, U32, .cond = has_mode). Offsets follow from the types and the ABI;
 * .align = 1 takes away a field's alignment (packed structs).
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
