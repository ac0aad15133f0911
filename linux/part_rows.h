/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The macros for the rows of linux/parts.def:
 *
 *	PARTS_BEGIN(fanotify_init_flags, members of struct parts_style)
 *	PART(0xc, ENUM(fanotify_classes))
 *	REST(FLAGS(fanotify_init_flags))
 *	PARTS_END(fanotify_init_flags)
 *
 * The parts are listed in the order in which they are shown:
 *
 *	PART(mask, type)	the bits of the mask
 *	PART_SET(mask, type)	the bits of the mask, if one of them is set
 *	PART_IS(mask, n, name)	a name, if the bits of the mask are n
 *	PART_NAMED(mask, type)	the bits of the mask, if the type, an ENUM, has a name for them
 *	PART_BY(mask, n, name)	the bits of the mask, shifted, if one of them is set: NUMBER<<name,
 *				or NUMBER<<n if name is NULL
 *	REST(type)		the bits that the shown parts before it do not contain, if any is
 *				set
 *
 * The arguments may be followed by other members of struct part, or by:
 *
 *	OR_ELSE			the part is also shown if no part before it is shown
 *	ALWAYS_REST		the part is shown even if none of its bits is set
 *	LONE			if no other part is shown, the value is this part, not a list
 *	LONE_ZERO		like LONE, but only if the whole number is zero
 */
/* clang-format off */
#define PARTS_BEGIN(p, ...)                                                                        \
	static const struct parts_style style_##p = {__VA_ARGS__};                                 \
	static const struct part rows_##p[] = {
#define PARTS_END(p)                                                                               \
	};                                                                                         \
	const struct parts parts_##p = {                                                           \
		.style = &style_##p, .rows = rows_##p, .n = ARRAY_SIZE(rows_##p)                   \
	};
#define PART(bits, ...)	  {.mask = (bits), .type = &(const struct type)__VA_ARGS__},
#define PART_SET(bits, ...) {.mask = (bits), .set = true, .type = &(const struct type)__VA_ARGS__},
#define PART_NAMED(bits, ...) {.mask = (bits), .named = true, .type = &(const struct type)__VA_ARGS__},
#define PART_IS(bits, value, word) {.mask = (bits), .is = (value), .name = (word)},
#define PART_BY(bits, by, word, ...)                                                               \
	{.mask = (bits), .set = true, .times = true, .shift = (by), .name = (word), __VA_ARGS__},
#define REST(...)	  {.set = true, .type = &(const struct type)__VA_ARGS__},
#define OR_ELSE		  .or_else = true
#define ALWAYS_REST	  .always = true
#define LONE		  .lone = true
#define LONE_ZERO	  .lone_zero = true
/* clang-format on */
