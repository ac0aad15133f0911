/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Builds tables from the rows of linux/structs/. */
#include "linux/families.h"
#include "linux/arch/abi.h"
#include "linux/struct_rows.h"

#include "linux/structs_all.h"
