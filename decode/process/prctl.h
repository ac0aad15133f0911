/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Arguments and results of prctl(2) and arch_prctl(2) that no type can describe. */
#ifndef TRACER_DECODE_PROCESS_PRCTL_H
#define TRACER_DECODE_PROCESS_PRCTL_H

#include "decode/core/decode.h"

/* Results: the number, followed by the number's meaning in parentheses. */
decode_fn decode_ret_speculation, decode_ret_xfeatures;
/* Arguments of particular operations of prctl(2). */
decode_fn decode_signo_long, decode_sve_vl, decode_sme_vl, decode_speculation, decode_tagged_addr,
	decode_pidtype, decode_riscv_v, decode_xfeature, decode_xfeature_mask;

#endif
