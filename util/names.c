/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "util/names.h"

#include <signal.h>
#include <string.h>

/* Errors that only the kernel and tracers see, from include/linux/errno.h. */
static const struct {
	short err;
	const char *name, *text;
} kernel_errors[] = {
	{512, "ERESTARTSYS", "To be restarted if SA_RESTART is set"},
	{513, "ERESTARTNOINTR", "To be restarted"},
	{514, "ERESTARTNOHAND", "To be restarted if no handler"},
	{515, "ENOIOCTLCMD", NULL},
	{516, "ERESTART_RESTARTBLOCK", "Interrupted by signal"},
	{517, "EPROBE_DEFER", NULL},
	{518, "EOPENSTALE", NULL},
	{521, "EBADHANDLE", NULL},
	{522, "ENOTSYNC", NULL},
	{523, "EBADCOOKIE", NULL},
	{524, "ENOTSUPP", NULL},
	{525, "ETOOSMALL", NULL},
	{526, "ESERVERFAULT", NULL},
	{527, "EBADTYPE", NULL},
	{528, "EJUKEBOX", NULL},
	{529, "EIOCBQUEUED", NULL},
	{530, "ERECALLCONFLICT", NULL},
};

/* Names of errors, indexed by number. strerrorname_np(3) exists only in glibc. */
#define N(name) [name] = #name
static const char *const errno_names[] = {
	N(EPERM),
	N(ENOENT),
	N(ESRCH),
	N(EINTR),
	N(EIO),
	N(ENXIO),
	N(E2BIG),
	N(ENOEXEC),
	N(EBADF),
	N(ECHILD),
	N(EAGAIN),
	N(ENOMEM),
	N(EACCES),
	N(EFAULT),
	N(ENOTBLK),
	N(EBUSY),
	N(EEXIST),
	N(EXDEV),
	N(ENODEV),
	N(ENOTDIR),
	N(EISDIR),
	N(EINVAL),
	N(ENFILE),
	N(EMFILE),
	N(ENOTTY),
	N(ETXTBSY),
	N(EFBIG),
	N(ENOSPC),
	N(ESPIPE),
	N(EROFS),
	N(EMLINK),
	N(EPIPE),
	N(EDOM),
	N(ERANGE),
	N(EDEADLK),
	N(ENAMETOOLONG),
	N(ENOLCK),
	N(ENOSYS),
	N(ENOTEMPTY),
	N(ELOOP),
	N(ENOMSG),
	N(EIDRM),
	N(ECHRNG),
	N(EL2NSYNC),
	N(EL3HLT),
	N(EL3RST),
	N(ELNRNG),
	N(EUNATCH),
	N(ENOCSI),
	N(EL2HLT),
	N(EBADE),
	N(EBADR),
	N(EXFULL),
	N(ENOANO),
	N(EBADRQC),
	N(EBADSLT),
	N(EBFONT),
	N(ENOSTR),
	N(ENODATA),
	N(ETIME),
	N(ENOSR),
	N(ENONET),
	N(ENOPKG),
	N(EREMOTE),
	N(ENOLINK),
	N(EADV),
	N(ESRMNT),
	N(ECOMM),
	N(EPROTO),
	N(EMULTIHOP),
	N(EDOTDOT),
	N(EBADMSG),
	N(EOVERFLOW),
	N(ENOTUNIQ),
	N(EBADFD),
	N(EREMCHG),
	N(ELIBACC),
	N(ELIBBAD),
	N(ELIBSCN),
	N(ELIBMAX),
	N(ELIBEXEC),
	N(EILSEQ),
	N(ERESTART),
	N(ESTRPIPE),
	N(EUSERS),
	N(ENOTSOCK),
	N(EDESTADDRREQ),
	N(EMSGSIZE),
	N(EPROTOTYPE),
	N(ENOPROTOOPT),
	N(EPROTONOSUPPORT),
	N(ESOCKTNOSUPPORT),
	N(EOPNOTSUPP),
	N(EPFNOSUPPORT),
	N(EAFNOSUPPORT),
	N(EADDRINUSE),
	N(EADDRNOTAVAIL),
	N(ENETDOWN),
	N(ENETUNREACH),
	N(ENETRESET),
	N(ECONNABORTED),
	N(ECONNRESET),
	N(ENOBUFS),
	N(EISCONN),
	N(ENOTCONN),
	N(ESHUTDOWN),
	N(ETOOMANYREFS),
	N(ETIMEDOUT),
	N(ECONNREFUSED),
	N(EHOSTDOWN),
	N(EHOSTUNREACH),
	N(EALREADY),
	N(EINPROGRESS),
	N(ESTALE),
	N(EUCLEAN),
	N(ENOTNAM),
	N(ENAVAIL),
	N(EISNAM),
	N(EREMOTEIO),
	N(EDQUOT),
	N(ENOMEDIUM),
	N(EMEDIUMTYPE),
	N(ECANCELED),
	N(ENOKEY),
	N(EKEYEXPIRED),
	N(EKEYREVOKED),
	N(EKEYREJECTED),
	N(EOWNERDEAD),
	N(ENOTRECOVERABLE),
	N(ERFKILL),
	N(EHWPOISON),
};
#undef N

