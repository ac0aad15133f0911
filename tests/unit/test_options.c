/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Parsing of command lines into options. Error messages are tested by tests/cli. */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "linux/arch/arch.h"
#include "linux/syscall_desc.h"
#include "cli/options.h"
#include "util/msg.h"
#include "unwind.h"
#include "util/strbuf.h"

#define ARGS_MAX 32

/* Parses a command line whose words are separated by single spaces. */
static struct options *parse(const char *line)
{
	static struct options o;
	static char text[1024], *argv[ARGS_MAX];
	int argc = 0;

	snprintf(text, sizeof(text), "tracer %s", line);
	for (char *t = strtok(text, " "); t && argc < ARGS_MAX - 1; t = strtok(NULL, " "))
		argv[argc++] = t;
	argv[argc] = NULL;
	options_parse(&o, argc, argv);
	return &o;
}

static bool traced(const struct options *o, const char *name)
{
	int row = syscall_desc_find(name);

	assert_true(row >= 0);
	return filter_wants(&o->filter, &abis[ABI_X86_64],
			    abi_number(&abis[ABI_X86_64], (unsigned)row));
}

static void test_defaults(void **state)
{
	struct options *o = parse("prog -x arg");

	(void)state;
	assert_string_equal(o->program, "prog");
	assert_string_equal(o->argv[0], "prog");
	assert_string_equal(o->argv[1], "-x");
	assert_string_equal(o->argv[2], "arg");
	assert_null(o->argv[3]);
	assert_int_equal(o->text.column, 40);
	assert_int_equal(o->decode.string_limit, 32);
	assert_int_equal(o->unwind.frame_limit, 256);
	assert_int_equal(o->capture.interruptible, 2);
	assert_int_equal(o->quiet, 0);
	assert_null(o->decode.per_syscall);
	assert_false(o->stacks || o->summarize || o->capture.follow || o->text.separately);
	assert_true(traced(o, "openat") && filter_signal(&o->filter, 17));
	assert_false(filter_holds(&o->filter));
	options_deinit(o);
}

static void test_short(void **state)
{
	struct options *o =
		parse("-ffttTkyyxXraw -s5 -a 60 -o out -A -n -N -i -qq -Y --argv0=zero prog");

	(void)state;
	assert_true(o->capture.follow && o->text.separately && o->text.append && o->stacks);
	assert_true(o->text.durations && o->text.syscall_numbers && o->text.arg_names);
	assert_true(o->text.instruction_pointer && o->decode.pid_comm && o->text.quiet_exit);
	assert_int_equal(o->text.absolute, TIME_OF_DAY);
	assert_int_equal(o->text.absolute_unit, UNIT_US);
	assert_int_equal(o->text.hex_strings, HEX_NON_ASCII);
	assert_int_equal(o->text.const_style, CONST_RAW);
	assert_int_equal(o->text.column, 60);
	assert_int_equal(o->decode.string_limit, 5);
	assert_int_equal(o->decode.fd_details, 0x3f);
	assert_int_equal(o->capture.interruptible, 3);
	assert_int_equal(o->quiet, QUIET_ATTACH | QUIET_PERSONALITY | QUIET_EXIT);
	assert_string_equal(o->text.path, "out");
	assert_string_equal(o->argv[0], "zero");
	assert_string_equal(o->program, "prog");
	options_deinit(o);
}

