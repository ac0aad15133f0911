# SPDX-License-Identifier: LGPL-2.1-or-later
# fish completion for tracer

function __tracer_syscalls
    set -l word (commandline -ct)
    # The text up to the last comma and the name of a qualifier are kept.
    set -l before (string match -r '^(?:-e|--[a-z]+=)?(?:[a-z]+=)?!?(?:.*,)?' -- $word)[1]
    set before (string replace -r '^(-e|--[a-z-]+=)' '' -- $before)
    for name in all none %file %desc %process %net %network %signal %ipc %memory %creds %clock %pure \
            %stat %lstat %fstat %%stat %statfs %fstatfs %%statfs $argv \
            (tracer --list-syscalls 2>/dev/null | string replace -r ' .*' '')
        echo $before$name
    end
end

# Completes the last element of a list a,b,c; the text up to the last comma is kept.
function __tracer_list
    set -l before (string match -r '^.*,' -- (string replace -r '^--[a-z-]+=' '' -- (commandline -ct)))
    for word in $argv
        echo $before$word
    end
end

function __tracer_expression
    set -l word (string replace -r '^-e' '' -- (commandline -ct))
    switch $word
        case 'trace=*'
            __tracer_syscalls all@syscall all@uring
        case 'abbrev=*' 'verbose=*' 'raw=*' 'inject=*' 'fault=*'
            __tracer_syscalls
        case 'status=*'
            printf 'status=%s\n' successful failed unfinished unavailable detached all none
        case 'quiet=*'
            printf 'quiet=%s\n' attach exit path-resolution personality thread-execve all none
        case 'decode-fds=*'
            printf 'decode-fds=%s\n' path socket dev eventfd pidfd signalfd all none
        case 'decode-pids=*'
            printf 'decode-pids=%s\n' comm pidns all none
        case 'secontext=*'
            printf 'secontext=%s\n' full mismatch all none
        case 'signal=*'
            printf 'signal=SIG%s\n' (kill -l | string split ' ')
        case 'kvm=*'
            printf 'kvm=%s\n' vcpu vcpu+
        case '*'
            printf '%s=\n' trace abbrev verbose raw signal read write fault inject status quiet \
                kvm namespace decode-fds decode-pids secontext trace-fds stack
            __tracer_syscalls
    end
end

set -l c complete -c tracer

# A command with its own arguments follows the options.
$c -x -n 'not __fish_seen_argument -s p -l attach -l read-trace -l cgroup -l container' \
    -a '(__fish_complete_subcommand -s a -s b -s e -s E -s I -s o -s O -s p -s P -s s -s S -s u -s U -s X)'

# Startup
$c -s E -l env -x -a '(set -nx)' -d 'Set or remove an environment variable'
$c -s p -l attach -x -a '(__fish_complete_pids)' -d 'Attach to a process'
$c -s u -l user -x -a '(__fish_complete_users)' -d 'Run the program as this user'
$c -l argv0 -x -d 'Argument 0 of the program'

# Tracing
$c -s b -l detach-on -x -a execve -d 'Detach from a process that calls execve'
$c -s D -d 'Run tracer as a grandchild'
$c -l daemonize -f -a 'grandchild pgroup session' -d 'Run tracer as a grandchild'
$c -s f -l follow-forks -d 'Also trace child processes and threads'
$c -s I -l interruptible -x -a 'anywhere always waiting never never_tstp' -d 'When signals may end the tracer'
$c -l kill-on-exit -d 'Kill traced processes when tracer exits'
$c -l syscall-limit -x -d 'Detach after this many calls'
$c -l critical-path -d 'Print what determined the duration of the run'
$c -l learn -x -a 'seccomp systemd' -d 'Print a policy that allows what the run did'
$c -l execs -f -a 'parent first' -d 'Print the executed commands as a tree'
$c -l files -f -a 'all process depfile' -d 'Print which files the run used'
$c -l events -x -a 'wakeup sched fault' -d 'Show further events'
$c -l wakers -fa 'exact inferred' -d 'Show what ended the waits of calls'
$c -l group-by -x -d 'Group the summary by these fields'
$c -l sum -x -d 'Add up these fields in the summary'
$c -l hist -x -a 'duration bytes' -d 'Draw histograms of this field in the summary'
$c -l fail-on -x -d 'Exit with status 120 if an event matches'
$c -l stop-on -x -d 'Detach when an event matches'
$c -l report -x -a 'junit: github' -d 'Report the results of --fail-on'
$c -l stop-after -x -d 'Detach after this time'
$c -l tree -d 'Also trace all running descendants'
$c -l seccomp-bpf -d 'Stop only at traced calls'
$c -l engine -x -a 'auto ptrace bpf' -d 'Tracing mechanism'
$c -l buffer-size -x -d 'Buffer size per CPU for --engine=bpf'
$c -l stack-size -x -d 'Copy at most this many bytes of each stack'
$c -l all -d 'Trace all processes of the machine'
$c -l cgroup -x -a '(__fish_complete_directories)' -d 'Trace a control group'
$c -l container -x -a '(__fish_complete_pids)' -d 'Trace the control group of a process'
$c -l wait-spin -x -a 'on off' -d 'Poll for events before sleeping'

