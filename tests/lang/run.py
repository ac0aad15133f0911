#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/lang/run.py: compares language frames with programs that know their own stacks.

Each program writes its own stack to descriptor 99, which is not open. The stack that tracer shows
for that call must have the same frames, innermost first, except for the frame of the marking
function. Runtimes that are not installed are skipped. LANG_RUNTIMES lists additional ones, such as
python=/opt/python3.14/bin/python3. make check sets TRACER and ONLY.

"""
import ast
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TRACER = os.environ.get("TRACER", "tracer").split()
ONLY = os.environ.get("ONLY", "").split()
ON_HEAP = "(more frames of the virtual thread are on the heap)"
FRAME = re.compile(r" > (.*)\((.*)\) \[(python|javascript|java|php|perl|ruby)\]$")


def wanted(name):
    return not ONLY or any(f"lang/{name}".startswith(o) or o == "lang" for o in ONLY)


def unescape(text):
    return re.sub(rb"\\([0-7]{3})", lambda m: bytes([int(m[1], 8)]), text.encode()).decode(errors="replace")


def stacks(command, options):
    """Yields the stack that each marked call contains, and the stack that tracer shows for it."""
    run = subprocess.run(TRACER + ["-f", "-k", "-q", "-e", "trace=write,%file", "-Z", "-e", "signal=none", "-s", "200000", *options, "-o", "/dev/stdout",
                                   *command], capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, errors="replace",
                         env={**os.environ, "PYTHON_JIT": "0"})
    out, current = [], None
    for line in run.stdout.splitlines():
        m = re.match(r'(?:\d+ +)?write\(99, ("(?:[^"\\]|\\.)*"), \d+\) += -1 EBADF', line)
        n = re.match(r'(?:\d+ +)?\w+\(.*"/nonexistent/([0-9a-f]*)".*\) += -1 ', line)
        if m or n:
            text = (bytes.fromhex(n[1]) if n else ast.literal_eval("b" + m[1])).decode(errors="replace")
            current = (text.split("\n")[0], text.split("\n")[1:], [])
            out.append(current)
        elif line.startswith(" > ") and current:
            m = FRAME.match(line)
            if m:
                current[2].append(unescape(f"{m[1]}({m[2]})"))
            elif line.endswith(ON_HEAP):
                current[2].append(ON_HEAP)
        else:
            current = None
    return run, out


def sleeping_stacks(command, micros):
    """Like stacks(), with the BPF engine: the stack that tracer shows is that of the sleep after each marked call."""
    calls = "write,%file,nanosleep,clock_nanosleep,select,pselect6,poll,ppoll,futex"
    run = subprocess.run(TRACER + ["--engine=bpf", "-f", "-k", "-q", "-e", f"trace={calls}", "-e", "signal=none", "-s", "200000", "-o", "/dev/stdout", *command],
                         capture_output=True, text=True, timeout=300, stdin=subprocess.DEVNULL, errors="replace",
                         env={**os.environ, "PYTHON_JIT": "0", "TRUTH_SLEEP": str(micros)})
    out, marks, current = [], {}, None
    for line in run.stdout.splitlines():
        if not line.startswith(" > "):
            current = None
            call = re.match(r"(?:(\d+) +)?(?:<\.\.\. )?(\w+)(?:\(| resumed>)", line)
            n = re.search(r'"/nonexistent/([0-9a-f]*)"', line)
            m = re.search(r'write\(99, ("(?:[^"\\]|\\.)*"), \d+\)', line)
            if call and (m or n):
                marks[call[1]] = (bytes.fromhex(n[1]) if n else ast.literal_eval("b" + m[1])).decode(errors="replace").split("\n")
            # If other threads run meanwhile, the stack follows the second part of the call.
            elif call and call[2] in calls and call[1] in marks and "<unfinished" not in line:
                label, *truth = marks.pop(call[1])
                current = (label, truth, [])
                out.append(current)
        elif current and FRAME.match(line):
            m = FRAME.match(line)
            current[2].append(unescape(f"{m[1]}({m[2]})"))
    return run, out


def asleep(name, command, trim, micros=20000, least=0.05):
    """Tests the BPF engine, which reads frames only while a thread sleeps. No frame may be wrong. At least this share of the sleeps must have
    frames; on a busy machine, tracer is often too late."""
    name = f"asleep-{name}"
    if not wanted(name):
        return
    run, found = sleeping_stacks(command, micros)
    if "--engine=bpf" in run.stderr or not run.stdout:
        print(f"ok lang/{name} # SKIP the BPF engine does not work here")
        return
    shown = [(label, truth, trim(frames)) for label, truth, frames in found if frames]
    wrong = [s for s in shown if s[1] != s[2]]
    good = not wrong and found and len(shown) >= least * len(found)
    print(f"{'ok' if good else 'not ok'} lang/{name}: {len(shown)} of {len(found)} sleeps have frames" + (f", {len(wrong)} are wrong" if wrong else ""))
    for label, truth, frames in wrong[:5]:
        print(f"# {label}: {truth} is shown as {frames}")


def without_caller(shown):
    return shown[1:]


def after_mark(shown):
    """Returns the frames after the marking function. Functions of the runtime itself have no file."""
    n = next((i for i, f in enumerate(shown) if re.search(r"\((main::)?mark[:)]", f)), 0)
    return [f for f in shown[n + 1:] if not re.match(r"\((?!eval )", f)]


def after_ruby_mark(shown):
    """Returns the frames after the marking method. The place of methods that are part of Ruby, but
    written in Ruby, is not compared: new versions report the place of their caller."""
    n = next((i for i, f in enumerate(shown) if re.search(r"\(mark:", f)), 0)
    return [re.sub(r"^<internal:.*>\((.*):\d+\)$", r"(\1)", f) for f in shown[n + 1:]]


def after_java_mark(shown):
    """Returns the frames after the marking method, without the classes of lambdas, whose names are
    generated."""
    n = next((i for i, f in enumerate(shown) if f.startswith("Truth.java(Truth.mark:")), 0)
    return [f for f in shown[n + 1:] if not re.search(r"\$\$Lambda|Lambda.*0x|LambdaForm|DirectMethodHandle.*0x", f)]


def recorded(name, path, program, least):
    """Checks that traces contain the frames that were shown, with their names."""
    if not wanted(name):
        return
    options = [*TRACER, "-f", "-k", "-q", "-e", "trace=write", "-Z", "-e", "signal=none", "-o", "/dev/stdout"]
    good, counts = True, []
    with tempfile.TemporaryDirectory() as there:
        for form in "frames", "raw":
            # Threads may run in another order the next time, so compare with the same run.
            live, read = (subprocess.run([*options, *more], capture_output=True, text=True, errors="replace").stdout for more in
                          ([f"--record-stacks={form}", f"--write-trace={there}/{form}", path, f"{HERE}/{program}"], [f"--read-trace={there}/{form}"]))
            live, read = ([line for line in text.splitlines() if "[python]" in line] for text in (live, read))
            good = good and live == read and len(live) > least
            counts.append(f"{len(live)} and {len(read)} frames")
    print(f"{'ok' if good else 'not ok'} lang/{name}: {', '.join(counts)}")


def not_recorded(name, call, command):
    """The BPF engine cannot read the frames of threads that do not sleep. The stacks must say so."""
    if not wanted(name):
        return
    run = subprocess.run([*TRACER, "--engine=bpf", "-f", "-k", "-q", "-e", f"trace={call}", "-o", "/dev/stdout", *command],
                         capture_output=True, text=True, errors="replace")
    if "--engine=bpf" in run.stderr or not run.stdout:
        print(f"ok lang/{name} # SKIP the BPF engine does not work here")
        return
    reasons = run.stdout.count("(the program's own frames were not recorded)")
    frames = sum(FRAME.match(line) is not None for line in run.stdout.splitlines())
    print(f"{'ok' if reasons > 100 and not frames else 'not ok'} lang/{name}: {reasons} stacks")


def check(name, command, least, options=(), trim=without_caller, says="", share=1, labels=""):
    """`says` contains the expected messages of tracer, and `share` is the least share of frames that are equal. At least 50 stacks must
    have the word `labels` in their labels."""
    if not wanted(name):
        return
    try:
        run, found = stacks(command, options)
    except subprocess.TimeoutExpired:
        print(f"not ok lang/{name}: it takes too long")
        return
    frames = equal = bad = 0
    wrong, differ = [], []
    for label, truth, shown in found:
        mine = trim(shown)
        if label == "virtual":
            # The frames of callers belong to the carrier thread.
            end = mine.index(ON_HEAP) if ON_HEAP in mine[1:] else len(truth)
            mine, truth = mine[:end], truth[:end]
        frames += len(truth)
        equal += sum(a == b for a, b in zip(reversed(truth), reversed(mine)))
        if mine != truth:
            bad += 1
            if len(differ) < 5:
                n = next((i for i, (a, b) in enumerate(zip(truth, mine)) if a != b), min(len(truth), len(mine)))
                differ.append(f"{label}: frame {n} of {len(truth)} ({len(mine)}): {truth[n:n + 1]} is shown as {mine[n:n + 1]}")
    if differ and (share == 1 or equal < frames * share):
        wrong += [f"{equal} of {frames} frames are equal", *differ]
    if labels and sum(labels in label for label, _, _ in found) < 50:
        wrong.append(f"fewer than 50 stacks are in code compiled by {labels}")
    if says not in run.stderr:
        wrong.append(f"stderr does not have {says!r}: " + "; ".join(run.stderr.splitlines()[-6:]))
    good = not wrong and len(found) >= least
    print(f"{'ok' if good else 'not ok'} lang/{name}: {frames} frames in {len(found)} stacks" + (f", {bad} stacks differ" if bad else ""))
    if not good:
        for w in wrong or run.stderr.splitlines()[-5:]:
            print("# " + w)
    sys.stdout.flush()


def runtimes(language, *commands):
    """Returns the runtimes of a language: the one in PATH, other installed versions, and those in
    LANG_RUNTIMES."""
    found = []
    for c in commands:
        found += sorted(glob.glob(os.path.expanduser(c))) if "/" in c else [shutil.which(c)]
    found += [w.split("=", 1)[1] for w in os.environ.get("LANG_RUNTIMES", "").split() if w.startswith(language + "=")]
    seen = {os.path.realpath(f): f for f in found if f}
    return [f for f in seen if os.access(f, os.X_OK)]


def versions(language, argument, *commands):
    """Returns each runtime with its version, without those that do not start. The versions of free-threaded builds of Python end with t."""
    out = {}
    for path in runtimes(language, *commands):
        run = subprocess.run([path, *argument], capture_output=True, text=True)
        m = re.search(r"\d+(\.\d+)*", run.stdout + run.stderr)
        if run.returncode == 0 and m:
            out.setdefault(m[0] + "t" * ("free-threading" in run.stdout), path)
    if not out and wanted(language):
        print(f"ok lang/{language} # SKIP there is no {language} here")
    return out


def repeated(name, command, calls="getppid"):
    """If a program makes many calls from the same place, tracer must not read its stack in full each time."""
    if not wanted(f"repeated-{name}"):
        return
    if not shutil.which(command[0]):
        print(f"ok lang/repeated-{name} # SKIP there is no {command[0]} here")
        return
    run = subprocess.run([*TRACER, "-f", "-d", "-k", "-q", "-e", f"trace={calls}", "-o", "/dev/null", *command], capture_output=True, text=True, errors="replace")
    m = re.search(r"stacks: (\d+) with a language runtime, (\d+) the same", run.stderr)
    good = m and int(m[1]) >= 1000 and int(m[2]) > int(m[1]) * 0.9
    print(f"{'ok' if good else 'not ok'} lang/repeated-{name}: {m and m[0]}")


# A program for Python 3.13 and 3.14 that replaces the offset of the file name in code objects with that of the function name.
OVERWRITE = """
import ctypes, os, sys
words = (ctypes.c_uint64 * 100).in_dll(ctypes.pythonapi, "_PyRuntime")
code = {13: 34, 14: 39}[sys.version_info.minor]
words[code + 1] = words[code + 2]
def f():
    try:
        os.write(98, b"x")
    except OSError:
        pass
