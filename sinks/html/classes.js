// SPDX-License-Identifier: LGPL-2.1-or-later
// Classes of calls.

// The classes that have a colour. A call in several classes gets the colour of the first one in this list.
const COLORS = ["wait", "network", "process", "signal", "ipc", "memory", "creds", "clock", "file", "desc", "other"];
const OTHER = COLORS.length - 1;
// Calls that wait for something. A long duration is normal for these calls.
const WAITS = new Set(["accept", "accept4", "clock_nanosleep", "clock_nanosleep_time64", "epoll_pwait", "epoll_pwait2", "epoll_wait",
	"futex", "futex_time64", "futex_wait", "futex_waitv", "io_getevents", "io_pgetevents", "io_pgetevents_time64", "nanosleep",
	"_newselect", "pause", "poll", "ppoll", "ppoll_time64", "pselect6", "pselect6_time64", "restart_syscall", "rt_sigsuspend",
	"rt_sigtimedwait", "rt_sigtimedwait_time32", "rt_sigtimedwait_time64", "select", "sigsuspend", "wait4", "waitid", "waitpid"]);
