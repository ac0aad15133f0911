#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/stack/run.py: compares stacks with programs that note their own stacks (truth.h).

Each case builds a program, runs it under tracer -k, and compares each stack with what the program
noted about it. make check sets TRACER, BUILD, CC and ONLY. BUILD_ONLY=1 builds the programs with
the C compiler CC and runs nothing; PREBUILT=1 then uses these programs (tests/arch). UNWINDER=rules
or UNWINDER=libunwind selects the stepper, ENGINE=bpf the engine. NO_QUERY=1 runs tracer as on a
kernel without PROCMAP_QUERY (before 6.11).

"""
import os
import re
import shutil
import subprocess
import tempfile
import time

import greedy
from cases import (BUILD_ONLY, COMMAND, DEBUGINFOD, HERE, LIBUNWIND, PREBUILT, SOURCE_LINES, STARTS, TRACER, UNWINDER, WORK,
                   addresses, build, case, frames_by_note, have, judge, matches, say, shown, skip, stacks_of, symbol_of, wanted)


def layout_libraries():
    """Builds two libraries with a function at the same address but with different frames. Returns
    their paths and then the file offsets of the function."""
    out = []
    for n in (1, 2):
        path = build("layout.c", f"liblayout{n}.so", "gcc", f"-O1 -shared -fPIC -DLIBRARY -DLAYOUT={n}")
        if not path:
            return []
        place = path + ".place"
        if not PREBUILT:
            with open(place, "w") as f:
                f.write(str(place_of("frame_of_layout", path)))
        out.append((path, open(place).read()))
    return [p for p, _ in out] + [o for _, o in out]


def place_of(symbol, path):
    """Returns the file offset of the symbol's code. The file may be for another machine."""
    table = subprocess.run(["readelf", "-sW", path], capture_output=True, text=True).stdout
    address = int(re.search(r"([0-9a-f]{16}) .* " + symbol, table)[1], 16)
    headers = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True).stdout
    for m in re.finditer(r"LOAD\s+0x(\w+) 0x(\w+) 0x\w+ 0x(\w+) 0x\w+ R E", headers):
        offset, vaddr, size = (int(x, 16) for x in m.groups())
        if vaddr <= address < vaddr + size:
            return address - vaddr + offset
    raise ValueError(f"{symbol} is not in {path}")


SHAPES = (
    ("O0", "gcc", "-O0"), ("O2", "gcc", "-O2"), ("O3-no-fp", "gcc", "-O3 -fomit-frame-pointer"),
    ("Os", "gcc", "-Os"), ("realign", "gcc", "-O2 -mstackrealign"), ("static", "gcc", "-O2 -static"),
    ("static-pie", "gcc", "-O2 -static-pie"), ("non-pie", "gcc", "-O2 -no-pie"),
    ("no-hdr", "gcc", "-O2 -Wl,--no-eh-frame-hdr"),
    ("gold", "gcc", "-O2 -fuse-ld=gold"), ("lld", "gcc", "-O2 -fuse-ld=lld"),
    ("lld-split", "clang", "-O2 -fuse-ld=lld -Wl,-z,separate-loadable-segments"),
    ("split-text", "gcc", "-O2 -ffunction-sections -Wl,-z,max-page-size=65536"),
    ("clang", "clang", "-O2"), ("clang-O0", "clang", "-O0"), ("musl", "musl-gcc", "-O2"),
    ("musl-static", "musl-gcc", "-O2 -static"),
    ("debug-frame", "gcc", "-g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables"),
    ("m32", "gcc", "-O2 -m32"), ("m32-O0", "gcc", "-O0 -m32"))
# Shapes that only the compilers of some machines can make: signed return addresses, and x32.
MACHINE_SHAPES = (
    ("pac", "gcc", "-O2 -mbranch-protection=standard"),
    ("pac-leaf", "gcc", "-O2 -mbranch-protection=pac-ret+leaf"),
    ("pac-b-key", "gcc", "-O2 -mbranch-protection=pac-ret+b-key -march=armv8.3-a"),
    ("pac-no-fp", "gcc", "-O2 -fomit-frame-pointer -mbranch-protection=standard"),
    ("pac-static", "gcc", "-O2 -static -mbranch-protection=standard"),
    ("pac-clang", "clang", "-O2 -mbranch-protection=standard"),
    ("pac-clang-O0", "clang", "-O0 -mbranch-protection=standard"),
    ("x32", "gcc", "-O2 -mx32 -static"), ("x32-O0", "gcc", "-O0 -mx32 -static"))