f()
"""


def python():
    newest = tasks = None
    for version, path in versions("python", ["-VV"], "python3", "/usr/bin/python3.[0-9]*[0-9]", "~/.pyenv/versions/3.*/bin/python3").items():
        if tuple(map(int, version.split(".")[:2])) >= (3, 8):
            check(f"python-{version}", [path, f"{HERE}/truth.py"], 111)
            asleep(f"python-{version}", [path, f"{HERE}/truth.py"], without_caller)
            newest = path
        if tuple(map(int, version.split(".")[:2])) >= (3, 14):
            check(f"python-{version}-tasks", [path, f"{HERE}/tasks.py"], 1200)
            asleep(f"python-{version}-tasks", [path, f"{HERE}/tasks.py"], without_caller, 5000)
            tasks = path
        if version.startswith(("3.13", "3.14")):
            # The first program overwrites the offsets with which the runtime describes itself. The second one must have correct frames.
            check(f"python-{version}-overwritten", ["sh", "-c", f"{path} -c '{OVERWRITE}'; exec {path} {HERE}/truth.py"], 111,
                  ["-e", "trace=write"])
    if newest:
        for micros in 1000, 300, 100:
            asleep(f"python-{micros}us", [newest, f"{HERE}/truth.py"], without_caller, micros, 0)
        recorded("recorded", newest, "truth.py", 600)
        not_recorded("not-recorded", "write", [newest, f"{HERE}/truth.py"])
    if tasks:
        recorded("recorded-tasks", tasks, "tasks.py", 10000)
        task_members(tasks)
    elif wanted("tasks"):
        print("ok lang/tasks # SKIP there is no Python 3.14 here")


def task_members(path):
    """JSON has the names of tasks as a member of their own. The frames of folded stacks do not contain them."""
    if not wanted("task-members"):
        return
    options = [*TRACER, "-f", "-q", "-e", "trace=write", "-Z", "-e", "signal=none", "-o", "/dev/stdout"]
    events, folded = (subprocess.run([*options, *more, path, f"{HERE}/tasks.py"], capture_output=True, text=True, errors="replace").stdout.splitlines()
                      for more in (["-k", "--format=json"], ["--format=folded"]))
    frames = [f for e in map(json.loads, events) for f in e.get("stack", []) if "task" in f]
    names = {f["task"] for f in frames if f["symbol"] == f["function"] == "awaited by task" and f["language"] == "python" and "file" not in f}
    between = sum(";awaited by task;" in line for line in folded)
    good = len(frames) > 1000 and {"größe2", "", "same0"} < names and between > 100 and not any("größe2" in line for line in folded)
    print(f"{'ok' if good else 'not ok'} lang/task-members: {len(frames)} frames, {len(names)} names, {between} folded stacks")


def build(output, flags):
    """Builds the program embedded.c. Returns its path, or None if the runtime cannot be linked."""
    run = subprocess.run([*os.environ.get("CC", "cc").split(), "-w", "-o", output, f"{HERE}/embedded.c", *flags], capture_output=True)
    return output if run.returncode == 0 else None


def embedded_python():
    """Tests programs that contain libpython, as a shared library and linked statically."""
    for config in runtimes("python-config", "/usr/bin/python3-config", "~/.pyenv/versions/3.*/bin/python3-config"):
        prefix, flags = (subprocess.run([config, *options], capture_output=True, text=True).stdout.split()
                         for options in (["--prefix"], ["--embed", "--includes", "--ldflags"]))
        version = next((f[len("-lpython"):] for f in flags if f.startswith("-lpython")), None)
        if not version:
            continue
        archive = glob.glob(f"{prefix[0]}/lib/python{version}/config-*/libpython{version}.a")
        links = {"": [*flags, f"-Wl,-rpath,{prefix[0]}/lib"],
                 "-static": ["-rdynamic"] + [archive[0] if f.startswith("-lpython") and archive else f for f in flags] + ["-lz", "-lexpat"]}
        for label, link in links.items():
            name = f"embedded-python-{version}{label}{'-pyenv' * ('pyenv' in config)}"
            if not wanted(name):
                continue
            with tempfile.TemporaryDirectory() as there:
                program = build(f"{there}/python{version}", ["-DPYTHON", *link]) if not label or archive else None
                if program:
                    check(name, [program, f"{HERE}/truth.py"], 110)
                else:
                    print(f"ok lang/{name} # SKIP libpython cannot be linked")


def embedded_java(path, version, there):
    """Tests a program that contains a JVM."""
    home = os.path.dirname(os.path.dirname(os.path.realpath(path)))
    # In JDK 8, java is in jre/bin or bin, and libjvm is in jre/lib/ARCH/server.
    home = home.removesuffix("/jre")
    lib = next(iter(glob.glob(f"{home}/lib/server") + glob.glob(f"{home}/jre/lib/*/server")), f"{home}/lib/server")
    program = build(f"{there}/service", [f"-I{home}/include", f"-I{home}/include/linux", f"-L{lib}", "-ljvm", f"-Wl,-rpath,{lib}", "-pthread"])
    if program:
        check(f"embedded-java-{version}", [program, there], 33, ["-d"], after_java_mark, ", 0 by frame pointer")
    elif wanted("embedded-java"):
        print(f"ok lang/embedded-java-{version} # SKIP there is no jni.h or libjvm here")


def scripted(language, argument, source, least, *commands, trim=after_mark):
    for version, path in versions(language, [argument], *commands).items():
        check(f"{language}-{version}", [path, f"{HERE}/{source}"], least, trim=trim)
        asleep(f"{language}-{version}", [path, f"{HERE}/{source}"], trim)


def php_jit():
    """Tests code that opcache's JIT has compiled, with each version of PHP that has opcache."""
    for version, path in versions("php", ["--version"], "php", "/usr/bin/php[0-9]*").items():
        for mode in "function", "tracing":
            command = [path, "-d", "opcache.enable_cli=1", "-d", "opcache.jit_buffer_size=64M", "-d", f"opcache.jit={mode}",
                       "-d", "opcache.jit_hot_func=2", "-d", "opcache.jit_hot_loop=2"]
            on = subprocess.run([*command, "-r", "echo (int)(opcache_get_status()['jit']['on'] ?? 0);"], capture_output=True, text=True)
            if on.stdout.strip() == "1":
                check(f"php-{version}-{mode}", [*command, f"{HERE}/truth.php"], 30, trim=after_mark)
            elif wanted(f"php-{version}-{mode}"):
                print(f"ok lang/php-{version}-{mode} # SKIP this PHP has no JIT")


