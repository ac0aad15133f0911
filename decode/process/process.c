/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "decode/process/process.h"

#include <linux/sched.h>
#include <string.h>
#include <sys/wait.h>

#include "decode/core/fd.h"
#include "decode/core/note.h"
#include "decode/core/read.h"
#include "decode/core/read_ahead.h"
#include "decode/signal/signal.h"
#include "util/names.h"

static const struct type ptr_to_fd = PTR(FD), ptr_to_pid = PTR(PID);
static const struct type ptr64_to_fd = PTR64(FD), ptr64_to_pid = PTR64(PID);
static const struct type ptr_to_status = PTR(FN32(decode_wait_status));

/* ---- clone(2), clone3(2) ---- */

static uint64_t clone_flags(const struct decoder *d)
{
	return decode_arg_raw(d, 0);
}

static struct value *named(struct value *v)
{
	v->text |= TEXT_NAMED;
	return v;
}

struct value *decode_clone_stack(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return named(value_addr(d->arena, n));
}

struct value *decode_clone_tid(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (d->failed)
		return named(value_addr(d->arena, n));
	return named(decode_number(
		d, clone_flags(d) & CLONE_PARENT_SETTID ? &ptr_to_pid : &ptr_to_fd, n));
}

/*
 * Returns the register that contains tls or child_tid. The order of these arguments depends on the
 * ABI, see clone(2).
 */
static uint64_t clone_last(const struct decoder *d, bool tls)
{
	return decode_arg_raw(d, tls == d->abi->tls_first ? 3 : 4);
}

struct value *decode_clone_tls(struct decoder *d, const struct type *t attr_unused,
			       uint64_t n attr_unused)
{
	static const struct type desc = USER_DESC;

	if (d->abi->tls_is_desc && !d->failed)
		return named(decode_at(d, &desc, clone_last(d, true)));
	return named(value_addr(d->arena, clone_last(d, true)));
}

struct value *decode_clone_child_tid(struct decoder *d, const struct type *t attr_unused,
				     uint64_t n attr_unused)
{
	return named(value_addr(d->arena, clone_last(d, false)));
}

struct value *decode_clone3_tls(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type desc = USER_DESC;

	return d->abi->tls_is_desc ? decode_at(d, &desc, n) : value_addr(d->arena, n);
}

#define MAX_PID_NS_LEVEL 32 /* in the kernel's include/linux/pid_namespace.h, not in uapi */

struct value *decode_clone3_set_tid(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	const struct type tids = PTR64(ARRAY(PID, FIELD(set_tid_size)));

	uint64_t size = decode_field(d, "set_tid_size");

	if (!size || size > MAX_PID_NS_LEVEL)
		return value_addr(d->arena, n);
	return decode_number(d, &tids, n);
}

struct value *decode_clone3_signal(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return n > INT32_MAX ? value_uint(d->arena, n) : decode_signo(d, (int)n);
}

#define PAGE 4096 /* the kernel's limit on the size of struct clone_args, in bytes */

#define CLONE_ARGS_MIN	64 /* CLONE_ARGS_SIZE_VER0 */
#define CLONE_ARGS_VER1 80 /* CLONE_ARGS_SIZE_VER1 */

/*
 * Shows a struct clone_args. If the struct of the caller is shorter, the missing members are shown
 * as zero.
 */
static struct value *clone3_args(struct decoder *d, const struct type *args, uint64_t n)
{
	static const struct type whole = STRUCT(clone_args);
	size_t known = struct_size(d->abi, whole.desc);
	uint64_t size = decode_arg_raw(d, 1);
	uint8_t *bytes;
	int err;

	if (!n || size < CLONE_ARGS_MIN || size >= known || d->mode & DECODE_NO_DEREF)
		return decode_at(d, args, n);
	bytes = arena_zalloc(d->arena, known);
	err = decode_read(d, n, bytes, size);
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	return decode_bytes(d, &whole, n, bytes, size > CLONE_ARGS_VER1 ? known : CLONE_ARGS_VER1);
}