static void test_long(void **state)
{
	struct options *o = parse("--follow-forks --output-separately --output=x --kill-on-exit "
				  "--timestamps=ns,format:unix --relative-timestamps=ms "
				  "--syscall-times=s --strings-in-hex --decode-pids=pidns "
				  "--stack-trace=source --stack-trace-frame-limit=7 --quiet "
				  "--interruptible=never_tstp --daemonize=session prog");

	(void)state;
	assert_true(o->capture.follow && o->text.separately && o->capture.kill_on_exit);
	assert_int_equal(o->text.absolute, TIME_UNIX);
	assert_int_equal(o->text.absolute_unit, UNIT_NS);
	assert_int_equal(o->text.relative_unit, UNIT_MS);
	assert_int_equal(o->text.durations_unit, UNIT_S);
	assert_int_equal(o->text.hex_strings, HEX_ALL);
	assert_true(o->decode.pid_translate && o->unwind.source_lines);
	assert_int_equal(o->unwind.frame_limit, 7);
	assert_int_equal(o->quiet, QUIET_ATTACH | QUIET_PERSONALITY);
	assert_int_equal(o->capture.interruptible, 4);
	assert_int_equal(o->daemonize, 3);
	options_deinit(o);
}

static void test_pids(void **state)
{
	struct options *o = parse("-p 99991,99992 -p99993");

	(void)state;
	assert_int_equal(o->pids.n, 3);
	assert_int_equal(o->pids.v[0], 99991);
	assert_int_equal(o->pids.v[1], 99992);
	assert_int_equal(o->pids.v[2], 99993);
	assert_null(o->argv);
	options_deinit(o);
}

static void test_trace(void **state)
{
	static const struct {
		const char *set;
		bool openat, read, getpid;
	} cases[] = {
		{"openat", true, false, false},	       {"openat,read", true, true, false},
		{"!openat", false, true, true},	       {"!read,getpid", true, false, false},
		{"%file", true, false, false},	       {"file,getpid", true, false, true},
		{"/^re", false, true, false},	       {"0", false, true, false},
		{"read@64", false, true, false},       {"all", true, true, true},
		{"none", false, false, false},	       {"!none", true, true, true},
		{"!!read", false, true, false},	       {"?nosuch,read", false, true, false},
		{"%desc,?%nosuch", true, true, false},
#ifdef __x86_64__
		{"39,257", true, false, true},	       {"read@32", false, false, false},
		{"all@32", false, false, false},
#endif
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char line[64];
		struct options *o;

		for (unsigned form = 0; form < 3; form++) {
			snprintf(line, sizeof(line), "%s%s true",
				 (const char *[]){"-e ", "-e trace=", "--trace="}[form],
				 cases[i].set);
			o = parse(line);
			assert_int_equal(traced(o, "openat"), cases[i].openat);
			assert_int_equal(traced(o, "read"), cases[i].read);
			assert_int_equal(traced(o, "getpid"), cases[i].getpid);
			options_deinit(o);
		}
	}
}

/* Syscalls whose numbers are in no table are traced, whatever -e trace= selects. */
static void test_beyond(void **state)
{
	static const uint64_t numbers[] = {999, 1023, 1024, 1 << 20, UINT64_MAX};
	struct options *o;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		for (unsigned a = 0; a < ABI_COUNT; a++) {
			o = parse("true");
			assert_true(filter_wants(&o->filter, &abis[a], numbers[i]));
			options_deinit(o);
			o = parse("-e !read true");
			assert_true(filter_wants(&o->filter, &abis[a], numbers[i]));
			options_deinit(o);
			/* This set does not contain them. strace 7.2 shows them, too. */
			o = parse("-e read,%file true");
			assert_true(filter_wants(&o->filter, &abis[a], numbers[i]));
			options_deinit(o);
		}
	}
#ifdef __x86_64__
	o = parse("-e read@x32 true");
	assert_true(filter_wants(&o->filter, &abis[ABI_X32], 0x40000000));
	assert_false(filter_wants(&o->filter, &abis[ABI_X86_64], 0));
	options_deinit(o);
#endif
}

/*
 * A set may name syscalls of all machines. Names that do not exist on this machine are listed in
 * set.elsewhere, so that tracing can reject them.
 */
