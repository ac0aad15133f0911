# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a case of run.py is: a program that is built, traced, and judged by what it has noted of its own stacks."""
import collections
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TRACER = os.environ.get("TRACER", os.path.join(HERE, "../../tracer"))
WORK = os.path.join(os.environ.get("WORK", os.path.join(HERE, "../work")), "stack")
UNWINDER = os.environ.get("UNWINDER", "auto")
ENGINE = os.environ.get("ENGINE", "ptrace")
COMMAND = [TRACER] + ["--unwinder=" + UNWINDER] * (UNWINDER != "auto")
if ENGINE == "bpf":
    COMMAND += ["--engine=bpf", "--stack-size=120K"]
BUILD_ONLY, PREBUILT = "BUILD_ONLY" in os.environ, "PREBUILT" in os.environ
ONLY = [w.removeprefix("tests/").removesuffix(".c") for w in os.environ.get("ONLY", "").split()]

# What configure may have left out is in one line of -V. A tracer of another machine cannot say it here.
BUILT_WITH = "" if BUILD_ONLY else subprocess.run([TRACER, "-V"], capture_output=True, text=True, check=True).stdout
LIBUNWIND = BUILD_ONLY or "stack-trace=libunwind" in BUILT_WITH
SOURCE_LINES = "no-source-lines" not in BUILT_WITH
DEBUGINFOD = "no-debuginfod" not in BUILT_WITH

# Cases that an unwinder or an engine cannot do, and why.
BEYOND = {
    "libunwind": {
        **{name: "the libunwind that is linked steps over 64-bit code only"
           for name in ("frames-m32", "frames-m32-O0", "signals-m32", "signals-m32-O0")},
        "ends": "libunwind believes what these say of their stacks",
    },
    "bpf": {
        "jit": "code that is in no file, and its names, are those of the moment at which the line is made",
        "jit-chroot": "the same",
        "deep": "at most 120 KiB of a stack are kept",
        **{"hidden-" + name: "the process may be gone with its file when that is looked for"
           for name in ("deleted", "replaced", "memfd", "chroot", "namespace")},
        "refused": "libunwind looks at memory that is no stack, of which nothing is kept",
    },
}

# Where stacks end: program start, thread start, clone(2) and makecontext(3).
STARTS = re.compile(r"^(_start|_dl_start_user|(__GI_)?_*clone3?|__start_context|_start_c|__clone_internal|)$")
# Functions that may stand between two functions of a program that is linked statically.
BETWEEN = re.compile(r"^(_*(GI_*)?(kill|raise|gsignal|restore_rt|clock_gettime|__kernel_vsyscall|"
                     r"vfork|fork|posix_spawn|spawni?x?|clone|sigreturn|default_(rt_)?sa_restorer).*|)$")


def say(good, name, why=()):
    print(("ok " if good else "not ok ") + "stack/" + name)
    for line in () if good else list(why)[:40]:
        print("#   " + line)
    sys.stdout.flush()


def skip(name, why):
    print(f"ok stack/{name} # SKIP {why}")


def wanted(name):
    return not ONLY or any(("stack/" + name).startswith(w) or w.startswith("stack/" + name) for w in ONLY)


def have(tool):
    return shutil.which(tool.split()[0]) is not None


