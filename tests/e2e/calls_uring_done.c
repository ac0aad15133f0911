/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same as if every call succeeded, in full, with what memory holds anyway. */
#include "calls_uring.c"