static void test_machines(void **state attr_unused)
{
	struct syscall_set set;

	syscall_set_parse(&set, "read,stat@64,?open@x32,fstat,riscv_flush_icache,%file");
	for (unsigned a = 0; a < ABI_COUNT; a++) {
		int row = syscall_desc_find("fstat");

		assert_true(syscall_set_has(&set, &abis[a],
					    (unsigned)abi_number(&abis[a], (unsigned)row)));
	}
	assert_true(syscall_set_has(&set, &abis[ABI_RISCV64], 259));
	assert_true(syscall_set_has(&set, &abis[ABI_X86_64], 4));
	assert_non_null(set.elsewhere);
	if (arch_native == &arch_x86_64)
		assert_true(!strncmp(set.elsewhere, "riscv_flush_icache,", 19));
	syscall_set_parse(&set, "read,?riscv_flush_icache,%file");
	assert_null(set.elsewhere);
	syscall_set_check_native(&set);
}

/* Each %CLASS contains the same number of x86_64 syscalls as in strace 7.2. */
static void test_classes(void **state)
{
	static const struct {
		const char *name;
		unsigned count;
	} classes[] = {
		{"file", 75},  {"desc", 132},	{"memory", 28}, {"process", 16}, {"signal", 17},
		{"ipc", 12},   {"network", 21}, {"net", 21},	{"clock", 8},	 {"creds", 19},
		{"pure", 8},   {"stat", 1},	{"lstat", 1},	{"fstat", 3},	 {"%stat", 5},
		{"statfs", 1}, {"fstatfs", 1},	{"%statfs", 3},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		unsigned count = 0;
		struct options *o;
		char line[64];

		snprintf(line, sizeof(line), "-e %%%s true", classes[i].name);
		o = parse(line);
		for (unsigned nr = 0; nr < abis[ABI_X86_64].nrows; nr++)
			count += abi_row(&abis[ABI_X86_64], nr) >= 0 &&
				 filter_wants(&o->filter, &abis[ABI_X86_64], nr);
		if (count != classes[i].count)
			print_error("%s\n", line);
		assert_int_equal(count, classes[i].count);
		options_deinit(o);
	}
}

static void test_other_sets(void **state)
{
	struct options *o = parse("-e signal=!INT,sigrt_2 -e status=failed -e read=3,5 -e write=!1 "
				  "-e trace-fds=7 -e decode-fds=path,socket -e kvm=vcpu+ true");

	(void)state;
	assert_false(filter_signal(&o->filter, 2));
	assert_false(filter_signal(&o->filter, 34));
	assert_true(filter_signal(&o->filter, 15));
	assert_non_null(o->filter.status);
	assert_false(filter_detached(&o->filter));
	assert_true(filter_holds(&o->filter));
	assert_true(number_set_has(&o->dump_read, 5) && !number_set_has(&o->dump_read, 4));
	assert_true(number_set_has(&o->dump_write, 5) && !number_set_has(&o->dump_write, 1));
	assert_non_null(o->filter.fds);
	assert_int_equal(o->decode.fd_details, FD_PATH | FD_SOCKET);
	assert_int_equal(o->kvm, KVM_VCPU_PLUS);
	options_deinit(o);
}

static uint8_t mode(const struct options *o, const char *name)
{
	return o->decode.per_syscall ? o->decode.per_syscall[syscall_desc_find(name)] : 0;
}

static void test_modes(void **state)
{
	struct options *o = parse("-v true");

	(void)state;
	assert_int_equal(mode(o, "read"), DECODE_FULL);
	options_deinit(o);
	o = parse("-e abbrev=!statx -e raw=read -e verbose=!%memory true");
	assert_int_equal(mode(o, "statx"), DECODE_FULL);
	assert_int_equal(mode(o, "fstat"), 0);
	assert_int_equal(mode(o, "read"), DECODE_RAW);
	assert_int_equal(mode(o, "mmap"), DECODE_NO_DEREF);
	options_deinit(o);
	o = parse("-v -e abbrev=all true");
	assert_null(o->decode.per_syscall);
	options_deinit(o);
}

