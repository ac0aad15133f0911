/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* siginfo_t as shown by strace 7.2, in the layout of each ABI. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "decode/core/decode.h"
#include "sinks/text/text_value.h"
#include "util/strbuf.h"

/*
 * Decodes a siginfo_t and checks its text. `words` contains the union that follows the first three
 * members.
 */
static void check(unsigned abi, enum const_style style, int sig, int code, int err,
		  const uint32_t words[6], const char *expected)
{
	const struct decode_config config = {.string_limit = 32};
	const struct text_config text = {.const_style = style};
	struct arena arena = {0};
	struct decoder d = {.arena = &arena, .config = &config, .abi = &abis[abi]};
	struct strbuf b = {0};
	uint32_t si[32] = {sig, err, code};

	memcpy(si + (abi == ABI_X86_64 ? 4 : 3), words, 6 * sizeof(words[0]));
	text_value(&b, decode_siginfo(&d, si), &text);
	assert_string_equal(strbuf_str(&b), expected);
	strbuf_deinit(&b);
	arena_reset(&arena);
}

#define ABBREV(sig, code, err, expected, ...)                                                      \
	check(ABI_X86_64, CONST_ABBREV, sig, code, err, (const uint32_t[6]){__VA_ARGS__}, expected)

static void test_members(void **state)
{
	(void)state;
	ABBREV(0, SI_QUEUE, 0, "{}", 1, 2);
	ABBREV(SIGCHLD, CLD_EXITED, 0,
	       "{si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=1, si_uid=0, si_status=3, "
	       "si_utime=0, "
	       "si_stime=0}",
	       1, 0, 3);
	ABBREV(SIGCHLD, CLD_KILLED, 999,
	       "{si_signo=SIGCHLD, si_code=CLD_KILLED, si_errno=999, si_pid=-5, si_uid=4294967289, "
	       "si_status=SIGQUIT, si_utime=205 /* 2.05 s */, si_stime=0}",
	       -5, -7, 3, 0, 205);
	ABBREV(SIGSEGV, SEGV_MAPERR, 0, "{si_signo=SIGSEGV, si_code=SEGV_MAPERR, si_addr=NULL}", 0);
	ABBREV(SIGSEGV, SEGV_BNDERR, 0,
	       "{si_signo=SIGSEGV, si_code=SEGV_BNDERR, si_addr=0x1, si_lower=0x2, si_upper=NULL}",
	       1, 0, 9, 9, 2);
	ABBREV(SIGSEGV, SEGV_PKUERR, 0,
	       "{si_signo=SIGSEGV, si_code=SEGV_PKUERR, si_addr=0x1, si_pkey=4294967295}", 1, 0, 9,
	       9, -1);
	ABBREV(SIGBUS, BUS_MCEERR_AR, 0,
	       "{si_signo=SIGBUS, si_code=BUS_MCEERR_AR, si_addr=NULL, si_addr_lsb=0xffff}", 0, 0,
	       -1);
	ABBREV(SIGTRAP, 0x401, 0, "{si_signo=SIGTRAP, si_code=0x401, si_addr=NULL}", 0);
	ABBREV(SIGIO, POLL_OUT, 0,
	       "{si_signo=SIGIO, si_code=POLL_OUT, si_band=-25769803781, si_fd=3}", -5, -7, 3);
	ABBREV(SIGIO, SI_KERNEL, 0, "{si_signo=SIGIO, si_code=SI_KERNEL}", 1, 2, 3);
	ABBREV(SIGUSR1, SI_QUEUE, 0, "{si_signo=SIGUSR1, si_code=SI_QUEUE, si_pid=0, si_uid=0}", 0);
	ABBREV(SIGUSR1, SI_KERNEL, 0, "{si_signo=SIGUSR1, si_code=SI_KERNEL}", 0);
	ABBREV(SIGTERM, 5, 0, "{si_signo=SIGTERM, si_code=0x5, si_int=-1, si_ptr=0xffffffff}", 0, 0,
	       -1);
	ABBREV(SIGTERM, SI_TIMER, 0,
	       "{si_signo=SIGTERM, si_code=SI_TIMER, si_timerid=0x3eb, si_overrun=-5, si_int=0, "
	       "si_ptr=NULL}",
	       0x3eb, -5);
	ABBREV(34, -61, 0, "{si_signo=SIGRT_2, si_code=0xffffffc3, si_pid=1, si_uid=0}", 1);
	ABBREV(77, SI_TKILL, 0, "{si_signo=77, si_code=SI_TKILL, si_pid=1, si_uid=0}", 1, 0, 7);
	ABBREV(SIGSYS, 1, 2,
	       "{si_signo=SIGSYS, si_code=SYS_SECCOMP, si_errno=ENOENT, si_call_addr=0x1, "
	       "si_syscall=__NR_open, si_arch=AUDIT_ARCH_X86_64}",
	       1, 0, 2, 0xc000003e);
	ABBREV(SIGSYS, 1, 0,
	       "{si_signo=SIGSYS, si_code=SYS_SECCOMP, si_call_addr=NULL, si_syscall=5 /* open */, "
	       "si_arch=AUDIT_ARCH_I386}",
	       0, 0, 5, 0x40000003);
	ABBREV(SIGSYS, 1, 0,
	       "{si_signo=SIGSYS, si_code=SYS_SECCOMP, si_call_addr=NULL, si_syscall=4294967295, "
	       "si_arch=0 /* AUDIT_ARCH_??? */}",
	       0, 0, -1, 0);
}