STRIPPED = ("O2", "static", "clang", "pac", "pac-static", "pac-clang")


def frame_shapes():
    for label, compiler, flags in SHAPES + MACHINE_SHAPES:
        # musl has no unwind information, and its function that calls main never returns.
        early = "no unwind information" if "musl" in compiler else None
        for source, least in (("frames", 16), ("signals", 25)):
            name = f"{source}-{label}"
            if wanted(name):
                program = build(source + ".c", name, compiler, flags)
                if program or PREBUILT or (label, compiler, flags) in SHAPES:
                    case(name, [program], least=least, early=early)


def stripped():
    """A stripped program must have the same frames as with its symbols, which were checked before."""
    for label, compiler, flags in SHAPES + MACHINE_SHAPES:
        for source in ("frames", "signals") if label in STRIPPED else ():
            name = f"{source}-{label}-stripped"
            if not wanted(name):
                continue
            twins = [build(source + ".c", f"{source}-{label}{suffix}", compiler, flags + strip)
                     for suffix, strip in (("", ""), ("-stripped", " -s"))]
            if None in twins:
                if PREBUILT or label not in [shape[0] for shape in MACHINE_SHAPES]:
                    skip(name, "cannot be built or run here")
            elif not BUILD_ONLY:
                whole, bare = map(frames_by_note, twins)
                mine = [f for _, frames in bare for f in frames if f"/{name}(" in f]
                same = [(note, addresses(frames)) for note, frames in whole] == [
                    (note, addresses(frames)) for note, frames in bare]
                say(same and len(bare) > 8 and len(mine) > 8 and all("() [" in f for f in mine), name,
                    [f"{len(whole)} and {len(bare)} stacks", *map(str, whole), *map(str, bare)])


def ends():
    program = build("ends.c", "ends", "gcc", "-O1 -no-pie")
    # libunwind trusts the invalid CFI; one of the cases cannot be run on aarch64
    case("ends", [program], least=8 if os.uname().machine == "x86_64" else 6, verify=False)
    case("entry", [build("entry.c", "entry", "gcc", "-O1 -nostartfiles")], verify=False)
    case("deep", [program], "-f --stack-trace-frame-limit=200000", {"DEEP": "1", "DEPTH": "100000"}, verify=False)
    case("limited", [program], "-f", {"DEEP": "1", "DEPTH": "100000", "LIMITED": "1"}, verify=False)


def refused():
    """Call frame information that tracer's own reader refuses and libunwind may support."""
    program = build("refused.c", "refused", "gcc", "-O1 -no-pie -Wl,--section-start=.fixed_place=0x10000000")
    if UNWINDER != "rules" and LIBUNWIND:
        case("refused", [program], least=3)
    elif UNWINDER != "rules" and wanted("refused"):
        skip("refused", "libunwind is not built in")
    if UNWINDER in ("auto", "rules"):
        case("refused-rules", [program], "-f --unwinder=rules", {"REFUSED": "!invalid unwind information"},
             least=3, verify=False)


def unwinders():
    """Runs programs that are compiled in several ways with each unwinder alone. UNWINDER=NAME runs
    all programs."""
    if UNWINDER != "auto":
        return
    for unwinder in ("libunwind", "rules") if LIBUNWIND else ("rules",):
        options = "-f --unwinder=" + unwinder
        for label, compiler, flags in (("O2", "gcc", "-O2"), ("static", "gcc", "-O2 -static"),
                                       ("no-hdr", "gcc", "-O2 -Wl,--no-eh-frame-hdr"),
                                       ("debug-frame", "gcc",
                                        "-g -O2 -fno-asynchronous-unwind-tables -fno-unwind-tables")):
            for source, least in (("frames", 16), ("signals", 25)):
                name = f"{unwinder}-{source}-{label}"
                if wanted(name):
                    case(name, [build(source + ".c", f"{source}-{label}", compiler, flags)], options, least=least)
        if wanted(unwinder + "-contexts"):
            case(unwinder + "-contexts", [build("contexts.c", "contexts")], options, least=20)


