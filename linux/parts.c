/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of linux/parts.def as tables. */
#include "decode/core/type.h"
#include "linux/part_rows.h"

#include "linux/parts.def"
