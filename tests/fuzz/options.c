/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Expressions in command-line options. The first byte selects the kind of expression, and the rest
 * is the text of the expression. Normally a syntax error ends the program. Here it calls longjmp()
 * and leaks the memory allocated so far.
 *
 * fuzz: -max_len=256 -close_fd_mask=2
 */
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "select/syscall_set.h"
#include "tamper/inject.h"
#include "util/escape.h"
#include "util/msg.h"
#include "util/number_set.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static jmp_buf again;

static void go_back(void)
{
	longjmp(again, 1);
}

static void parse(unsigned kind, const char *text)
{
	struct injection inj = {0};
	static struct syscall_set set;

	switch (kind % 4) {
	case 0:
		syscall_set_parse(&set, text);
		break;
	case 1:
		injection_parse(&inj, text, "inject");
		injection_deinit(&inj);
		break;
	case 2:
		injection_parse(&inj, text, "fault");
		injection_deinit(&inj);
		break;
	default:
		duration_parse(text, 1000);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char text[512];

	if (!size || size > sizeof(text))
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	msg_set_exit_hook(go_back);
	if (!setjmp(again))
		parse(data[0], text);
	return 0;
}