static void test_inject(void **state)
{
	struct options *o = parse(
		"--inject=read:error=EIO:signal=USR1:delay_enter=1.5ms:when=2..9+3 "
		"-e fault=openat,close:when=4 "
		"--inject=write:poke_enter=@arg2=00ff4z,@arg1=aa:poke_exit=@arg2=01:retval=0x10 "
		"--inject=%file:error=4095:when=5+ true");
	const struct injection *i = o->injections.v;

	(void)state;
	assert_int_equal(o->injections.n, 4);
	assert_int_equal(i[0].actions, INJECT_ERROR | INJECT_SIGNAL | INJECT_DELAY_ENTER);
	assert_int_equal(i[0].error, EIO);
	assert_int_equal(i[0].signal, 10);
	assert_int_equal(i[0].delay_enter_ns, 1500000);
	assert_int_equal(i[0].first, 2);
	assert_int_equal(i[0].last, 9);
	assert_int_equal(i[0].step, 3);
	assert_true(syscall_set_has(&i[0].set, &abis[ABI_X86_64], 0));
	assert_int_equal(i[1].error, ENOSYS);
	assert_int_equal(i[1].first, 4);
	assert_int_equal(i[1].last, 4);
	assert_int_equal(i[2].actions, INJECT_POKE_ENTER | INJECT_POKE_EXIT | INJECT_RETVAL);
	assert_int_equal(i[2].retval, 16);
	assert_int_equal(i[2].pokes.n, 3);
	assert_int_equal(i[2].pokes.v[0].arg, 1);
	assert_int_equal(i[2].pokes.v[0].n, 3);
	assert_int_equal(i[2].pokes.v[0].bytes[1], 0xff);
	assert_int_equal(i[2].pokes.v[0].bytes[2], 4);
	assert_true(i[2].pokes.v[2].at_exit);
	assert_int_equal(i[3].error, 4095);
	assert_int_equal(i[3].first, 5);
	assert_true(i[3].last == UINT_MAX);
	assert_int_equal(i[3].step, 1);
	options_deinit(o);
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} cases[] = {
		{"1", 1000},
		{"1s", 1000000000},
		{"2ms", 2000000},
		{"3us", 3000},
		{"4ns", 4},
		{"0.5s", 500000000},
		{"1e3", 1000000},
		{"0", 0},
		{"", -1},
		{"s", -1},
		{"-1", -1},
		{"1m", -1},
		{"1 s", -1},
		{"inf", -1},
		{"nan", -1},
		{"1e30", -1},
		{"99999999999s", -1},
		{"1sx", -1},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(duration_parse(cases[i].text, 1000), cases[i].ns);
}

static bool environment_has(const struct options *o, const char *entry)
{
	for (char **e = o->env; *e; e++) {
		if (!strcmp(*e, entry))
			return true;
	}
	return false;
}

static void test_environment(void **state)
{
	struct options *o;

	(void)state;
	setenv("KEPT", "1", 1);
	setenv("GONE", "1", 1);
	setenv("CHANGED", "1", 1);
	o = parse("-E GONE -E CHANGED=2 -E NEW= -E TWICE=1 -E TWICE=2 -E NEVER true");
	assert_true(environment_has(o, "KEPT=1") && environment_has(o, "CHANGED=2"));
	assert_true(environment_has(o, "NEW=") && environment_has(o, "TWICE=2"));
	assert_false(environment_has(o, "GONE=1") || environment_has(o, "CHANGED=1"));
	assert_false(environment_has(o, "TWICE=1"));
	options_deinit(o);
}

