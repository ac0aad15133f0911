/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same requests, answered, as calls_storage_done.args says. */
#include "calls_storage.c"
