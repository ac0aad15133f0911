/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The same as if every call succeeded, in full. */
#include "calls_devices.c"