# Which calls
$c -s e -x -a '(__tracer_expression)' -d 'What to trace, and how'
$c -l trace -x -a '(__tracer_syscalls all@syscall all@uring)' -d 'Only these calls'
$c -l trace-fds -x -d 'Only calls on these descriptors'
$c -l signal -x -a '(__tracer_list SIG(kill -l | string split " "))' -d 'Only these signals'
$c -l status -x -a '(__tracer_list successful failed unfinished unavailable detached all none)' -d 'Only calls with this outcome'
$c -s P -l trace-path -r -d 'Only calls that use this path'
$c -s z -l successful-only -d 'Only calls that succeeded'
$c -s Z -l failed-only -d 'Only calls that failed'
$c -l duration -x -d 'Only calls that took between MIN and MAX'
$c -l where -x -d 'Only events that match the expression'
$c -l blocked -f -d 'Report calls that run for too long'

# What to show
$c -s a -l columns -x -d 'Align results at this column'
$c -l color -x -a 'auto always never' -d 'When to use colours'
$c -l abbrev -x -a '(__tracer_syscalls)' -d 'Calls whose structures are shortened'
$c -l verbose -x -a '(__tracer_syscalls)' -d 'Calls whose structures are decoded'
$c -l raw -x -a '(__tracer_syscalls)' -d 'Calls whose arguments are shown as numbers'
$c -l read -x -d 'Dump data read from these descriptors'
$c -l write -x -d 'Dump data written to these descriptors'
$c -s q -d 'Print fewer messages'
$c -l quiet -f -a '(__tracer_list attach exit path-resolution personality thread-execve all none)' -d 'Messages to suppress'
$c -l kvm -x -a 'vcpu vcpu+' -d 'Show why a KVM vcpu exited'
$c -l namespace -f -a new -d 'Show namespaces that a process enters'
$c -s y -d 'Show details of descriptors'
$c -l decode-fds -f -a '(__tracer_list path socket dev eventfd pidfd signalfd all none)' -d 'Show details of descriptors'
$c -s Y -d 'Show command names of pids'
$c -l decode-pids -x -a '(__tracer_list comm pidns all none)' -d 'Show details of process ids'
$c -l secontext -f -a '(__tracer_list full mismatch all none)' -d 'Show SELinux contexts'
$c -s i -l instruction-pointer -d 'Show the instruction pointer'
$c -s k -d 'Show the stack of each call'
$c -l stack-trace -f -a 'symbol source' -d 'Show the stack of each call'
$c -l stack-trace-frame-limit -x -d 'Maximum number of frames'
$c -l stack-trace-style -x -a 'block line' -d 'Layout of stacks'
$c -l unwinder -x -a 'auto rules libunwind' -d 'Which unwinder to use'
$c -l native-frames -d 'Also show interpreter frames'
$c -l verify-stacks -d 'Compare each stack with that of libunwind'
$c -l debuginfod -d 'Fetch debug information from servers'
$c -s n -l syscall-number -d 'Show syscall numbers'
$c -s N -l arg-names -d 'Show argument names'
$c -s r -d 'Show the time since the previous call'
$c -l relative-timestamps -f -a 's ms us ns' -d 'Show the time since the previous call'
$c -s s -l string-limit -x -d 'Show this many bytes of a string'
$c -s t -d 'Show the time of day'
$c -l absolute-timestamps -f -a 'none time unix s ms us ns' -d 'Show the time of day'
$c -s T -d 'Show the time spent in each call'
$c -l syscall-times -f -a 's ms us ns' -d 'Show the time spent in each call'
$c -s v -l no-abbrev -d 'Show structures in full'
$c -s x -d 'Show strings in hexadecimal'
$c -l strings -x -a 'escaped utf8' -d 'Escape or show characters that are not ASCII'
$c -l strings-in-hex -f -a 'non-ascii-chars non-ascii all' -d 'Show strings in hexadecimal'
$c -s X -l const-print-style -x -a 'raw abbrev verbose' -d 'How to show constants'
$c -l always-show-pid -d 'Show the pid on every line'

