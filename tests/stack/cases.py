# SPDX-License-Identifier: LGPL-2.1-or-later
"""The cases of run.py: builds a program, traces it, and compares the stacks in the log with those
that the program has noted."""
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

# A line of -V lists the features that configure has left out. tracer cannot be run here if it was
# built for another machine.
BUILT_WITH = "" if BUILD_ONLY else subprocess.run([TRACER, "-V"], capture_output=True, text=True, check=True).stdout
LIBUNWIND = BUILD_ONLY or "stack-trace=libunwind" in BUILT_WITH
SOURCE_LINES = "no-source-lines" not in BUILT_WITH
DEBUGINFOD = "no-debuginfod" not in BUILT_WITH

# Cases that an unwinder or an engine does not support, and why.
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
        "refused": "libunwind reads memory outside of the stack, which is not recorded",
    },
}

# Functions where stacks end: program start, thread start, clone(2) and makecontext(3).
STARTS = re.compile(r"^(_start|_dl_start_user|(__GI_)?_*clone3?|__start_context|_start_c|__clone_internal|)$")
# Functions that may be between two functions of a statically linked program.
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
    """Returns True if programs can be built and run here with this flag, -m32 or -mx32."""
    program = os.path.join(WORK, "nothing" + flag)
    try:
        subprocess.run(["gcc", flag, "-static", "-x", "c", "-o", program, "-"], input="int main() { return 0; }",
                       check=True, capture_output=True, text=True)
        subprocess.run([program], check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def build(source, out, compiler="gcc", flags="-O1"):
    """Returns the path of the program, or None if it cannot be built or run here."""
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
    """Returns ' > BIN(SYM+0xOFF) [0xADDR]' as (BIN, SYM). Suffixes from C++ and compilers are
    removed."""
    m = re.match(r" > (.*?)\((.*)\) \[0x[0-9a-f]+\]", frame.replace(" (deleted)(", "("))
    if not m:
        return None
    name = re.sub(r"\+0x[0-9a-f]+$", "", m[2])
    name = re.sub(r"\.(cold|constprop|isra|part|lto_priv)\b.*$", "", name)
    return m[1], name


def stacks_of(log):
    """Returns the frames of the marked syscalls, by number."""
    stacks, pending, current = {}, {}, None
    for line in log.split("\n"):
        if line.startswith(" > "):
            if current is not None:
                current.append(line)
            continue
        # If another thread interrupted the line of a call, the stack follows the line of the call's
        # end.
        pid = line.split(" ", 1)[0]
        m = re.search(r"fchdir\(-(\d+)( <unfinished)?", line)
        number = int(m[1]) if m else pending.pop(pid, None) if "fchdir resumed>" in line else None
        if m and m[2]:
            pending[pid] = number
        current = None if number is None else stacks.setdefault(number, [])
    return stacks


def judge(names, more, frames, known, early=None):
    """Returns a description of the error in the frames for these names, or None."""
    reason = None
    if frames and symbol_of(frames[-1]) is None:
        reason = frames[-1][3:].split(" [0x")[0]
        frames = frames[:-1]
    got = [symbol_of(f) for f in frames]
    if None in got:
        return "a line that is not a frame"
    if more.startswith("!"):
        if reason != more[1:]:
            return f"ended with {reason!r}, not {more[1:]!r}"
    elif reason and not (reason == early and "main" in [n for _, n in got]):
        return f"ended with {reason!r}"
    if more.startswith("^"):
        # A recursive function does not record its frames. Its name must appear once per level,
        # followed by main.
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
    """Runs one program. least: the number of stacks it must have noted. early: the reason for which
    its stacks may end after main. prefix: a command that runs tracer."""
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
            continue  # the same random number was used twice
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
    """Returns the text of the frames in the last stack of a call."""
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
    """Checks that the frames contain matches of the patterns, in this order and adjacent."""
    good = any(all(re.search(p, f) for p, f in zip(patterns, frames[i:])) and len(frames) >= i + len(patterns)
               for i in range(len(frames) or 1))
    say(good, name, frames or ["no stack at all"])


def addresses(frames):
    return [f[f.rindex("["):] for f in frames]


def frames_by_note(program):
    """Returns the stacks that a program has noted, each with its frames in the log. Stacks in
    handlers of timer signals are excluded."""
    _, notes, log = trace("-f", [program])
    stacks = stacks_of(log)
    return [(names, stacks.get(int(number), [])) for number, *names in notes if names[-1] != "?"]