def vdso():
    """A call that the vdso makes cannot be marked, so its stack is checked here."""
    program = build("vdso.c", "vdso") if wanted("vdso") else None
    if not program or BUILD_ONLY:
        return
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        log = os.path.join(d, "log")
        subprocess.run([*COMMAND, "-k", "-e", "trace=clock_gettime", "-o", log, program],
                       env=dict(os.environ, TRUTH="/dev/null"), timeout=60)
        frames = [symbol_of(f) for f in open(log).read().split("\n") if f.startswith(" > ")]
    names = [f[1] if f else None for f in frames]
    say(bool(frames) and frames[0] and frames[0][0] == "[vdso]" and "read_clock" in names and
        "main" in names and names.index("read_clock") + 1 == names.index("main") and STARTS.match(names[-1] or "?") is not None,
        "vdso", map(str, frames))


def sigreturns():
    """The rt_sigreturn at the end of a handler must show the stack that it returns to."""
    for label, compiler, flags in SHAPES:
        name = "sigreturn-" + label
        if label not in ("O2", "static", "musl-static") or not wanted(name):
            continue
        program = build("signals.c", "signals-" + label, compiler, flags)
        if BUILD_ONLY:
            continue
        if not program:
            skip(name, "cannot be built here")
            continue
        with tempfile.TemporaryDirectory(dir=WORK) as d:
            log = os.path.join(d, "log")
            subprocess.run([*COMMAND, "-k", "-e", "trace=rt_sigreturn", "-e", "signal=none", "-o", log, program],
                           env=dict(os.environ, TRUTH="/dev/null"), timeout=60)
            text = open(log).read()
        stacks = text.split("rt_sigreturn(")[1:]
        # Two signals, twice each, whose handlers show the stack that they return to.
        good = [s for s in stacks if re.search(r"\(raise_usr1\+[^>]* > [^>]*\(main\+", s)]
        say(len(good) >= 4, name, [f"{len(good)} of {len(stacks)} stacks", *text.split("\n")[:20]])


def lazy_binding():
    """With LD_DEBUG=bindings, ld.so writes a line for each binding, from within the stub that the
    PLT jumps to."""
    program = build("vdso.c", "lazy", "gcc", "-O1 -Wl,-z,lazy") if wanted("lazy") else None
    if not program or BUILD_ONLY:
        return
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        log = os.path.join(d, "log")
        p = subprocess.run([*COMMAND, "-k", *["--verify-stacks"] * LIBUNWIND, "-e", "trace=write,writev", "-o", log,
                            program], env=dict(os.environ, TRUTH="/dev/null", LD_DEBUG="bindings"), timeout=60,
                           capture_output=True, text=True, errors="replace")
        text = open(log).read()
    # Of the stacks with a frame in ld.so, only those of lazy binding contain main. The local
    # functions of ld.so may not have names, so the resolver cannot be recognized by its name.
    stacks = [s for s in text.split("\nwrite") if re.search(r" > \S*/ld[^/ ]*\.so", s) and "(main+" in s]
    good = [s for s in stacks if re.search(r"\((_start)\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]\n?(\+\+\+.*)?$", s.strip())]
    broken = [s for s in stacks if s not in good]
    verified = not LIBUNWIND or ", 0 different" in p.stderr
    say(bool(good) and not broken and verified, "lazy",
        broken[:1] or [f"{len(good)} stacks through the resolver", *p.stderr.strip().split("\n")[-8:]])