def node_compiled():
    """Tests compiled code, with each version of Node.js and each of its compilers."""
    for version, path in versions("node", ["--version"], "node", "/opt/node*/bin/node").items():
        maglev = ["--no-maglev"] if int(version.split(".")[0]) >= 20 else []
        for label, options, tier in (("natural", [], ""), ("sparkplug", ["--sparkplug", "--no-opt", *maglev], "sparkplug"),
                                     ("maglev", ["--maglev", "--no-opt"], "maglev"), ("turbofan", maglev, "turbofan"),
                                     ("gc", ["--expose-gc", "--gc-interval=500"], "turbofan")):
            name = f"node-{version}-{label}"
            if not wanted(name):
                continue
            command = [path, "--allow-natives-syntax", *options, f"{HERE}/hot.js", tier]
            run = subprocess.run(command, capture_output=True)
            if run.returncode or b"is not enabled" in run.stdout + run.stderr:
                print(f"ok lang/{name} # SKIP this version of Node.js does not have this compiler")
                continue
            check(name, command, 400, trim=after_mark, share=0.99, labels=tier)


python()
embedded_python()
scripted("node", "--version", "truth.js", 34, "node", "/opt/node*/bin/node")
node_compiled()
scripted("php", "--version", "truth.php", 30, "php", "/usr/bin/php[0-9]*")
php_jit()
scripted("perl", "-V:version", "truth.pl", 37, "perl")
scripted("ruby", "--version", "truth.rb", 148, "ruby", "/usr/bin/ruby[0-9]*", trim=after_ruby_mark)


