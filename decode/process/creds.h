/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keys, seccomp, landlock and other security modules. */
#ifndef TRACER_DECODE_CREDS_H
#define TRACER_DECODE_CREDS_H

#include "decode/core/decode.h"
#include "decode/core/plan_types.h"

/* Keys: keyctl(2). */
#define KEYSERIAL FN32(decode_key_serial)
decode_fn decode_key_serial, decode_reqkey, decode_kdf, decode_key_text, decode_key_data,
	decode_key_caps, decode_key_error, decode_pkey_in, decode_pkey_in2, decode_pkey_out;
/* A string, or where there is none a number. */

/* Groups: those beyond NGROUPS_MAX are no such array. */
decode_fn decode_groups, decode_groups16;
#define GROUPS(...)   FN_LEN(decode_groups, __VA_ARGS__)
#define GROUPS16(...) FN_LEN(decode_groups16, __VA_ARGS__)

/* Results that are descriptors for some arguments. */
decode_fn decode_ret_landlock;

decode_fn decode_landlock_ruleset, decode_lsm_ctx, decode_lsm_ctxs, decode_lsm_ids;
/* Of lsm_get_self_attr: the exit has nothing to tell; it has. */
bool lsm_all_is_known(const struct decoder *d);
bool lsm_is_answered(const struct decoder *d);

/* Where the parameters cannot be read, the last buffer is called otherwise. */
bool pkey_has_params(const struct decoder *d);
bool pkey_has_no_params(const struct decoder *d);

/* What the hatches above read of memory. */
extern const struct hatch_reads creds_reads[];

#endif