def languages():
    """Tests compilers of other languages than C, if they are installed. Go builds for GOARCH,
    whatever the machine is."""
    go = os.path.join(WORK, "in-go")
    for name, tool, source, command, chain in (
            ("rust", "rustc", "closure.rs", "rustc -O -o",
             lambda: [r"\((__GI_)?getppid\+", r"Walk>::walk\+", r"apply\+|closure"]),
            ("go", "go", "goroutine.go", "go build -o",
             lambda: [r"main\.leaf\+", r"main\.recurse\+", r"main\.recurse\+", r"main\.recurse\+",
                      r"main\.main\.func1\+", r"runtime\.goexit"]),
            # Without symbols and .debug_frame, the program's own functions must have the same
            # frames.
            ("go-stripped", "go", "goroutine.go", "go build -ldflags=-s -o",
             lambda: [r"in-go-stripped\(\) " + re.escape(a) for a in addresses(
                 f for f in shown("-f -k", [go]) if "(main." in f)] or ["no stack of go's"])):
        if not wanted(name) or BUILD_ONLY and tool != "go":
            continue
        out = os.path.join(WORK, "in-" + name)
        if PREBUILT:
            built = os.path.exists(out)
        else:
            env = dict(os.environ, GO111MODULE="off", GOFLAGS="", GOCACHE=os.path.join(WORK, "gocache"))
            built = have(tool) and subprocess.run([*command.split(), out, os.path.join(HERE, source)], env=env,
                                                  capture_output=True).returncode == 0
        if BUILD_ONLY:
            continue
        if not built:
            skip(name, f"no {tool} here")
            continue
        matches(name, shown("-f -k", [out]), chain())


def goroutine_ends():
    """Stacks of Go's runtime end at the functions that switch to the stack of the thread."""
    name, program = "go-ends", os.path.join(WORK, "in-go")
    if not wanted(name) or BUILD_ONLY:
        return
    if not os.path.exists(program):
        skip(name, "no program made by go: is there no go compiler?")
        return
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        log = os.path.join(d, "log")
        subprocess.run([*COMMAND, "-f", "-k", "-e", "signal=none", "-o", log, program], timeout=60)
        stacks = re.findall(r"(?:^ > .*\n)+", open(log).read(), re.M)
    # The scheduler has no caller. The caller of systemstack is on the stack of the goroutine.
    scheduler = [s for s in stacks if "(runtime.mcall" in s]
    allocator = [s for s in stacks if "(runtime.systemstack" in s]
    good = (all(re.search(r"\(runtime\.mcall\+[^\n]*\n$", s) for s in scheduler) and
            all(re.search(r"\(runtime\.systemstack[^\n]*\n > no unwind information[^\n]*\n$", s) for s in allocator))
    lost = [s for s in stacks if "no executable mapping" in s]
    say(bool(scheduler) and bool(allocator) and good and not lost, name,
        [f"{len(scheduler)} and {len(allocator)} stacks", *(lost or scheduler[:2] + allocator[:2])])


LINES = [r"\(innermost\) \[0x\w+\] .*inlines.c:9$", r"\(between\) \[0x\w+\] .*inlines.c:14$",
         r"\(outer\+0x\w+\) \[0x\w+\] .*inlines.c:19$", r"\(main\+0x\w+\) \[0x\w+\] .*inlines.c:24$"]
PLAIN = [r"\(outer\+0x\w+\) \[0x\w+\]$", r"\(main\+0x\w+\) \[0x\w+\]$"]


def source_lines():
    if not SOURCE_LINES:
        skip("source", "libdw is not built in")
        return
    for name, compiler, flags in (("source-gcc", "gcc", "-O2 -g"), ("source-clang", "clang", "-O2 -g"),
                                  ("source-dwarf4", "gcc", "-O2 -gdwarf-4")):
        if not wanted(name):
            continue
        program = build("inlines.c", name, compiler, flags)
        if not program:
            skip(name, "cannot be built here")
            continue
        if not BUILD_ONLY:
            matches(name, shown("-kk", [program]), LINES)
    if not wanted("source-hostile") or not have("objcopy") or BUILD_ONLY or PREBUILT:
        return
    program = build("inlines.c", "source-hostile", "gcc", "-O2 -gdwarf-5")
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        strings, bad = os.path.join(d, "strings"), os.path.join(d, "bad")
        subprocess.run(["objcopy", "--dump-section", ".debug_line_str=" + strings, program, bad], check=True)
        with open(strings, "rb") as f:
            text = f.read().rstrip(b"\0")
        with open(strings, "wb") as f:
            f.write(text)
        subprocess.run(["objcopy", "--update-section", ".debug_line_str=" + strings, program, bad], check=True)
        matches("source-strings-without-end", shown("-kk", [bad]), PLAIN)