static void test_layouts(void **state)
{
	const uint32_t words[6] = {1, 2, 3, 4, 5, 6};

	(void)state;
	check(ABI_I386, CONST_ABBREV, SIGUSR1, SI_QUEUE, 0, words,
	      "{si_signo=SIGUSR1, si_code=SI_QUEUE, si_pid=1, si_uid=2, si_int=3, si_ptr=0x3}");
	check(ABI_I386, CONST_ABBREV, SIGCHLD, CLD_STOPPED, 0, words,
	      "{si_signo=SIGCHLD, si_code=CLD_STOPPED, si_pid=1, si_uid=2, si_status=SIGQUIT, "
	      "si_utime=4 /* 0.04 s */, si_stime=5 /* 0.05 s */}");
	check(ABI_I386, CONST_ABBREV, SIGSEGV, SEGV_BNDERR, 0, words,
	      "{si_signo=SIGSEGV, si_code=SEGV_BNDERR, si_addr=0x1, si_lower=0x3, si_upper=0x4}");
	check(ABI_X32, CONST_ABBREV, SIGCHLD, CLD_STOPPED, 0, words,
	      "{si_signo=SIGCHLD, si_code=CLD_STOPPED, si_pid=1, si_uid=2, si_status=SIGQUIT, "
	      "si_utime=21474836484 /* 214748364.84 s */, si_stime=6 /* 0.06 s */}");
}

static void test_styles(void **state)
{
	const uint32_t words[6] = {1, 2, 3, 0, 0, 0};

	(void)state;
	check(ABI_X86_64, CONST_RAW, SIGUSR1, SI_QUEUE, 1, words,
	      "{si_signo=10, si_code=0xffffffff, si_errno=1, si_pid=1, si_uid=2, si_int=3, "
	      "si_ptr=0x3}");
	check(ABI_X86_64, CONST_VERBOSE, SIGCHLD, CLD_KILLED, 1, words,
	      "{si_signo=17 /* SIGCHLD */, si_code=0x2 /* CLD_KILLED */, si_errno=1 /* EPERM */, "
	      "si_pid=1, si_uid=2, si_status=3 /* SIGQUIT */, si_utime=0, si_stime=0}");
	check(ABI_X86_64, CONST_VERBOSE, SIGUSR1, SI_USER, 0, words,
	      "{si_signo=10 /* SIGUSR1 */, si_code=0 /* SI_USER */, si_pid=1, si_uid=2}");
	check(ABI_X86_64, CONST_VERBOSE, SIGUSR1, 5, 0, words,
	      "{si_signo=10 /* SIGUSR1 */, si_code=0x5, si_pid=1, si_uid=2, si_int=3, si_ptr=0x3}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_styles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
