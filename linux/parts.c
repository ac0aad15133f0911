/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Builds tables from linux/parts.def. */
#include "decode/core/type.h"
#include "linux/part_rows.h"

#include "linux/parts.def"
