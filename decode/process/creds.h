/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys, groups, landlock and other security modules. */
#ifndef TRACER_DECODE_PROCESS_CREDS_H
#define TRACER_DECODE_PROCESS_CREDS_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* The serial numbers, requests, buffers and results of keyctl(2), add_key(2) and request_key(2). */
#define KEYSERIAL FN32(decode_key_serial)
decode_fn decode_key_serial, decode_reqkey, decode_kdf, decode_key_text, decode_key_data,
	decode_key_caps, decode_key_error, decode_pkey_in, decode_pkey_in2, decode_pkey_out;

/*
 * An array of t->len ids, for getgroups(2) and setgroups(2). The ids have 32 or 16 bits. If there
 * are more than NGROUPS_MAX ids, the address of the array is shown.
 */
decode_fn decode_groups, decode_groups16;
#define GROUPS(...)   FN_LEN(decode_groups, __VA_ARGS__)
#define GROUPS16(...) FN_LEN(decode_groups16, __VA_ARGS__)

/*
 * The result of landlock_create_ruleset(2): a descriptor, or another number if the flags request
 * it.
 */
decode_fn decode_ret_landlock;

/* Pointer arguments of landlock_create_ruleset(2), lsm_get_self_attr(2) and lsm_list_modules(2). */
decode_fn decode_landlock_ruleset, decode_lsm_ctx, decode_lsm_ids;
decode_fn decode_lsm_ctxs_entry, decode_lsm_ctxs_exit;
/*
 * Conditions for lsm_get_self_attr(2). lsm_all_is_known() returns true if nothing is added at exit,
 * lsm_is_answered() if something is added.
 */
bool lsm_all_is_known(const struct decoder *d);
bool lsm_is_answered(const struct decoder *d);

/*
 * Conditions for KEYCTL_PKEY_*. The lengths of the buffers are in struct keyctl_pkey_params. The
 * conditions test whether this struct can be read. If it cannot be read, the last argument has a
 * different name.
 */
bool pkey_has_params(const struct decoder *d);
bool pkey_has_no_params(const struct decoder *d);

/* Lists the memory that these decoders read; see decode/core/plan_types.h. */
extern const struct custom_reads creds_reads[];

#endif
