/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The rows of linux/structs/ as tables. */
#include "linux/families.h"
#include "linux/arch/abi.h"
#include "linux/struct_rows.h"

#include "linux/structs_all.h"
