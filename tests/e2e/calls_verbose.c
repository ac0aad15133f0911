/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same with -X verbose. */
#include "calls_raw.c"