@functools.cache
def runs(flag):
    """Whether programs for the ABI of that flag, -m32 or -mx32, can be built and run here."""
    program = os.path.join(WORK, "nothing" + flag)
    try:
        subprocess.run(["gcc", flag, "-static", "-x", "c", "-o", program, "-"], input="int main() { return 0; }",
                       check=True, capture_output=True, text=True)
        subprocess.run([program], check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def build(source, out, compiler="gcc", flags="-O1"):
    """The program, or None where this machine cannot build it or its kernel not run it."""
    path = os.path.join(WORK, out)
    if PREBUILT:
        return path if os.path.exists(path) else None
    if BUILD_ONLY:
        compiler = {"gcc": os.environ["CC"], "clang": os.environ.get("CLANG", ""),
                    "armhf": os.environ.get("CC_ARMHF", "")}.get(compiler, "")
    if not compiler or not have(compiler):
        return None
    cmd = [*compiler.split(), *flags.split(), "-w", "-D_GNU_SOURCE", "-I" + HERE, "-o", path,
           os.path.join(HERE, source), "-pthread"]
    if "musl" not in compiler:
        cmd.append("-ldl")
    p = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if p.returncode:
        if os.environ.get("VERBOSE"):
            print("#", " ".join(cmd), p.stderr)
        return None
    foreign = {"-m32", "-mx32"} & set(flags.split())
    return path if BUILD_ONLY or all(map(runs, foreign)) else None


def symbol_of(frame):
    """' > BIN(SYM+0xOFF) [0xADDR]' as (BIN, SYM); C++ and compilers' suffixes go."""
    m = re.match(r" > (.*?)\((.*)\) \[0x[0-9a-f]+\]", frame.replace(" (deleted)(", "("))
    if not m:
        return None
    name = re.sub(r"\+0x[0-9a-f]+$", "", m[2])
    name = re.sub(r"\.(cold|constprop|isra|part|lto_priv)\b.*$", "", name)
    return m[1], name


def stacks_of(log):
    """The marked system calls' frames by number."""
    stacks, pending, current = {}, {}, None
    for line in log.split("\n"):
        if line.startswith(" > "):
            if current is not None:
                current.append(line)
            continue
        # A call that another thread interrupted has its stack behind the line of its end.
        pid = line.split(" ", 1)[0]
        m = re.search(r"fchdir\(-(\d+)( <unfinished)?", line)
        number = int(m[1]) if m else pending.pop(pid, None) if "fchdir resumed>" in line else None
        if m and m[2]:
            pending[pid] = number
        current = None if number is None else stacks.setdefault(number, [])
    return stacks


def judge(names, more, frames, known, early=None):
    """None, or what is wrong with frames for the chain names."""
    reason = None
    if frames and symbol_of(frames[-1]) is None:
        reason = frames[-1][3:].split(" [0x")[0]
        frames = frames[:-1]
    got = [symbol_of(f) for f in frames]
    if None in got:
        return "a line that is no frame"
    if more.startswith("!"):
        if reason != more[1:]:
            return f"ended with {reason!r}, not {more[1:]!r}"
    elif reason and not (reason == early and "main" in [n for _, n in got]):
        return f"ended with {reason!r}"
    if more.startswith("^"):
        # A recursion that does not note its frames: one name again and again, then main.
        mine = [n for _, n in got]
        depth = int(os.environ.get("DEPTH", "0")) + 1
        if mine[:depth] != [more[1:]] * depth or "main" not in mine[depth:depth + 1]:
            return f"{mine.count(more[1:])} frames of {more[1:]}, {depth} there were"
        names = []
    at = 0
    if not more.startswith("!too"):
        for i, (binary, name) in enumerate(got):
            if at < len(names) and name == names[at]:
                at += 1
            elif more in ("?", "!stack frames in a loop"):
                continue
            elif name in known and name and not more.startswith("^"):
                return f"{name} at {i}, expected {names[at] if at < len(names) else 'no more of these'}"
            elif at < len(names) and binary == got[0][0] and not BETWEEN.match(name):
                return f"{name!r} at {i}, expected {names[at]}"
        if at < len(names):
            return f"{names[at]} is missing"
    if not reason and got and not STARTS.match(got[-1][1]):
        return f"ended with {got[-1][1]}"
    return None


def trace(options, argv, env=None, timeout=120, prefix=()):
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        truth, log = os.path.join(d, "truth"), os.path.join(d, "log")
        e = dict(os.environ, TRUTH=truth, **(env or {}))
        open(truth, "w").close()
        os.chmod(truth, 0o666)
        p = subprocess.run([*prefix, *COMMAND, *options.split(), "-k", "-e", "trace=fchdir", "-e", "signal=none",
                            "-o", log, *argv], env=e, stdin=subprocess.DEVNULL, capture_output=True,
                           text=True, timeout=timeout, errors="replace")
        with open(truth) as f:
            notes = [line.rstrip("\n").split("\t") for line in f]
        with open(log, errors="replace") as f:
            text = f.read()
    return p, notes, text


def case(name, argv, options="-f", env=None, least=1, skip_status=77, early=None, verify=True, prefix=()):
    """One program. least: number of stacks it must have noted. early: the reason for which its stacks may end
    after main. prefix: a command that runs tracer."""
    if not wanted(name) or BUILD_ONLY:
        return
    for limit in (UNWINDER, ENGINE):
        if name in BEYOND.get(limit, ()):
            skip(name, BEYOND[limit][name])
            return
    if argv[0] is None:
        skip(name, "cannot be built or run here")
        return
    verify = verify and LIBUNWIND
    try:
        p, notes, log = trace(options + (" --verify-stacks" if verify else ""), argv, env, prefix=prefix)
    except subprocess.TimeoutExpired:
        say(False, name, ["it hangs"])
        return
    if p.returncode == skip_status:
        skip(name, "not permitted here")
        return
    stacks, wrong, seen = stacks_of(log), [], 0
    drawn = collections.Counter(note[0] for note in notes)
    known = {n for note in notes for n in note[1:-1]}
    os.environ["DEPTH"] = (env or {}).get("DEPTH", "0")
    for number, *names, more in notes:
        frames = stacks.get(int(number))
        if drawn[number] > 1:
            continue  # drawn twice
        if frames is None:
            if "-f" in options.split():
                wrong.append(f"no stack of call {number}")
            continue
        seen += 1
        why = judge(names, more, frames, known, early)
        if why and len(wrong) < 60:
            wrong += [why, "truth: " + " ".join(names) + " " + more] + (frames if len(frames) < 40 else frames[:10])
    if p.returncode:
        wrong.append(f"status {p.returncode}: {p.stderr.strip()[-300:]}")
    if verify and ", 0 different" not in p.stderr:
        wrong += ["libunwind sees it differently:"] + p.stderr.strip().split("\n")[-8:]
    if seen < least:
        wrong.append(f"{seen} stacks, at least {least} were to be seen")
    say(not wrong, name, wrong)


def shown(options, argv, call="getppid", env=None):
    """The frames of the last stack of a call, as text."""
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        log = os.path.join(d, "log")
        subprocess.run([*COMMAND, *options.split(), "-e", "trace=" + call, "-e", "signal=none", "-o", log, *argv],
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                       env=dict(os.environ, **(env or {})))
        stacks = [[]]
        for line in open(log, errors="replace"):
            if line.startswith(" > "):
                stacks[-1].append(line[3:].rstrip("\n"))
            elif stacks[-1]:
                stacks.append([])
    return ([s for s in stacks if s] or [[]])[-1]


def matches(name, frames, patterns):
    """The patterns, in this order and next to each other, somewhere in frames."""
    good = any(all(re.search(p, f) for p, f in zip(patterns, frames[i:])) and len(frames) >= i + len(patterns)
               for i in range(len(frames) or 1))
    say(good, name, frames or ["no stack at all"])


def addresses(frames):
    return [f[f.rindex("["):] for f in frames]


def frames_by_note(program):
    """What a program has noted of each of its stacks, and its frames; without those that a timer has chosen."""
    _, notes, log = trace("-f", [program])
    stacks = stacks_of(log)
    return [(names, stacks.get(int(number), [])) for number, *names in notes if names[-1] != "?"]