static void test_ours(void **state)
{
	struct options *o = parse("--format=folded --weight=bytes --blocked=250ms "
				  "-e stack=!/libc.*read/ --wait-spin=off --stack-trace-style=line "
				  "true");

	(void)state;
	assert_string_equal(o->format->name, "folded");
	assert_int_equal(o->weight, WEIGHT_BYTES);
	assert_int_equal(o->blocked_ns, 250000000);
	assert_int_equal(o->capture.spin, 0);
	assert_true(o->stacks && o->text.stack_line && !o->text.stacks);
	assert_true(filter_needs_stack(&o->filter) && filter_holds(&o->filter));
	options_deinit(o);

	o = parse("-c --summary-by=path -U p99,calls -S p50 true");
	assert_int_equal(o->summary.by, SUMMARY_BY_PATH);
	assert_int_equal(o->summary.column_count, 3);
	assert_int_equal(o->summary.columns[0], SUMMARY_P99);
	assert_int_equal(o->summary.columns[2], SUMMARY_NAME);
	assert_int_equal(o->summary.sort_by, SUMMARY_P50);
	assert_int_equal(o->decode.fd_details, FD_PATH);
	options_deinit(o);
}

/*
 * For random command lines, parsing exits with status 0, or with a message and status 1. It never
 * crashes.
 */
static void test_odd(void **state)
{
	static const char *const words[] = {
		"-e",
		"trace=",
		"!",
		",",
		"?",
		"@",
		"/",
		"%",
		"all",
		"none",
		"read",
		"@64",
		"@32",
		"@",
		"/^(",
		"[[",
		"%%stat",
		"signal=",
		"SIGRT_",
		"99999999999999999999",
		"-1",
		"inject=",
		":error=",
		":when=",
		"1..",
		"+",
		"0x",
		":retval=",
		":poke_enter=@arg",
		"=",
		"00",
		"-U",
		"-S",
		"time",
		"-p",
		"-u",
		"0:0",
		"-E",
		"--",
		"--tips=",
		"-s",
		"-O",
		"1e999",
		"-a",
		"status=",
		"quiet=",
		"fd=",
		"stack=",
		"stack=/",
		".*",
		"\\",
		"\xff",
		"-I",
		"--blocked=",
		"nan",
		"--color=",
		"-kk",
		"-ff",
		"-o",
		"|",
		"kvm=",
		"-X",
	};
	uint32_t seed = 12345;
	int null = open("/dev/null", O_RDWR);

	(void)state;
	for (unsigned run = 0; run < 500; run++) {
		char args[6][128], *argv[8] = {(char *)"tracer"};
		int argc = 1, status;
		pid_t pid;

		for (unsigned a = 0; a < 6; a++) {
			unsigned parts = 1 + (seed >> 13) % 3;

			args[a][0] = 0;
			for (unsigned i = 0; i < parts; i++) {
				seed = seed * 1664525 + 1013904223;
				strcat(args[a], words[(seed >> 8) % ARRAY_SIZE(words)]);
			}
			argv[argc++] = args[a];
		}
		argv[argc] = NULL;
		pid = fork();
		assert_true(pid >= 0);
		if (!pid) {
			struct options o;

			dup2(null, STDOUT_FILENO);
			dup2(null, STDERR_FILENO);
			options_parse(&o, argc, argv);
			options_deinit(&o);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
			for (int i = 1; i < argc; i++)
				print_error("'%s' ", argv[i]);
			fail_msg("ended with %#x", status);
		}
	}
	close(null);
}