for version, path in versions("ruby", ["--version"], "ruby", "/usr/bin/ruby[0-9]*").items():
    not_recorded(f"not-recorded-ruby-{version}", "getppid", [path, "-e", "200.times { Process.ppid }"])


def ruby_jit():
    """Tests code that the compilers of Ruby have generated."""
    for version, path in versions("ruby", ["--version"], "ruby", "/usr/bin/ruby[0-9]*").items():
        for label, options in (("yjit", ["--yjit", "--yjit-call-threshold=1"]), ("mjit", ["--mjit", "--mjit-wait", "--mjit-min-calls=1"])):
            run = subprocess.run([path, *options, "-v", "-e", ""], capture_output=True, text=True)
            if f"+{label.upper()}" in run.stdout:
                check(f"ruby-{version}-{label}", [path, *options, f"{HERE}/truth.rb"], 148, trim=after_ruby_mark)
            elif wanted(f"ruby-{version}-{label}"):
                print(f"ok lang/ruby-{version}-{label} # SKIP this Ruby does not have this compiler")


ruby_jit()


def java():
    found = versions("java", ["-version"], "java", "/usr/lib/jvm/*/bin/java")
    compiler = next((c for c in [os.path.join(os.path.dirname(os.path.realpath(p)), "javac") for p in found.values()] if os.access(c, os.X_OK)),
                    shutil.which("javac"))
    if found and not compiler:
        print("ok lang/java # SKIP there is no javac here")
        return
    with tempfile.TemporaryDirectory() as there:
        if found:
            subprocess.run([compiler, "-source", "8", "-target", "8", "-encoding", "UTF-8", "-d", there, f"{HERE}/Truth.java"], check=True, stderr=subprocess.DEVNULL)
            if wanted("java"):
                interrupted([*found.values()][-1], there)
        if found and wanted("repeated-java"):
            # The register of the frame pointer contains other values in compiled code.
            with open(f"{there}/Repeat.java", "w") as f:
                f.write('class Repeat { public static void main(String[] a) { for (int i = 0; i < 20000; i++) new java.io.File("/nowhere").exists(); } }')
            subprocess.run([compiler, "-d", there, f"{there}/Repeat.java"], check=True)
            repeated("java", [[*found.values()][-1], "-cp", there, "Repeat"], "/^(stat|access|newfstatat)$")
        for version, path in found.items():
            embedded_java(path, version, there)
            asleep(f"java-{version}", [path, "-Xshare:auto", "-cp", there, "Truth"], after_java_mark)
            for label, modes, rounds, least in (("", ["-Xint"], [], 33), ("-c1", ["-XX:TieredStopAtLevel=1"], ["1000", "200"], 101),
                                                ("-c2", ["-XX:+PreserveFramePointer"], ["6000", "1200"], 101)):
                check(f"java-{version}{label}", [path, *modes, "-Xshare:auto", "-cp", there, "Truth", *rounds], least, ["-d"], after_java_mark,
                      ", 0 by frame pointer")