/* The members of struct clone_args that determine which values the kernel stores, and where. */
struct clone3_filled {
	uint64_t flags, pidfd, child_tid, parent_tid;
};

struct value *decode_clone3_args_entry(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	static const struct type args = STRUCT_GROWS(clone_args, 64, A1);
	struct value *v = clone3_args(d, &args, n);
	struct clone3_filled in;

	if (v->kind == VALUE_ADDR || decode_read(d, n, &in, sizeof(in)) < 0)
		return v;
	/* Keep the value open (VALUE_F_OPEN) if the exit will add a part to it. */
	if (in.flags & (CLONE_PIDFD | CLONE_PARENT_SETTID) ||
	    decode_arg_raw(d, 1) > struct_size(d->abi, args.desc))
		return value_changing(d->arena, v);
	return v;
}

struct value *decode_clone3_args_exit(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	uint64_t size = decode_arg_raw(d, 1), known = struct_size(d->abi, &struct_clone_args);
	struct value *v = value_struct(d->arena);
	struct clone3_filled in;

	if (d->failed || decode_read(d, n, &in, sizeof(in)) < 0)
		return NULL;
	if (in.flags & CLONE_PIDFD)
		value_add_named(v, "pidfd", decode_number(d, &ptr64_to_fd, in.pidfd));
	if (in.flags & CLONE_PARENT_SETTID)
		value_add_named(v, "parent_tid", decode_number(d, &ptr64_to_pid, in.parent_tid));
	if (size > known)
		decode_rest(d, v, n, known, size_min(size, PAGE) - known);
	return v->child ? value_change(d->arena, (struct value *)d->before, v) : NULL;
}

/* ---- execve(2) ---- */

#define POINTERS_MAX (1u << 20)
#define CHUNK	     512

/* A cursor in a NULL-terminated array of pointers. The array is in the tracee's memory. */
struct pointers {
	struct decoder *d;
	uint64_t addr;	   /* address of the next pointer */
	bool strings;	   /* true to also read the strings that the pointers point to */
	unsigned since;	   /* number of pointers used since the list was last read ahead */
	unsigned have, at; /* number of bytes in buf, and number of bytes already used */
	int err;	   /* -errno if reading a pointer failed */
	uint8_t buf[CHUNK];
};

/*
 * Fills p->buf with the next bytes of the list, which either were read ahead or are read now.
 * Returns the number of bytes or -errno.
 */
static ssize_t pointers_fill(struct pointers *p)
{
	ssize_t size = p->d->abi->long_size;
	ssize_t got = decode_read_known(p->d, p->addr, p->buf, CHUNK);

	if (got >= size)
		return got;
	decode_read_list(p->d, p->addr, p->strings);
	p->since = 0;
	got = decode_read_known(p->d, p->addr, p->buf, CHUNK);
	return got >= size ? got : decode_read_some(p->d, p->addr, p->buf, CHUNK);
}

/* Stores the next pointer in *out. If it cannot be read, sets p->err and returns false. */
static bool pointers_next(struct pointers *p, uint64_t *out)
{
	unsigned size = p->d->abi->long_size;
	ssize_t got;

	if (p->at + size > p->have) {
		got = pointers_fill(p);
		if (got < (ssize_t)size) {
			p->err = got < 0 ? (int)got : decode_read(p->d, p->addr, p->buf, size);
			return false;
		}
		p->have = got / size * size;
		p->at = 0;
	}
	*out = decode_load(p->d->abi, p->buf + p->at, size);
	p->at += size;
	p->addr += size;
	return true;
}

/*
 * Returns the string at s. The pointer to it is the last one that pointers_next() returned. If the
 * string has not been read yet, because the strings are scattered or too many, this function reads
 * it together with the following strings.
 */