# Output
$c -s o -l output -r -d 'Write the log to this file'
$c -s A -l output-append-mode -d 'Append to the log file'
$c -l output-separately -d 'Write one file per thread'
$c -l output-limit -x -d 'Start a new log file when one reaches this size'
$c -l last -x -d 'Write only the last N events'
$c -l format -x -a 'text json csv folded chrome flamegraph html' -d 'Output format'
$c -l json-stacks -x -a 'inline once' -d 'How JSON includes stacks'
$c -l weight -x -a 'calls time errors bytes blocked runnable cpu' -d 'What to sum up for each stack'

# Summaries and reports
$c -s c -l summary-only -d 'Print only a summary table'
$c -s C -l summary -d 'Also print a summary table'
$c -s O -l summary-syscall-overhead -x -d 'Subtract this overhead from each call'
$c -s S -l summary-sort-by -x -a 'time min-time max-time avg-time wall-total wall-min wall-max wall-avg calls errors p50 p90 p99 name nothing' -d 'How to sort the table'
$c -s U -l summary-columns -x -a '(__tracer_list time-percent total-time min-time max-time avg-time wall-total wall-min wall-max wall-avg calls errors p50 p90 p99 name)' -d 'Columns of the table'
$c -s w -l summary-wall-clock -d 'Sum up elapsed time'
$c -l summary-by -x -a 'syscall stack thread process path' -d 'How to group the summary'
$c -l top -x -d 'Show this many summary rows'
$c -l snapshot -d 'Print what each thread is doing'
$c -l io-uring -x -a 'on off' -d 'Whether to show the requests of io_urings as calls'
$c -l vdso -x -a 'on off' -d 'Whether programs can use the vDSO'
$c -l fd-report -d 'Report descriptors that were left open'

# Tampering
$c -l inject -x -a '(__tracer_syscalls)' -d 'Tamper with calls'
$c -l fault -x -a '(__tracer_syscalls)' -d 'Make calls fail'

# Recordings
$c -l write-trace -r -d 'Record a trace in this file'
$c -l record-stacks -x -a 'frames raw' -d 'How to record stacks'
$c -l read-trace -r -d 'Show a recorded trace'
$c -l from -x -d 'Only events after this time'
$c -l to -x -d 'Only events before this time'
$c -l sysroot -x -a '(__fish_complete_directories)' -d 'Look for binaries below this directory'
$c -l timezone -x -d 'Show times in this time zone'
$c -l symbolize -r -d 'Write a copy of the trace with symbol names'
$c -l info -d 'Describe the recording'
$c -l tui -d 'Browse calls in the terminal'
$c -l live -d 'Show a table of all threads'
$c -l diff -r -d 'Compare with another trace'

# Miscellaneous
$c -l list-syscalls -d 'List the syscalls'
$c -s d -l debug -d 'Print debug messages'
$c -s h -d 'Print help'
$c -l help -f -a 'all query' -d 'Print help'
$c -l tips -f -d 'Print a tip on exit'
$c -s V -l version -d 'Print the version'