def status_of(pid):
    """Returns the lines of /proc/PID/status as a dictionary, which is empty if there is no such
    process."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as f:
            return dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)
    except OSError:
        return {}


def namers_of(word):
    """Returns the namer processes of tracers whose command line contains word."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                mine = word.encode() in f.read()
        except OSError:
            continue
        if mine and status_of(pid).get("Name") == "tracer-namer":
            found.append(pid)
    return found


def namer():
    """Tests the namer process: what makes it fail, how often it is restarted, and what it is
    allowed to do."""
    if not wanted("namer"):
        return
    if not SOURCE_LINES:
        skip("namer", "libdw, which it runs, is not built in")
        return
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        programs = [build("nested.c", os.path.join(d, f"nested{i}"), "gcc", "-O1 -no-pie -DNESTED=40000")
                    for i in range(8)]
        if None in programs:
            skip("namer", "cannot be built here")
            return
        log, start = os.path.join(d, "log"), time.monotonic()
        p = subprocess.run([*COMMAND, "-kk", "-f", "-e", "trace=getppid", "-e", "signal=none", "-o", log, "/bin/sh",
                            "-c", "; ".join(programs)], capture_output=True, timeout=300)
        took = time.monotonic() - start
        with open(log, errors="replace") as f:
            text = f.read()
        frames = re.findall(r"nested(\d)\(main\+0x\w+\) \[0x\w+\] ?(.*)", text)
        # On a busy machine, the namer may reach its time limit before it crashes. The test may also
        # take more than a minute, so that the namer is started more often.
        failed = {n for n, why in frames if why in ("(reading it crashed)", "(reading it took too long)")}
        off = {n for n, why in frames if why == "(symbol reader not available)"}
        say(p.returncode == 0 and [n for n, _ in frames] == [str(i) for i in range(8) for _ in range(3)] and
            len(failed) + len(off) == 8 and "0" in failed and (len(failed) <= 5 or took > 60) and
            text.count("+++ exited with 0 +++") >= 8, "namer-crashes", [str(p), *text.split("\n")])
        program = build("inlines.c", os.path.join(d, "waits"), "gcc", "-O2 -g")
        tracer = subprocess.Popen([*COMMAND, "-kk", "-f", "-e", "trace=getppid,pause", "-o", log, "/bin/sh", "-c",
                                   program + "; read wait"], stdin=subprocess.PIPE)
        for _ in range(600):
            found = namers_of(log)
            if found and status_of(found[0]).get("Seccomp") == "2":
                break
            time.sleep(0.05)
        status = status_of(found[0]) if found else {}
        good = (len(found) == 1 and status.get("Seccomp") == "2" and status.get("NoNewPrivs") == "1" and
                int(status["CapEff"], 16) == 0 and int(status["CapPrm"], 16) == 0)
        if good and os.geteuid() == 0:
            good = len(os.listdir(f"/proc/{found[0]}/fd")) <= 4
        say(good, "namer-confined", [str(found), *map(str, status.items())])
        # When tracer ends, for whatever reason, the namer process ends.
        tracer.kill()
        tracer.wait()
        for _ in range(600):
            if not namers_of(log):
                break
            time.sleep(0.05)
        say(not namers_of(log), "namer-ends", namers_of(log))