static struct value *pointers_string(struct pointers *p, uint64_t s)
{
	const struct prefetch *ahead = p->d->prefetch;
	uint8_t byte;

	if (p->since++ >= PREFETCH_MAX / 2 && ahead && ahead->n == PREFETCH_MAX &&
	    !decode_read_known(p->d, s, &byte, sizeof(byte))) {
		decode_read_list(p->d, p->addr - p->d->abi->long_size, true);
		p->since = 0;
	}
	return decode_string(p->d, s,
			     size_max(p->d->config->string_limit, p->d->config->command_limit));
}

struct value *decode_argv(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct pointers p = {.d = d, .addr = n, .strings = true};
	unsigned limit = decode_full(d) ? DECODE_ELEMS_MAX : d->config->string_limit;
	struct value *v;
	uint64_t s;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	v = value_array(d->arena);
	for (unsigned i = 0;; i++) {
		if (!pointers_next(&p, &s)) {
			if (!i)
				return value_unreadable(d->arena, n, p.err);
			value_add(v, value_more_at(d->arena, p.addr, p.err));
			return v;
		}
		if (!s)
			return v;
		if (i >= limit) {
			v->flags |= VALUE_F_MORE;
			return v;
		}
		value_add(v, pointers_string(&p, s));
	}
}
const struct type_ops type_argv = {.name = "argv", .number = decode_argv, .fetch = decode_argv};

struct value *decode_envp(struct decoder *d, const struct type *t, uint64_t n)
{
	struct pointers p = {.d = d, .addr = n};
	struct value *v = value_addr(d->arena, n);
	bool terminated = false;
	unsigned count = 0;
	uint64_t s;

	if (decode_full(d))
		return decode_argv(d, t, n);
	if (!n || d->mode & DECODE_NO_DEREF)
		return v;
	while (count < POINTERS_MAX && pointers_next(&p, &s)) {
		if (!s) {
			terminated = true;
			break;
		}
		count++;
	}
	if (count || terminated)
		v->comment = arena_printf(d->arena, "%u var%s%s", count, count == 1 ? "" : "s",
					  terminated ? "" : ", unterminated");
	return v;
}
const struct type_ops type_envp = {.name = "envp", .number = decode_envp, .fetch = decode_envp};

/* ---- wait4(2) ---- */

#define SYSCALL_TRAP 0x80 /* PTRACE_O_TRACESYSGOOD */

struct value *decode_wait_status(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v = value_new(d->arena, VALUE_STATUS, n);
	unsigned event = (uint32_t)n >> 16;
	int status = n;

	if (WIFSTOPPED(status))
		value_add_named(v, "stopped", decode_signo(d, WSTOPSIG(status) & ~SYSCALL_TRAP));
	else if (WIFSIGNALED(status))
		value_add_named(v, "killed", decode_signo(d, WTERMSIG(status)));
	else if (WIFEXITED(status))
		value_add_named(v, "exited", value_int(d->arena, WEXITSTATUS(status)));
	else if (!WIFCONTINUED(status))
		return value_hex(d->arena, (uint32_t)n);
	if (event)
		value_add_named(v, "event", value_enum(d->arena, &xlat_ptrace_events, event));
	return v;
}

/*
 * Returns true if the kernel has stored nothing, because WNOHANG was set and there was no child to
 * report.
 */
static bool nobody_waited_for(const struct decoder *d)
{
	return !d->failed && d->ev->base.ret == 0;
}

struct value *decode_waited_status(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	if (nobody_waited_for(d))
		return value_addr(d->arena, n);
	return decode_number(d, &ptr_to_status, n);
}

struct value *decode_waited_rusage(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type usage = STRUCT(rusage);

	if (nobody_waited_for(d))
		return value_addr(d->arena, n);
	return decode_at(d, &usage, n);
}

/* ---- membarrier(2), kcmp(2) ---- */