def interrupted(path, there):
    """A signal interrupts compiled code. The frame must have the name of its method, although the
    stack may end there."""
    run = subprocess.run([*TRACER, "-f", "-k", "-q", "-e", "trace=none", "-e", "signal=SIGSEGV", "-o", "/dev/stdout",
                          path, "-Xbatch", "-XX:TieredStopAtLevel=1", "-cp", there, "Truth"], capture_output=True, text=True, errors="replace")
    good = re.search(r"--- SIGSEGV .*\n > Truth.java\(Truth\.follow\) \[java\]\n", run.stdout)
    print(f"{'ok' if good else 'not ok'} lang/java-interrupted")


repeated("python", ["python3", "-c", "import os\nfor i in range(1000): os.getppid()"])
repeated("perl", ["perl", "-e", "sub f { getppid for 1 .. 1000 } f"])
repeated("ruby", ["ruby", "-e", "1000.times { Process.ppid }"])
repeated("node", ["node", "--no-opt", "--no-sparkplug", "-e", "for (let i = 0; i < 1000; i++) process.ppid"])
repeated("php", ["php", "-r", "for ($i = 0; $i < 1000; $i++) posix_getppid();"])
if any(map(wanted, ("java", "embedded-java", "asleep-java", "repeated-java"))):
    java()