const char *errno_name(int err)
{
	if (err > 0 && err < 512)
		return (size_t)err < ARRAY_SIZE(errno_names) ? errno_names[err] : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(kernel_errors); i++)
		if (kernel_errors[i].err == err)
			return kernel_errors[i].name;
	return NULL;
}

const char *errno_description(int err)
{
#ifdef __GLIBC__
#if __GLIBC_PREREQ(2, 32)
	/*
	 * strerror() is too slow: it searches for a translation at each call, which takes 10,000
	 * instructions.
	 */
	const char *text = strerrordesc_np(err);

	if (likely(text != NULL))
		return text;
#endif
#endif
	return strerror(err);
}

const char *errno_text(int err)
{
	for (size_t i = 0; err >= 512 && i < ARRAY_SIZE(kernel_errors); i++)
		if (kernel_errors[i].err == err && kernel_errors[i].text)
			return kernel_errors[i].text;
	return errno_description(err);
}

static const char *const signal_names[] = {
	NULL,	    "SIGHUP",	"SIGINT",    "SIGQUIT",	 "SIGILL",   "SIGTRAP",	  "SIGABRT",
	"SIGBUS",   "SIGFPE",	"SIGKILL",   "SIGUSR1",	 "SIGSEGV",  "SIGUSR2",	  "SIGPIPE",
	"SIGALRM",  "SIGTERM",	"SIGSTKFLT", "SIGCHLD",	 "SIGCONT",  "SIGSTOP",	  "SIGTSTP",
	"SIGTTIN",  "SIGTTOU",	"SIGURG",    "SIGXCPU",	 "SIGXFSZ",  "SIGVTALRM", "SIGPROF",
	"SIGWINCH", "SIGIO",	"SIGPWR",    "SIGSYS",	 "SIGRTMIN", "SIGRT_1",	  "SIGRT_2",
	"SIGRT_3",  "SIGRT_4",	"SIGRT_5",   "SIGRT_6",	 "SIGRT_7",  "SIGRT_8",	  "SIGRT_9",
	"SIGRT_10", "SIGRT_11", "SIGRT_12",  "SIGRT_13", "SIGRT_14", "SIGRT_15",  "SIGRT_16",
	"SIGRT_17", "SIGRT_18", "SIGRT_19",  "SIGRT_20", "SIGRT_21", "SIGRT_22",  "SIGRT_23",
	"SIGRT_24", "SIGRT_25", "SIGRT_26",  "SIGRT_27", "SIGRT_28", "SIGRT_29",  "SIGRT_30",
	"SIGRT_31", "SIGRT_32",
};

const char *signal_name(int sig)
{
	return sig > 0 && (size_t)sig < ARRAY_SIZE(signal_names) ? signal_names[sig] : NULL;
}