#define MEMBARRIER_CMD_QUERY 0

struct value *decode_ret_membarrier(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *cmds;

	if ((uint32_t)decode_arg_raw(d, 0) != MEMBARRIER_CMD_QUERY)
		return value_uint(d->arena, n);
	if (n) {
		cmds = value_flags(d->arena, &xlat_membarrier_cmds, n);
		cmds->text |= TEXT_NO_UNKNOWN;
		decode_note(d, cmds);
	}
	return value_hex(d->arena, n);
}
const struct type_ops type_ret_membarrier = {
	.name = "ret_membarrier", .number = decode_ret_membarrier, .notes = true};

enum {
	KCMP_FILE,
	KCMP_VM,
	KCMP_FILES,
	KCMP_FS,
	KCMP_SIGHAND,
	KCMP_IO,
	KCMP_SYSVSEM,
	KCMP_EPOLL_TFD
};

/* Decodes n as a number in the context of process pid, for example as one of its descriptors. */
static struct value *number_of(struct decoder *d, int pid, const struct type *t, uint64_t n)
{
	struct decoder other = *d;

	other.tid = pid;
	return decode_number(&other, t, n);
}

static struct value *kcmp_at(struct decoder *d, unsigned arg, const struct type *t, uint64_t n)
{
	int pid = decode_pid_ours(d, PID_PROCESS, (int)decode_arg_raw(d, arg));

	return number_of(d, pid, t, n);
}

static const struct type fd = FD;

static struct value *kcmp_idx(struct decoder *d, unsigned arg, uint64_t n)
{
	uint32_t type = decode_arg_raw(d, 2);

	if (type == KCMP_FILE || type == KCMP_EPOLL_TFD)
		return kcmp_at(d, arg, &fd, n);
	return value_hex(d->arena, n);
}

struct value *decode_kcmp_idx(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return kcmp_idx(d, 0, n);
}
const struct type_ops type_kcmp_idx = {.name = "kcmp_idx", .number = decode_kcmp_idx};

struct value *decode_kcmp_slot_fd(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	return kcmp_at(d, 1, &fd, n);
}

struct value *decode_kcmp_idx2(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type slot = STRUCT(kcmp_epoll_slot);

	if ((uint32_t)decode_arg_raw(d, 2) == KCMP_EPOLL_TFD)
		return decode_at(d, &slot, n);
	return kcmp_idx(d, 1, n);
}
const struct type_ops type_kcmp_idx2 = {.name = "kcmp_idx2", .number = decode_kcmp_idx2};

struct value *decode_pidfd_target(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	int shown, pid;

	if (!fd_is_pidfd(d, (int)decode_arg_raw(d, 0), &shown, &pid))
		pid = 0;
	return number_of(d, pid, &fd, n);
}
const struct type_ops type_pidfd_target = {.name = "pidfd_target", .number = decode_pidfd_target};

/* ---- rseq(2) ---- */

struct value *decode_rseq_cpu_id(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	struct value *v;

	if (!xlat_name(&xlat_rseq_cpu_ids, n))
		return value_uint(d->arena, n);
	v = value_enum(d->arena, &xlat_rseq_cpu_ids, n);
	v->width = 4;
	v->flags |= VALUE_F_SIGNED;
	return v;
}

struct value *decode_rseq_cs(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type cs = STRUCT(rseq_cs);
	uint64_t addr = d->abi->long_size == 4 ? (uint32_t)n : n;
	struct value *v = decode_at(d, &cs, addr);

	if (v->kind != VALUE_STRUCT)
		return value_addr(d->arena, n);
	v->comment = arena_printf(d->arena, "%#llx", (unsigned long long)addr);
	return v;
}

#define RSEQ_SIZE  32 /* size and alignment in bytes of the first version of struct rseq */
#define RSEQ_KNOWN 64