def peak_of(argv, env):
    """Runs a command. Returns its status and its peak memory in MiB."""
    pid = os.posix_spawn(argv[0], argv, env, file_actions=[(os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    return status, usage.ru_maxrss >> 10


def budgets():
    """Limits for small files that claim to be large. The log must be complete all the same."""
    if not wanted("budget"):
        return
    program = build("mapper.c", "mapper")
    for make in greedy.FILES if program else []:
        name = "budget-" + make.__name__
        if not wanted(name):
            continue
        # The perf map is linked into /tmp, which may be another file system.
        with tempfile.TemporaryDirectory(dir="/tmp" if make is greedy.perf_map else WORK) as d:
            count, step, paths = make(d)
            log, env = os.path.join(d, "log"), dict(os.environ, MAP=os.path.join(d, "map"))
            usual = peak_of([TRACER, "-k", "-o", log, "/bin/true"], env)[1]
            status, peak = peak_of([*COMMAND, "-k", "-f", "-e", "trace=getppid", "-e", "signal=none", "-o", log, program,
                                    str(count), str(step), *paths], env)
            size = os.path.getsize(log)
            with open(log, errors="replace") as f:
                text = f.read()
        calls = len(re.findall(r"getppid\(", text))
        want = 8 if paths == ["jit"] else count * len(paths)
        # The budget is 256 MiB; reading needs some more memory.
        good = status == 0 and calls == want and text.count("\n > ") >= want and peak - usual < 400 and size < 20 << 20
        say(good, name, [f"status {status}, {calls} calls of {want}, {peak} MiB (usually {usual}), log of {size} bytes",
                         *text.split("\n")[:20]])


def source_common():
    """Debugging information that dwz(1) has moved to another file, whose name is relative."""
    if not wanted("source-common"):
        return
    if not have("dwz") or not have("gcc") or not SOURCE_LINES:
        skip("source-common", "no dwz here" if SOURCE_LINES else "libdw is not built in")
        return
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        programs = [build("inlines.c", os.path.join(d, name), "gcc", "-O2 -gdwarf-4") for name in ("one", "two")]
        common = os.path.join(d, "common.debug")
        subprocess.run(["dwz", "-m", "common.debug", "one", "two"], cwd=d, check=True)
        matches("source-common", shown("-kk", programs[:1]), LINES)
        os.unlink(common)
        os.mkfifo(common)
        matches("source-common-pipe", shown("-kk", programs[:1]), PLAIN)


def separate_debug():
    """Symbols that are in .gnu_debugdata, or in a file named by .gnu_debuglink."""
    if not wanted("separate") or not have("objcopy"):
        return
    plain = [r"\(outer\+0x\w+\) \[", r"\(main\+0x\w+\) \["]
    for name, flags in (("separate-link", "-Wl,--build-id"), ("separate-link-crc", "-Wl,--build-id=none")):
        with tempfile.TemporaryDirectory(dir=WORK) as d:
            program = build("inlines.c", name, "gcc", "-O2 -g " + flags)
            stripped, debug = os.path.join(d, name), os.path.join(d, name + ".debug")
            subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
            subprocess.run(["objcopy", "--strip-all", "--add-gnu-debuglink=" + debug, program, stripped], check=True)
            matches(name, shown("-k", [stripped]), plain)
            with open(debug, "ab") as f:
                f.write(b"x")
            if "none" in flags:
                frames = shown("-k", [stripped])
                say(bool(frames) and not any("outer" in f for f in frames), name + "-mismatch", frames)
    if have("xz"):
        program = build("inlines.c", "separate-mini", "gcc", "-O2")
        mini = program + ".mini"
        subprocess.run(["objcopy", "-S", "--keep-symbol=outer", "--keep-symbol=main", program, mini], check=True)
        subprocess.run(["xz", "-f", mini], check=True)
        subprocess.run(["objcopy", "--strip-all", f"--add-section=.gnu_debugdata={mini}.xz", program], check=True)
        matches("separate-mini", shown("-k", [program]), plain)


def attached(program, libraries):
    """One thread of several is traced, without -f. Mappings that the others change must be noticed."""
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        truth, log = os.path.join(d, "truth"), os.path.join(d, "log")
        program = subprocess.Popen([program, *libraries], env=dict(os.environ, TRUTH=truth),
                                   stdout=subprocess.PIPE, text=True)
        tid = program.stdout.readline().strip()
        tracer = subprocess.Popen([*COMMAND, "-k", "-e", "trace=fchdir", "-o", log, "-p", tid],
                                  stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            time.sleep(0.05)
            if os.path.exists(log) and open(log).read().count("fchdir(") > 50:
                break
        tracer.terminate()
        tracer.wait(20)
        program.kill()
        program.wait()
        stacks = stacks_of(open(log).read())
        notes = {int(n[0]): n[1:] for n in (line.rstrip("\n").split("\t") for line in open(truth)) if len(n) > 2}
    wrong = []
    # The last stack may be cut short, because tracer is interrupted.
    for number in list(stacks)[:-1]:
        *names, more = notes.get(number, ["nothing noted"])
        why = judge(names, more, stacks[number], set(names))
        if why:
            wrong += [why, "truth: " + " ".join(names)] + stacks[number]
    if len(stacks) < 20:
        wrong.append(f"{len(stacks)} stacks")
    say(not wrong, "attached-thread", wrong)


def debuginfod():
    """Files come from the client's cache. A missing file is requested, and is available the next
    time."""
    if not wanted("debuginfod") or not have("objcopy"):
        return
    if not DEBUGINFOD:
        skip("debuginfod", "it is not built in")
        return
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        program = build("inlines.c", "debuginfod", "gcc", "-O2 -g -Wl,--build-id")
        stripped, debug, cache = (os.path.join(d, n) for n in ("stripped", "debug", "cache"))
        subprocess.run(["objcopy", "--only-keep-debug", program, debug], check=True)
        subprocess.run(["objcopy", "--strip-all", program, stripped], check=True)
        notes = subprocess.run(["readelf", "-n", stripped], capture_output=True, text=True).stdout
        there = os.path.join(cache, re.search(r"Build ID: (\w+)", notes)[1])
        with open(os.path.join(d, "debuginfod-find"), "w") as f:
            f.write(f"#!/bin/sh\n[ $1 = debuginfo ] && mkdir -p {cache}/$2 && cp {debug} {cache}/$2/new && "
                    f"mv {cache}/$2/new {cache}/$2/debuginfo\n")
        os.chmod(os.path.join(d, "debuginfod-find"), 0o755)
        env = {"PATH": d + ":" + os.environ["PATH"], "DEBUGINFOD_CACHE_PATH": cache, "HOME": d,
               "DEBUGINFOD_URLS": "http://127.0.0.1:9"}
        frames = shown("-k", [stripped], env=env) + shown("-k --debuginfod", [stripped],
                                                          env=dict(env, DEBUGINFOD_URLS=""))
        say(not os.path.exists(there) and not any("outer" in f for f in frames), "debuginfod-not-asked", frames)
        shown("-k --debuginfod", [stripped], env=env)
        for _ in range(100):
            if os.path.exists(there + "/debuginfo"):
                break
            time.sleep(0.05)
        matches("debuginfod", shown("-k --debuginfod", [stripped], env=env), [r"\(outer\+0x\w+\)", r"\(main\+0x\w+\)"])
        # Many files are requested at once, by at most four clients.
        calls = os.path.join(d, "calls")
        with open(os.path.join(d, "debuginfod-find"), "w") as f:
            f.write(f"#!/bin/sh\necho + >>{calls}; sleep 0.2; echo - >>{calls}\n")
        programs = [build("inlines.c", os.path.join(d, f"many{i}"), "gcc", f"-O2 -s -Wl,--build-id=0x{i:040x}")
                    for i in range(1, 13)]
        shown("-f -k --debuginfod", ["/bin/sh", "-c", "; ".join(programs)], env=env)
        for _ in range(600):
            text = open(calls).read() if os.path.exists(calls) else ""
            if text.count("-") >= len(programs) and text.count("+") == text.count("-"):
                break
            time.sleep(0.05)
        running = most = 0
        for word in text.split():
            running += 1 if word == "+" else -1
            most = max(most, running)
        say(running == 0 and 1 <= most <= 4 and text.count("+") >= len(programs), "debuginfod-clients",
            [f"{most} clients at once, {text.count('+')} in all"])


def arm_shapes():
    """32-bit Arm programs with both instruction sets. For C, compilers write exception tables only
    with -funwind-tables. Without a table, tracer must analyse the code up to the return."""
    if not BUILD_ONLY and not (PREBUILT and os.uname().machine == "aarch64"):
        return
    shapes = [(label, flags) for label, flags in (
        ("O0", "-O0"), ("O2", "-O2"), ("Os", "-Os"), ("fp", "-O2 -fno-omit-frame-pointer"), ("static", "-O2 -static"),
        ("debug-frame", "-O2 -g"), ("tables", "-O2 -funwind-tables"), ("tables-O0", "-O0 -funwind-tables"),
        ("tables-static", "-O2 -funwind-tables -static"))]
    for mode in ("arm", "thumb"):
        for label, flags in shapes:
            for source, least in (("frames", 16), ("signals", 25)):
                name = f"{source}-{mode}-{label}"
                if wanted(name):
                    case(name, [build(source + ".c", name, "armhf", f"-m{mode} {flags}")], least=least)
        for source, least in (("procs", 15), ("entry", 1)):
            name = f"{source}-{mode}"
            if wanted(name):
                case(name, [build(source + ".c", name, "armhf", f"-m{mode} -O1" + " -nostartfiles" * (source == "entry"))],
                     least=least)


def several_threads():
    """Code that one thread maps and another runs, traced and untraced."""
    if wanted("threads") or wanted("untraced") or wanted("traced") or wanted("attached"):
        libraries = layout_libraries()
        attached_program = build("attached.c", "attached") if libraries else None
        if wanted("attached-thread") and attached_program and not BUILD_ONLY:
            attached(attached_program, libraries)
        case("threads", [build("threads.c", "threads") if libraries else None, *libraries], least=500)
        untraced = build("untraced.c", "untraced") if libraries else None
        case("untraced-thread", [untraced, *libraries], "", least=40)
        case("untraced-process", [untraced, *libraries, "clone"], "", least=40)
        case("traced-thread", [untraced, *libraries], "-f", least=40)
        case("traced-process", [untraced, *libraries, "clone"], "-f", least=40)


def regions():
    """Generated code whose mappings grow, shrink, split and merge, also on kernels without
    PROCMAP_QUERY."""
    program = build("regions.c", "regions") if wanted("regions") else None
    no_query = build("no_query.c", "no_query") if wanted("regions") else None
    case("regions", [program], least=50)
    case("regions-no-query", [program if no_query else None], least=50, prefix=[no_query])


def main():
    os.makedirs(WORK, exist_ok=True)
    if "NO_QUERY" in os.environ:
        COMMAND.insert(0, build("no_query.c", "no_query"))
    frame_shapes()
    arm_shapes()
    stripped()
    case("contexts", [build("contexts.c", "contexts")], least=20)
    several_threads()
    if wanted("same-address"):
        programs = [build("layout.c", f"layout{n}", "gcc", f"-O1 -no-pie -DLAYOUT={n}") for n in (1, 2, 3)]
        turns = ["/bin/sh", "-c", "a=$1 b=$2 c=$3; $a $b $c $a $b & $b $c $a $b & $c $a $b; wait", "sh", *programs]
        case("same-address", turns if all(programs) else [None], least=200)
    regions()
    case("processes", [build("procs.c", "procs")], least=15)
    case("jit", [build("jit.c", "jit")], least=5)
    with tempfile.TemporaryDirectory(dir=WORK) as d:
        if os.geteuid() == 0:
            case("jit-chroot", [build("jit.c", "jit-static", "gcc", "-O1 -static"), os.path.join(d, "root")])
    ends()
    refused()
    unwinders()
    case("names", [build("names.c", "names", "gcc", "-O1")], least=5)
    vdso()
    sigreturns()
    case("plt", [build("plt.c", "plt", "gcc", "-O1 -fno-builtin -Wl,-z,lazy")], least=60)
    lazy_binding()
    source_lines()
    languages()
    goroutine_ends()
    if BUILD_ONLY or PREBUILT:
        return  # the other cases need compilers on the machine that runs them
    for how in ("deleted", "replaced", "memfd", "chroot", "namespace"):
        if not wanted("hidden-" + how):
            continue
        if how in ("chroot", "namespace") and os.geteuid():
            skip("hidden-" + how, "not permitted here")
            continue
        with tempfile.TemporaryDirectory(dir=WORK) as d:
            program = build("hidden.c", "hidden-" + how, "gcc", "-O1 -static")
            there = os.path.join(d, "there")
            if how == "namespace":
                os.mkdir(there)
            elif how != "chroot":
                shutil.copy(program, there)
            argv = [there if how in ("deleted", "replaced") else program, how, there]
            case("hidden-" + how, argv)
    namer()
    budgets()
    source_common()
    separate_debug()
    debuginfod()


main()
