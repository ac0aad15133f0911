/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals: numbers, sets, siginfo. */
#ifndef TRACER_DECODE_SIGNAL_H
#define TRACER_DECODE_SIGNAL_H

#include "decode/decode.h"

#endif