struct value *decode_rseq(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type rseq = STRUCT(rseq);
	uint32_t len = decode_arg_raw(d, 1);
	uint8_t bytes[RSEQ_KNOWN] = {0};
	int err;

	if (!n || n % RSEQ_SIZE || len < RSEQ_SIZE || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	err = decode_read(d, n, bytes, size_min(len, sizeof(bytes)));
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	return decode_bytes(d, &rseq, n, bytes, sizeof(bytes));
}

/* ---- set_thread_area(2), modify_ldt(2) ---- */

/* The bits in the last word of struct user_desc (asm/ldt.h). */
static const struct {
	const char *name;
	uint8_t shift, width;
} desc_bits[] = {
	{"seg_32bit", 0, 1},
	{"contents", 1, 2},
	{"read_exec_only", 3, 1},
	{"limit_in_pages", 4, 1},
	{"seg_not_present", 5, 1},
	{"useable", 6, 1},
	{"lm", 7, 1},
};

/* Shows a hexadecimal number, padded with zeros to at least eight characters including the 0x. */
static struct value *padded_hex(struct decoder *d, uint32_t n)
{
	struct value *v = value_hex(d->arena, n);

	if (!n)
		return value_plain(d->arena, "00000000");
	v->width = 4;
	if (n >> 24 == 0)
		v->text |= TEXT_PADDED;
	return v;
}

static struct value *user_desc_memory(struct decoder *d, const struct type *t attr_unused,
				      uint64_t addr, const uint8_t *bytes, size_t len)
{
	struct value *v = value_struct(d->arena);
	uint32_t words[4];
	unsigned n = ARRAY_SIZE(desc_bits);

	if (len < sizeof(words))
		return value_addr(d->arena, addr);
	memcpy(words, bytes, sizeof(words));
	if ((int)words[0] == -1)
		value_add_named(v, "entry_number", value_int(d->arena, -1));
	else
		value_add_named(v, "entry_number", value_uint(d->arena, words[0]));
	value_add_named(v, "base_addr", padded_hex(d, words[1]));
	value_add_named(v, "limit", padded_hex(d, words[2]));
	if (d->abi->compat)
		n--;
	for (unsigned i = 0; i < n; i++)
		value_add_named(v, desc_bits[i].name,
				value_uint(d->arena, words[3] >> desc_bits[i].shift &
							     ((1u << desc_bits[i].width) - 1)));
	return v;
}

const struct type_ops type_user_desc = {.name = "user_desc", .memory = user_desc_memory};

struct value *decode_ldt(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	static const struct type desc = USER_DESC;

	if (decode_arg_raw(d, 2) != 16)
		return value_addr(d->arena, n);
	return decode_at(d, &desc, n);
}

#define LDT_RESULT_MAX 0x80000001

/*
 * Shows the result of modify_ldt(2). The kernel returns a 32-bit number, so the 64-bit result is
 * positive even if the call failed, for example 0xffffffea for EINVAL.
 */
struct value *decode_ret_ldt(struct decoder *d, const struct type *t attr_unused, uint64_t n)
{
	uint32_t err = -(uint32_t)n;
	const char *name = err <= INT32_MAX ? errno_name(err) : NULL;

	if (n <= LDT_RESULT_MAX || !err)
		return value_uint(d->arena, n);
	if (err >= 512 && err <= 516 && name)
		return value_plain(d->arena,
				   arena_printf(d->arena, "? %s (%s)", name, errno_text(err)));
	if (name)
		return value_plain(d->arena, arena_printf(d->arena, "%lld %s (%s)", (long long)n,
							  name, errno_text(err)));
	return value_plain(d->arena, arena_printf(d->arena, "%lld (errno %u)", (long long)n, err));
}

/*
 * Shows only the member entry_number of a struct user_desc. Adds `flag` to the flags of the
 * returned value.
 */
static struct value *entry_number(struct decoder *d, uint64_t n, unsigned flag)
{
	struct value *v;
	uint32_t entry;
	int err;

	err = decode_read(d, n, &entry, sizeof(entry));
	if (err < 0)
		return value_unreadable(d->arena, n, err);
	v = value_struct(d->arena);
	v->flags |= flag;
	value_add_named(v, "entry_number",
			entry == UINT32_MAX ? value_int(d->arena, -1)
					    : value_uint(d->arena, entry));
	return v;
}

struct value *decode_thread_area_entry(struct decoder *d, const struct type *t attr_unused,
				       uint64_t n)
{
	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	return entry_number(d, n, VALUE_F_OPEN);
}

/*
 * Shows the struct at exit. If the call failed or the struct is not completely readable, shows only
 * its entry_number.
 */
struct value *decode_thread_area_exit(struct decoder *d, const struct type *t attr_unused,
				      uint64_t n)
{
	static const struct type desc = USER_DESC;
	struct value *v;

	if (!n || d->mode & DECODE_NO_DEREF)
		return value_addr(d->arena, n);
	v = d->failed ? NULL : decode_at(d, &desc, n);
	return v && v->kind == VALUE_STRUCT ? v : entry_number(d, n, VALUE_F_MORE);
}

/* Sets a note after the result: the number of the entry that the kernel has chosen. */
struct value *decode_chosen_entry(struct decoder *d, const struct type *t attr_unused,
				  uint64_t n attr_unused)
{
	uint32_t entry[4]; /* read the whole struct, although only its first member is used */
	struct value *note;

	if (!d->failed && !(d->mode & DECODE_NO_DEREF) &&
	    decode_read(d, decode_arg_raw(d, 0), entry, sizeof(entry)) == 0) {
		note = value_new(d->arena, VALUE_SEQ, 0);
		value_add_named(note, "entry_number", value_uint(d->arena, entry[0]));
		decode_note(d, note);
	}
	return NULL;
}

/* ---- the memory that the decoders above read ---- */

/* clang-format off */
#define CLONE_ARGS {.ops = &type_struct, .desc = &struct_clone_args, .flags = TYPE_F_SIZED, .len = A1}
/* clang-format on */

const struct custom_reads process_reads[] = {
	CUSTOM_OPS(decode_argv,
		   {.kind = PLAN_POINTERS, .arg = PLAN_OWN_ARG, .limit = PLAN_ELEMENTS},
		   {.kind = PLAN_STRING, .place = PLAN_POINTER, .limit = PLAN_TEXT}),
	CUSTOM_OPS(decode_envp,
		   {.kind = PLAN_POINTERS, .arg = PLAN_OWN_ARG, .limit = PLAN_ELEMENTS},
		   {.kind = PLAN_STRING, .place = PLAN_POINTER, .limit = PLAN_TEXT, .full = true}),
	CUSTOM(decode_clone_tid, INT),
	CUSTOM(decode_clone3_args_entry, CLONE_ARGS),
	CUSTOM(decode_clone3_args_exit, CLONE_ARGS),
	CUSTOM(decode_waited_status, INT),
	CUSTOM(decode_waited_rusage, STRUCT(rusage)),
	CUSTOM(decode_rseq, STRUCT(rseq)),
	CUSTOM(decode_rseq_cs, STRUCT(rseq_cs)),
	CUSTOM(decode_kcmp_idx2, STRUCT(kcmp_epoll_slot)),
	CUSTOM(decode_thread_area_entry, BYTES(N(4))),
	CUSTOM(decode_thread_area_exit, BYTES(N(16))),
	CUSTOM_ARG(decode_chosen_entry, 0, BYTES(N(16))),
	CUSTOM(decode_ldt, BYTES(A2)),

	CUSTOM_ARG(decode_clone_tls, 3, BYTES(N(16))),
	CUSTOM_ARG(decode_clone_tls, 4, BYTES(N(16))),
	CUSTOM(decode_clone3_tls, USER_DESC),
	{0}};