/* If the engine lacks a capability, the message names the option that needs it. */
static void test_engines(void **state attr_unused)
{
	static const struct {
		const char *args, *beyond;
		unsigned needs;
	} cases[] = {
		{"prog", NULL, 0},
		{"--follow-forks --summary-only --summary-wall-clock prog", NULL, 0},
		{"-e inject=getpid:signal=1 prog", "-e inject=SET:signal=", CAPTURE_SIGNALS},
		{"-e inject=getpid:delay_exit=1 prog",
		 "-e inject=SET:delay_enter=, delay_exit=", CAPTURE_DELAY},
		{"-e fault=getpid prog", "-e inject=, -e fault=", CAPTURE_TAMPER},
		{"-b execve prog", "-b/--detach-on", CAPTURE_DETACH},
		{"--kill-on-exit prog", "--kill-on-exit", CAPTURE_KILL},
		{"--verify-stacks prog", "--verify-stacks", CAPTURE_REGISTERS},
		{"--stack-trace prog", "-k/--stack-trace", CAPTURE_STACKS},
		{"-e stack=/x/ prog", "-e stack=", CAPTURE_STACKS},
		{"--format=folded prog", "--format=folded", CAPTURE_STACKS},
		{"--summary-only --summary-by=stack prog", "--summary-by=stack", CAPTURE_STACKS},
		{"--blocked prog", "--blocked", CAPTURE_STACKS},
		{"--summary prog",
		 "-c/--summary-only and -C/--summary without -w/--summary-wall-clock",
		 CAPTURE_CPU_TIMES},
		{"--daemonize prog", "-D/--daemonize", CAPTURE_BECOME},
		{"--decode-fds=all prog", "-y/--decode-fds", CAPTURE_FDS},
		{"--trace-path=/x prog", "-P/--trace-path", CAPTURE_FDS},
		{"--trace-path=/nosuch/* prog", "-P/--trace-path", CAPTURE_FDS},
		{"--write-trace=/x prog", "--write-trace", CAPTURE_FDS},
		{"-e namespace=new prog", "-e namespace=new", CAPTURE_EXACT_FACTS},
		{"--secontext prog", "--secontext", CAPTURE_EXACT_FACTS},
		{"--io-uring=on prog", "--io-uring=on", CAPTURE_REQUESTS},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *beyond;
		struct options *o;

		if (strstr(cases[i].args, "--verify-stacks") && !unwind_has(UNWIND_LIBUNWIND))
			continue;
		o = parse(cases[i].args);
		beyond = options_beyond(o, ~cases[i].needs);
		assert_null(options_beyond(o, o->engine->capabilities));
		if (cases[i].beyond)
			assert_string_equal(beyond, cases[i].beyond);
		else
			assert_null(options_beyond(o, 0));
		options_deinit(o);
	}
}

/* The shell completions of --format list exactly the formats that exist. */
static void test_completions(void **state attr_unused)
{
	static const char *const files[] = {"/completions/bash/tracer", "/completions/zsh/_tracer"};
	static const char *const around[] = {"\tformat) _tracer_list \"$2\" \"%s\" ;;\n",
					     ":(%s)' \\\n"};
	const char *source = getenv("SRC") ? getenv("SRC") : ".";
	const struct sink_format *format = NULL;
	struct strbuf names = {0};

	while ((format = sink_format_next(format))) {
		if (names.len)
			strbuf_putc(&names, ' ');
		strbuf_puts(&names, format->name);
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char text[16384], line[256];
		FILE *f;

		snprintf(text, sizeof(text), "%s%s", source, files[i]);
		f = fopen(text, "r");
		assert_non_null(f);
		text[fread(text, 1, sizeof(text) - 1, f)] = 0;
		fclose(f);
		snprintf(line, sizeof(line), around[i], strbuf_str(&names));
		assert_non_null(strstr(text, line));
	}
	strbuf_deinit(&names);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),    cmocka_unit_test(test_short),
		cmocka_unit_test(test_long),	    cmocka_unit_test(test_pids),
		cmocka_unit_test(test_trace),	    cmocka_unit_test(test_beyond),
		cmocka_unit_test(test_other_sets),  cmocka_unit_test(test_classes),
		cmocka_unit_test(test_machines),    cmocka_unit_test(test_modes),
		cmocka_unit_test(test_inject),	    cmocka_unit_test(test_durations),
		cmocka_unit_test(test_environment), cmocka_unit_test(test_engines),
		cmocka_unit_test(test_completions), cmocka_unit_test(test_ours),
		cmocka_unit_test(test_odd),
	};

	msg_set_program("tracer");
	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
