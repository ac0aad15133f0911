/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The families of structs: a line a file. */
#include "linux/structs/time.def"
