#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# make check-html: tests the pages of --format=html and flamegraph in a headless browser, with real
# clicks and keys. Skipped if Chromium is not installed. PICTURES=DIR keeps screenshots.
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import browser
import graph

TRACER = os.environ["TRACER"]
PICTURES = os.environ.get("PICTURES")
failures = 0
total = 0


def check(name, good, why=""):
    global failures, total
    total += 1
    failures += not good
    print(("ok " if good else "not ok ") + "html: " + name)
    if not good:
        print("# " + str(why))


def equal(name, got, want):
    check(name, got == want, f"got {got!r}, want {want!r}")


def trace(page, command, *options):
    subprocess.run([TRACER, "-f", "--format=html", "-o", page, *options, *command], stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, check=False)


def picture(b, name):
    if PICTURES:
        b.picture(os.path.join(PICTURES, name + ".png"))


def shown(b):
    return b.ask("app.calls.shown.length")


def rows(b):
    """Returns the text of the visible rows of the list, once they are drawn and their texts are
    loaded."""
    b.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    b.until("![...document.querySelectorAll('#list .what')].some(e => e.textContent.endsWith('…'))")
    return b.ask("[...document.querySelectorAll('#list .row')].sort((a, b) => a.index - b.index).map(r => r.querySelector('.what').textContent)")


def filter_text(b, text):
    """Types into the filter, and waits until the list is updated."""
    b.key("/")
    b.type(text)
    b.until("app.calls.settled")


def bar(b, record):
    """Returns where the middle of a record's bar is in the window."""
    return b.ask(f"(() => {{const p = app.timeline.placeOf({record}), b = document.querySelector('#timeline').getBoundingClientRect();"
                 "return [b.x + p[0] + p[2] / 2, b.y + p[1] + p[3] / 2];})()")


def find(b, name):
    """Returns the first record of that name."""
    return b.ask(f"[...app.trace.order].find(r => app.trace.names[app.trace.nameOf[r]].text === '{name}')")


SCRIPT = """
import os, threading, time
def work():
    for i in range(200): os.getppid()
    time.sleep(0.02)
threads = [threading.Thread(target=work) for i in range(2)]
[t.start() for t in threads]
[t.join() for t in threads]
os.system("cat /no/such; exit 3")
for i in range(3):
    try: os.open("/no/%d" % i, os.O_RDONLY)
    except OSError: pass
    time.sleep(0.01)
"""


def look(b, page):
    seconds = b.open(page)
    print(f"# opened in {seconds:.2f} s")
    equal("every row is in the list", shown(b), b.ask("app.trace.count"))
    check("rows are in the order of time", b.ask("app.trace.order.every((r, i, o) => !i || app.trace.start[o[i - 1]] <= app.trace.start[r])"))
    check("the first row is the program's start", rows(b)[0].startswith("execve("), rows(b)[0])
    check("the summary counts", "calls" in b.ask("document.querySelector('#sum').textContent"))
    picture(b, "wide")


def click_call(b):
    record = find(b, "clock_nanosleep")
    b.ask(f"app.timeline.zoomToRecord({record})")
    time.sleep(0.3)
    b.click(*bar(b, record))
    equal("a click on a bar selects the call", b.ask("app.selected"), record)
    b.until("document.querySelector('#panel-call .line')")
    check("the call is shown", "clock_nanosleep(" in b.ask("document.querySelector('#panel-call .line').textContent"))
    check("with its stack", b.ask("document.querySelectorAll('#panel-call .stack li').length") > 2)
    equal("the list has it picked", b.ask("app.calls.shown[app.calls.list.picked]"), record)
    picture(b, "call")
    b.key("ArrowRight")
    check("right arrow: the thread's next call", b.ask("app.selected") != record and b.ask(
        f"app.trace.threadOf(app.selected) === app.trace.threadOf({record})"))
    b.key("ArrowLeft")
    equal("left arrow: back", b.ask("app.selected"), record)


def zoom(b):
    b.key("0")
    whole = b.ask("app.timeline.to - app.timeline.from")
    b.key("w")
    check("w zooms in", b.ask("app.timeline.to - app.timeline.from") < whole)
    left = b.ask("app.timeline.from")
    b.key("d")
    check("d pans", b.ask("app.timeline.from") > left)
    x, y = b.center("#timeline")
    b.mouse("mouseWheel", x, y, deltaX=0, deltaY=-300, modifiers=2)
    check("ctrl and the wheel zoom", b.ask("app.timeline.to - app.timeline.from") < 0.6 * whole)
    left = b.ask("app.timeline.from")
    b.drag(x, y, x + 120, y)
    check("a drag pans", b.ask("app.timeline.from") < left)
    b.drag(x, y, x + 200, y, modifiers=8)
    check("shift and a drag mark a span", b.ask("app.timeline.span && app.timeline.span[1] > app.timeline.span[0]"))
    b.key("f")
    check("f fits it", b.ask("Math.abs(app.timeline.from - app.timeline.span[0]) < 1"))
    b.key("Escape")
    equal("Escape drops it", b.ask("app.timeline.span"), None)
    b.click_on("#zoom-all")
    equal("the button shows all", b.ask("app.timeline.to - app.timeline.from"), whole)
    for _ in range(60):
        b.key("+")
    check("zoom goes down to nanoseconds", b.ask("app.timeline.to - app.timeline.from") <= 20)
    b.key("0")


def filters(b):
    filter_text(b, "/NO/such")
    got = rows(b)
    check("text filters in any case", got and all("/no/such" in r.lower() for r in got), got)
    b.key("Escape")
    equal("Escape clears the filter", b.until("app.calls.settled && app.calls.shown === app.trace.order"), True)
    filter_text(b, "/^open.*\\/no\\/[0-9]\"/")
    # On a busy machine, the list may be drawn some time after the filter has finished.
    b.until("document.querySelectorAll('#list .row').length === 3")
    equal("a regular expression filters", len(rows(b)), 3)
    b.ask("document.querySelector('#failed').click()")
    b.until("app.calls.settled")
    equal("failed ones of them", shown(b), 3)
    b.key("Escape")
    b.until("app.calls.settled")
    equal("the others are dim in the timeline", b.ask("app.timeline.passing.reduce((n, t) => n + t.rows.length, 0)"), shown(b))
    b.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    picture(b, "failed")
    check("failed ones", b.ask("app.calls.shown.every(r => app.trace.kind[r] === 1)") and shown(b) >= 3)
    b.ask("document.querySelector('#failed').click()")
    b.until("app.calls.settled")
    b.ask("(() => {const s = document.querySelector('#slow'); s.value = 1e7; s.dispatchEvent(new Event('change'));})()")
    b.until("app.calls.settled")
    check("slow ones", 0 < shown(b) < 100 and b.ask("app.calls.shown.every(r => app.trace.duration[r] >= 1e7)"))
    b.ask("(() => {const s = document.querySelector('#slow'); s.value = 0; s.dispatchEvent(new Event('change'));})()")
    b.until("app.calls.settled")
    b.ask("(() => {const s = document.querySelector('#class'); s.value = 'file'; s.dispatchEvent(new Event('change'));})()")
    b.until("app.calls.settled")
    got = rows(b)
    check("a class", got and all(r.split("(")[0] not in ("read", "write", "getppid") for r in got), got)
    b.ask("(() => {const s = document.querySelector('#class'); s.value = ''; s.dispatchEvent(new Event('change'));})()")
    b.until("app.calls.settled")
    name = "app.trace.names[app.trace.nameOf[r]].text"
    for text, condition in (
            ("name == getppid", f"{name} === 'getppid'"),
            ("duration >= 10ms && !(class == process)", f"app.trace.isCall(r) && app.trace.duration[r] >= 1e7 && !(app.trace.names[app.trace.nameOf[r]].classes >> app.trace.classes.indexOf('process') & 1)"),
            ("name in {openat, open} && error", f"/^open(at)?$/.test({name}) && app.trace.kind[r] === 1"),
            ("name =~ /^get/ || kind == signal", f"/^get/.test({name}) && app.trace.isCall(r) || app.trace.kind[r] === 4")):
        filter_text(b, text)
        wanted = b.ask(f"[...app.trace.order].filter(r => app.trace.kind[r] !== 3 && {condition}).join()")
        equal(f"query: {text}", b.ask("[...app.calls.shown].filter(r => app.trace.kind[r] !== 3).sort((a, b) => app.trace.order.indexOf(a) - app.trace.order.indexOf(b)).join()"), wanted)
        b.key("Escape")
        b.until("app.calls.settled && app.calls.shown === app.trace.order")
    filter_text(b, "error == ENOENT && ret < 0")
    got = rows(b)
    check("query: error", got and all(" = -1 ENOENT " in r for r in got), got)
    picture(b, "query")
    b.key("Escape")
    b.until("app.calls.settled && app.calls.shown === app.trace.order")
    for text, message in (("name == ", "a value is missing"), ("duration > x", "'x' is not a number"), ("name == a && flags == 1", "'flags' is not a field of the page: kind, name, class, pid, tid, comm, ret, error, duration, time, bytes, signal, stack"),
                          ("name == open)", "unexpected ')'")):
        filter_text(b, text)
        equal(f"invalid query: {text}", b.ask("document.querySelector('#found').textContent"), message)
        b.key("Escape")
        b.until("app.calls.settled && app.calls.shown === app.trace.order")
    filter_text(b, "/[/")
    equal("an invalid regular expression is reported", b.ask("document.querySelector('#found').textContent"), "not a regular expression")
    b.key("Escape")
    b.until("app.calls.settled && app.calls.shown === app.trace.order")


def utf8(b, folder):
    page = os.path.join(folder, "utf8.html")
    for options, shown_as in (((), "Grüße 日本"), (("--strings=escaped",), "Gr\\303\\274\\303\\237e \\346")):
        trace(page, ["cat", "Grüße 日本"], *options)
        b.open(page)
        filter_text(b, 'name == openat && error == ENOENT && ret == -1')
        got = rows(b)
        check(f"UTF-8 {' '.join(options)}", any(f'"{shown_as}' in r for r in got), got)


def list_keys(b):
    b.key("1")
    b.key("Home")
    first = b.ask("app.selected")
    b.key("ArrowDown")
    b.key("PageDown")
    check("keys go through the list", b.ask("app.selected") != first)
    b.key("End")
    equal("End: the last row", b.ask("app.calls.list.picked"), shown(b) - 1)
    check("which can be seen", b.until("document.querySelector('#list .row.picked')"))


def flame_views(b):
    """Hides waiting calls and inverts the graph, and reverts both."""
    equal("an execve counts for the name that called it", b.ask("""app.trace.kind.reduce((bad, k, r) => {
        const t = app.trace, name = t.names[t.nameOf[r]].text, thread = t.threadOf(r);
        const before = [...thread.rows].filter(o => t.start[o] < t.start[r]).pop();
        return bad + (k === 0 && name === "execve" && before !== undefined && t.whoOf[before] !== t.whoOf[r]);
    }, 0)"""), 0)
    calls = b.ask("app.flame.tree.total[1][0]")
    waiting = b.ask("app.trace.kind.reduce((n, k, r) => n + (k <= 3 && WAITS.has(app.trace.names[app.trace.nameOf[r]].text)), 0)")
    leaves = "app.flame.tree.name.filter((n, i) => app.flame.tree.role[i] === 1)"
    b.click_on("#flame-hide")
    check("waiting calls are hidden", waiting and not b.ask(leaves + ".some(n => WAITS.has(n))"), waiting)
    equal("and do not count", b.ask("app.flame.tree.total[1][0]"), calls - waiting)
    b.key("h")
    equal("a key shows them again", b.ask("app.flame.tree.total[1][0]"), calls)
    b.click_on("#flame-invert")
    check("the inverted view begins with calls", b.ask("app.flame.tree.children[0].length > 5 && app.flame.tree.children[0].every(i => app.flame.tree.role[i] === 1)"))
    equal("and has all of them", b.ask("app.flame.tree.total[1][0]"), calls)
    equal("of which each has its sum", b.ask("app.flame.tree.children[0].reduce((n, i) => n + app.flame.tree.total[1][i], 0)"), calls)
    b.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    picture(b, "flame-inverted")
    b.key("v")
    check("a key turns it back", not b.ask("app.flame.tree.children[0].some(i => app.flame.tree.role[i] === 1)"))


def flame(b):
    b.key("0")
    b.key("3")
    b.until("app.flame.tree && document.querySelectorAll('#flame .f').length > 5")
    equal("waiting calls are hidden at first", b.ask("document.querySelector('#flame-hide').checked"), True)
    said = b.ask("document.querySelector('#flame-tools > .soft').textContent")
    check("and their share is shown", "waiting calls hidden: " in said and said.endswith("%"), said)
    b.key("h")
    names = b.ask("[...document.querySelectorAll('#flame .f')].map(e => app.flame.tree.name[e.node])")
    b.ask("(() => {const s = document.querySelector('#flame-search'); s.value = 'MAIN'; s.dispatchEvent(new Event('input'));})()")
    b.until("document.querySelectorAll('#flame .hit').length")
    check("a search marks frames", b.ask("[...document.querySelectorAll('#flame .hit')].every(e => /main/i.test(app.flame.tree.name[e.node]))"))
    b.ask("(() => {const s = document.querySelector('#flame-search'); s.value = ''; s.dispatchEvent(new Event('input'));})()")
    b.until("!document.querySelectorAll('#flame .hit').length")
    check("the flame graph has frames", "all" in names and any("main" in n.lower() for n in names), names[:20])
    equal("all calls are in it", b.ask("app.flame.tree.total[1][0]"), b.ask("app.trace.kind.reduce((n, k) => n + (k <= 3), 0)"))
    picture(b, "flame")
    flame_views(b)
    wide = "[...document.querySelectorAll('#flame .f')].filter(e => app.flame.tree.depth[e.node] === 2 && e.clientWidth > 20)"
    b.until(wide + ".length")
    node = b.ask(wide + "[0].node")
    x, y = b.ask(f"(() => {{const e = [...document.querySelectorAll('#flame .f')].find(e => e.node === {node}), r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + 5];}})()")
    b.click(x, y)
    equal("a click zooms into a frame", b.ask("app.flame.root"), node)
    equal("and shows only its calls in the list", shown(b), b.ask(f"app.flame.tree.total[1][{node}]"))
    equal("the graph keeps the other calls", b.ask("app.flame.tree.total[1][0]"), b.ask("app.trace.kind.reduce((n, k) => n + (k <= 3), 0)"))
    b.mouse("mouseMoved", x, y + 1)
    b.until("!document.querySelector('#tip').hidden")
    tip = b.ask("document.querySelector('#tip').innerText")
    check("a tooltip has module, address and amounts", " 0x" in tip and "/" in tip and "calls" in tip, tip)
    b.key("v")
    equal("inverted, the list has all calls again", shown(b), b.ask("app.trace.count"))
    b.until("document.querySelectorAll('#flame .f').length > 5")
    leaf = b.ask("app.flame.tree.children[0].find(i => app.flame.tree.name[i] === 'getppid')")
    b.ask(f"app.flame.zoom({leaf})")
    equal("inverted, a frame shows its calls", [shown(b), b.ask("[...app.calls.shown].every(r => app.trace.names[app.trace.nameOf[r]].text === 'getppid')")], [b.ask(f"app.flame.tree.total[1][{leaf}]"), True])
    b.click_on("#frame")
    equal("the button of the frame shows all calls", shown(b), b.ask("app.trace.count"))
    b.key("v")
    b.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    b.ask(f"app.flame.zoom({node})")
    b.key("Backspace")
    check("Backspace goes up", b.ask("app.flame.root") != node)
    x, y = b.center("#timeline")
    b.drag(x, y, x + 50, y, modifiers=8)
    b.until("app.flame.tree.total[1][0] < app.trace.count / 2")
    check("a marked span is what the graph is of", True)
    b.key("Escape")
    b.key("Escape")


UNNAMED = """
#include <unistd.h>
__attribute__((noinline)) static int three(void) { return getppid() + 1; }
__attribute__((noinline)) static int two(void) { return three() + 1; }
__attribute__((noinline)) static int one(void) { return two() + 1; }
int main(void) { return one() == 0; }
"""


def unnamed(b, folder):
    """Successive frames without names are one box, which can be expanded."""
    source, program, page = (os.path.join(folder, n) for n in ("unnamed.c", "unnamed", "unnamed.html"))
    with open(source, "w", encoding="utf-8") as f:
        f.write(UNNAMED)
    subprocess.run([os.environ.get("CC", "cc").split()[-1], "-s", "-O0", "-o", program, source], check=True)
    trace(page, [program], "-k")
    b.open(page)
    b.key("3")
    b.until("app.flame.tree && app.flame.tree.name.includes('getppid')")
    frames = "(() => {const f = app.flame; let k = f.tree.name.indexOf('getppid'), all = []; for (; k; k = f.tree.parent[k]) all.unshift(f.label(k)); return all;})()"
    got = b.ask(frames)
    check("frames without names are one box", "4 frames in unnamed" in got and "[unnamed]" not in got[3:], got)
    equal("its kind is application", b.ask("app.flame.kind(app.flame.tree.most.indexOf(4))"), "app")
    check("frames of libc have their own kind", b.ask("app.flame.tree.name.some((n, i) => app.flame.kind(i) === 'libc')"))
    b.click_on("#flame-expand")
    got = b.ask(frames)
    check("expanded, there are four", len({n for n in got if n.startswith("unnamed+0x")}) >= 4, got)
    picture(b, "unnamed")


def requests(b, folder):
    """Requests of an io_uring have durations and stacks, like calls."""
    source, program, page = os.path.join(os.path.dirname(__file__), "../e2e/uring.c"), os.path.join(folder, "uring"), os.path.join(folder, "uring.html")
    subprocess.run([os.environ.get("CC", "cc").split()[-1], "-O1", "-D_GNU_SOURCE", "-I", os.path.dirname(source), "-o", program, source], check=True)
    if subprocess.run([program], check=False).returncode == 77:
        print("ok html: requests # SKIP this system does not allow io_uring")
        return
    trace(page, [program], "-k", "--io-uring=on")
    b.open(page)
    filter_text(b, "io_uring(")
    equal("requests are rows", shown(b), 12)
    check("the head counts requests", ", 12 io_uring requests, " in b.ask("document.querySelector('#sum').textContent"), b.ask("document.querySelector('#sum').textContent"))
    got = b.ask("[...document.querySelectorAll('#list .row .took')].map(r => r.textContent)")
    check("requests have durations", len(got) == 12 and all(t.endswith("s") for t in got), got)
    b.key("Escape")
    filter_text(b, "kind == io_uring && duration > 0")
    equal("a query selects requests", shown(b), 12)
    b.ask("app.pick(app.calls.shown[1])")
    b.until("document.getElementById('panel-call').textContent.includes('submit')")
    check("the details of a request contain its duration", b.ask("document.getElementById('panel-call').textContent.includes('duration')"))
    picture(b, "requests")


def summary(b):
    b.key("4")
    b.until("document.querySelectorAll('#panel-summary tbody tr').length > 5")
    times = b.ask("app.summary.rows.map(r => r[2])")
    equal("the summary is sorted by time", times, sorted(times, reverse=True))
    picture(b, "summary")
    b.click_on("#panel-summary th:nth-child(2) button")
    calls = b.ask("app.summary.rows.map(r => r[1])")
    equal("a click sorts it by calls", calls, sorted(calls, reverse=True))
    name = b.ask("document.querySelector('#panel-summary td button').textContent")
    b.click_on("#panel-summary td button")
    b.until("app.calls.settled")
    equal("a click on a name: only these calls", [shown(b), b.ask("new Set([...app.calls.shown].map(r => app.trace.nameOf[r])).size")], [calls[0], 1])
    b.ask("document.body.focus()")
    b.key("Escape")
    b.until("app.calls.settled")
    b.click_on("#columns .took")
    check("a click on a column: the longest calls first", b.ask("app.calls.shown.every((r, i, s) => !i || app.trace.duration[s[i - 1]] >= app.trace.duration[r])"))
    b.click_on("#columns .time")
    check("and in the order of time again", b.ask("app.calls.shown.every((r, i) => r === app.trace.order[i])"), name)


def processes(b):
    b.key("5")
    b.until("document.querySelectorAll('#tree .row').length >= 3")
    text = b.ask("[...document.querySelectorAll('#tree .row')].map(r => r.textContent)")
    check("the tree has command lines", any("cat /no/such" in t for t in text), text)
    check("and exit states", any("exited with 3" in t for t in text) and any("exited with 0" in t for t in text), text)
    check("and threads", any("3 threads" in t for t in text), text)
    picture(b, "processes")
    row = b.ask("[...document.querySelectorAll('#tree .row')].findIndex(r => r.textContent.includes('exited with 3'))")
    x, y = b.ask(f"(() => {{const r = document.querySelectorAll('#tree .row')[{row}].getBoundingClientRect(); return [r.x + r.width / 2, r.y + 5];}})()")
    b.click(x, y)
    b.key("Enter")
    b.until("app.calls.process")
    check("Enter: only that process", b.ask("app.calls.shown.every(r => app.trace.threadOf(r).process === app.calls.process)"))
    b.click_on("#only")
    equal("a click drops that", b.until("!app.calls.process"), True)


def process_facts(b):
    """Clicks on a label and on a command, and sorts the lanes."""
    place = ("(() => {const t = app.timeline, r = document.querySelector('#timeline').getBoundingClientRect(), p = t.lanes[1].threads[2];"
             "return [r.x + %s, r.y + t.ruler + %d * t.laneHeight + 5];})()")
    b.click(*b.ask(place % ("30", 0)))
    text = b.ask("document.querySelector('#panel-call').innerText")
    check("a click on a label shows its process", "sh -c" in text and "exited with 0" in text and "not traced" in text, text)
    b.click(*b.ask(place % ("t.gutter + (p.first / 2 + p.last / 2 - t.from) / (t.to - t.from) * t.width", 1)))
    text = b.ask("document.querySelector('#panel-call').innerText")
    check("a click on a command shows its process", "cat /no/such/file" in text and "exited with 1" in text, text)
    b.ask("(() => {const s = document.querySelector('#sort'); s.value = 'life'; s.dispatchEvent(new Event('change'));})()")
    lived = b.ask("app.timeline.lanes.slice(1).map(l => l.threads.reduce((n, t) => n + t.last - t.first, 0))")
    equal("lanes are sorted by lifetime", lived, sorted(lived, reverse=True))
    b.ask("(() => {const s = document.querySelector('#sort'); s.value = ''; s.dispatchEvent(new Event('change'));})()")


def state(b, page):
    """The legend filters, the address keeps the view, text is copied, and Escape closes the keys."""
    b.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    b.open(page)
    b.click_on("#classes button[value=file]")
    b.until("app.calls.settled && app.calls.shown !== app.trace.order")
    equal("the legend filters by class", b.ask("document.querySelector('#class').value"), "file")
    equal("and shows that", b.ask("document.querySelectorAll('#classes [aria-pressed=true]').length"), 1)
    check("the list says that it covers the whole run", b.ask("document.querySelector('#found').textContent").endswith("in the whole run"))
    b.ask("(() => {const t = app.timeline; t.view(t.from + (t.to - t.from) / 4, t.to);})()")
    check("the list follows the visible range", b.ask(
        "(() => {const c = app.calls, i = Math.ceil(c.list.top / theme.row); return i > 0 && app.trace.start[c.shown[i]] >= app.timeline.from - 1 || c.list.top > 0;})()"))
    b.click_on("#next")
    b.click_on("#next")
    b.click_on("#previous")
    record = b.ask("app.selected")
    equal("the next row is the first one in the visible range", record, b.ask("[...app.calls.shown].find(r => app.trace.start[r] >= app.timeline.from)"))
    b.until("document.querySelector('#copies')")
    equal("the overview lines up with the timeline", b.ask("Math.round(document.querySelector('#overview').getBoundingClientRect().x - app.timeline.gutter)"), 0)
    b.until("location.hash.includes('row=') && location.hash.includes('class=file')")
    kept = "[app.selected, document.querySelector('#class').value, app.calls.shown.length, Math.round(app.timeline.from), Math.round(app.timeline.to)].join()"
    before, address = b.ask(kept), b.ask("location.href")
    b.call("Page.navigate", url="about:blank")
    b.call("Page.navigate", url=address)
    b.until("document.documentElement?.dataset.ready === 'yes'")
    b.until("app.calls.settled && app.calls.shown !== app.trace.order")
    equal("the address keeps zoom, selection and filter", b.ask(kept), before)
    b.until("document.querySelector('#copies button')")
    b.click_on("#copies button")
    b.until("document.querySelector('#copies button').textContent === 'Copied'")
    equal("a button copies the call", b.ask("navigator.clipboard.readText()"), b.ask(f"app.trace.text({record})"))
    b.key("?")
    equal("? shows the keys", b.ask("document.querySelector('#help').hidden"), False)
    b.key("Escape")
    equal("Escape closes them and keeps the selection", b.ask("[document.querySelector('#help').hidden, app.selected]"), [True, record])
    x, y = b.center("#split-side")
    b.drag(x, y, x - 100, y)
    wide = b.ask("document.querySelector('#side').clientWidth")
    b.open(page + "#row=99999999&process=-7&view=9-1&tab=x&class=no")
    b.until("app.calls.settled")
    equal("an address that does not fit shows everything", b.ask("[app.selected, app.calls.shown === app.trace.order]"), [-1, True])
    equal("the width of the list is remembered", b.ask("document.querySelector('#side').clientWidth"), wide)
    picture(b, "state")


def lanes(b, folder):
    """Processes that do not overlap in time share lanes. Lanes without rows in the visible range
    are hidden."""
    page = os.path.join(folder, "lanes.html")
    trace(page, ["sh", "-c", "i=0; while [ $i -lt 30 ]; do i=$((i + 1)); (exec cat /no/such/file$i); done; sleep 0.2 & sleep 0.2; wait"], "-k")
    b.open(page)
    equal("32 children, at most two at a time, have two lanes below the shell's", b.ask("app.timeline.lanes.length"), 3)
    check("lanes overlap nowhere", b.ask("app.timeline.all.every(l => l.threads.every((t, i) => !i || l.threads[i - 1].last <= t.first))"))
    equal("every process has its place", b.ask("app.trace.processes.filter(p => !app.timeline.laneOf.has(p.main)).length"), 0)
    check("a bar has the command", b.ask("app.timeline.lanes[1].threads.some(t => labelOf(t.process) === 'cat file7')"))
    b.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    picture(b, "lanes")
    x, y = b.ask("(() => {const t = app.timeline, r = document.querySelector('#timeline').getBoundingClientRect(); return [r.x + 30, r.y + t.ruler + 5];})()")
    b.mouse("mouseMoved", x, y)
    b.until("!document.querySelector('#tip').hidden")
    check("a label tells of its process", "exited with 0" in b.ask("document.querySelector('#tip').textContent"), b.ask("document.querySelector('#tip').textContent"))
    filter_text(b, "/no/such/file9")
    b.until("app.timeline.hits && app.timeline.hits.length === app.calls.shown.length")
    b.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    # The color of the overview's top row at the first hit, and a little to the left of it.
    pixel = ("(() => {const t = app.timeline, c = t.overview, at = Math.floor((app.trace.start[t.hits[0]] - t.least) / (t.most - t.least) * c.clientWidth);"
             "return [...c.getContext('2d').getImageData((at - %d) * devicePixelRatio, 3, 1, 1).data].slice(0, 3).join();})()")
    check("hits are marked in the overview", b.ask(pixel % 0) != b.ask(pixel % 6), b.ask(pixel % 0))
    picture(b, "hits")
    b.key("Escape")
    b.until("app.calls.settled")
    b.ask("(() => {const p = app.timeline.lanes[1].threads[3]; app.timeline.view(p.first, p.last);})()")
    idle = b.ask("app.timeline.all.length - app.timeline.lanes.length")
    check("idle lanes are hidden", idle >= 1 and b.ask("app.timeline.lanes.length") >= 2, idle)
    b.key("i")
    equal("i shows them", b.ask("app.timeline.all.length - app.timeline.lanes.length"), 0)
    b.key("i")
    b.key("0")
    b.key("r")
    equal("r: a lane for each process", b.ask("app.timeline.lanes.length"), b.ask("app.trace.processes.length"))
    b.key("r")
    process_facts(b)
    record = b.ask("app.timeline.all[1].threads[5].rows[0]")
    b.ask(f"app.pick({record})")
    b.click(*bar(b, record))
    equal("a click in a shared lane selects the call there", b.ask("app.trace.threadOf(app.selected) === app.trace.threadOf(%d)" % record), True)
    b.ask("app.timeline.fold(app.trace.processes[0])")
    equal("a folded process hides its children", b.ask("app.timeline.lanes.length"), 1)
    b.ask(f"app.pick({record})")
    equal("a selected call unfolds them", b.ask(f"app.timeline.laneOf.has(app.trace.threadOf({record}))"), True)


def arrows(b, folder):
    """Forks, ends and wake-ups have arrows. The critical path is that of --critical-path."""
    page, record = os.path.join(folder, "arrows.html"), os.path.join(folder, "arrows.trace")
    code = ("import os, threading, time\nr, w = os.pipe()\ndef work():\n    time.sleep(0.05)\n    os.write(w, b'x')\n"
            "t = threading.Thread(target=work)\nt.start()\nos.read(r, 1)\nt.join()\nos.system('sleep 0.03; true')\n")
    subprocess.run([TRACER, "-f", "--write-trace=" + record, "-o", os.devnull, sys.executable, "-S", "-c", code], check=True, stderr=subprocess.DEVNULL)
    read = [TRACER, "--read-trace=" + record]
    subprocess.run([*read, "--wakers", "--format=html", "-o", page], check=True, stderr=subprocess.DEVNULL)
    want = subprocess.run([*read, "--critical-path", "--format=json", "-o", "/dev/stdout"], check=True, capture_output=True, text=True).stdout
    b.open(page)
    found = b.ask("app.timeline.arrows.arrows.list.map(a => [a.cause, a.from.tid, a.to.tid, a.at <= a.end])")
    main, thread, shell, sleep = b.ask("app.trace.threads.filter(t => t.rows.length).map(t => t.tid)")
    equal("arrows of forks", [a[1:3] for a in found if a[0] == "fork"], [[main, thread], [main, shell], [shell, sleep]])
    # vfork(2) waits for the child, too.
    equal("arrows from ends to waits", {tuple(a[1:3]) for a in found if a[0] == "child"}, {(sleep, shell), (shell, main)})
    check("an arrow of a pipe", ["pipe", thread, main, True] in found, found)
    check("arrows of forks are certain, those of --wakers are inferred", b.ask(
        "app.timeline.arrows.arrows.list.every(a => a.cause === 'fork' ? !a.inferred : a.inferred)"))
    check("no arrow ends before it begins", all(a[3] for a in found), found)
    b.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")
    pixels = ("(() => {const t = app.timeline, c = t.canvas, d = c.getContext('2d').getImageData(t.gutter, t.ruler, t.width, c.height - t.ruler).data, w = theme.colors.%s;"
              "const [r, g, b] = [1, 3, 5].map(i => parseInt(w.slice(i, i + 2), 16)); let n = 0;"
              "for (let i = 0; i < d.length; i += 4) n += d[i] === r && d[i + 1] === g && d[i + 2] === b; return n;})()")
    check("they are drawn", b.ask(pixels % "fork") > 20, b.ask(pixels % "fork"))
    b.click_on("#arrows")
    b.until(pixels % "fork" + " === 0")
    b.click_on("#arrows")
    equal("no path at first", b.ask(pixels % "path"), 0)
    b.click_on("#path")
    b.until(pixels % "path" + " > 300")
    picture(b, "arrows")
    sums = {}
    for row in map(json.loads, want.splitlines()):
        key = row["tid"], row["activity"]
        sums[key] = sums.get(key, 0) + float(row["total_time"]) * 1e9
    whole = sum(sums.values())
    got = {(s[0], s[1]): s[2] for s in b.ask("app.timeline.arrows.path.sums.map(s => [s.thread.tid, s.name, s.time])")}
    wrong = {k: (got.get(k), sums.get(k)) for k in {*got, *sums} if abs(got.get(k, 0) - sums.get(k, 0)) > whole / 100}
    check("the path is that of --critical-path", not wrong and abs(sum(got.values()) / whole - 1) < 0.01, wrong)
    wakers = b.ask("[app.timeline.arrows.path.wakers, app.timeline.arrows.path.inferred]")
    check("the path counts inferred wakers", wakers[0] == wakers[1] > 0, wakers)
    check("the table says how many wakers are inferred", f"{wakers[1]} of the {wakers[0]} wakers on the path were inferred" in b.ask("document.querySelector('#panel-call').innerText"))
    check("a table shows the path", "clock_nanosleep" in b.ask("document.querySelector('#panel-call').innerText"))
    b.click_on("#panel-call td button")
    check("a click zooms to its longest step", b.ask("app.timeline.to - app.timeline.from < (app.trace.to - app.trace.from) * 0.9"))
    b.until("location.hash.includes('path=1')")
    b.key("c")
    equal("c hides the path", b.ask("[app.timeline.arrows.path, document.querySelector('#path').getAttribute('aria-pressed')]"), [None, "false"])
    record = b.ask("app.timeline.arrows.arrows.list.find(a => a.cause === 'pipe').row")
    b.ask(f"app.pick({record})")
    b.until("[...document.querySelectorAll('#panel-call dt')].some(e => e.textContent === 'woken by')")
    check("the link says that the waker is inferred", "(pipe, inferred)" in b.ask("document.querySelector('#panel-call').innerText"))
    b.ask("[...document.querySelectorAll('#panel-call dt')].find(e => e.textContent === 'woken by').nextSibling.firstChild.focus()")
    b.key("Enter")
    equal("the link leads to the write", b.ask("[app.trace.names[app.trace.nameOf[app.selected]].text, app.trace.threadOf(app.selected).tid]"), ["write", thread])


def looks(b, page):
    b.prefer("dark")
    b.open(page)
    check("dark", b.ask("getComputedStyle(document.body).backgroundColor") == "rgb(27, 29, 31)")
    b.key("2")
    b.ask("app.pick(app.trace.order[5])")
    time.sleep(0.3)
    picture(b, "dark")
    b.prefer("light")
    check("light again", b.until("getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'"))
    size = b.ask("theme.size")
    b.click_on("#larger")
    check("larger text", b.ask("theme.size") > size and b.ask("parseFloat(getComputedStyle(document.body).fontSize)") > size)
    b.click_on("#smaller")
    b.resize(390, 780)
    b.until("!document.querySelector('#tab-calls').hidden")
    for tab in "calls", "call", "flame", "summary", "processes":
        b.click_on("#tab-" + tab)
        time.sleep(0.3)
        check(f"narrow: {tab}", b.ask(f"!document.querySelector('#panel-{tab}').hidden && document.documentElement.scrollWidth <= 390"))
        picture(b, "narrow-" + tab)
    b.resize(1280, 800)
    b.until("document.querySelector('#tab-calls').hidden")
    check("and wide again", b.ask("document.querySelector('#calls').parentNode.id === 'lower'"))


HOSTILE = """
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define HARM "</script><script>window.harmed=1</script><img src=x onerror=window.harmed=1>\\"'\\n\\033[2J\\xff\\xe2\\x80\\xae"

int main(int argc, char **argv)
{
	char *args[] = {argv[0], HARM, NULL};

	prctl(PR_SET_NAME, "</script>'\\"\\n\\xff");
	open("/no/" HARM, O_RDONLY);
	if (argc > 1)
		return 0;
	execv(argv[0], args);
	return 1;
}
"""


def hostile(b, folder):
    source, program, page = (os.path.join(folder, n) for n in ("hostile.c", "<img src=x onerror=harmed=1>", "hostile.html"))
    with open(source, "w", encoding="utf-8") as f:
        f.write(HOSTILE)
    subprocess.run([os.environ.get("CC", "cc").split()[-1], "-o", program, source], check=True)
    trace(page, [program], "-k", "-s", "200")
    b.open(page)
    for tab in "2", "3", "4", "5":
        b.key(tab)
        time.sleep(0.2)
    b.ask("app.pick([...app.trace.order].reverse().find(r => app.trace.names[app.trace.nameOf[r]].text === 'openat'))")
    b.until("document.querySelector('#panel-call .line')")
    x, y = bar(b, b.ask("app.selected"))
    b.mouse("mouseMoved", x, y)
    time.sleep(0.5)
    check("hostile: the name is shown", "</script>" in b.ask("document.querySelector('#panel-call .line').textContent"))
    check("hostile: nothing was run", b.ask("window.harmed") is None)
    check("hostile: no element was made", b.ask("document.querySelectorAll('img, #panel-call script, #list script, #tree script').length") == 0)
    check("hostile: what turns text around is shown as what it is", "\u202e" not in b.ask("document.body.innerText"))
    picture(b, "hostile")


def cut(b, folder, page):
    with open(page, "rb") as f:
        data = f.read()
    short = os.path.join(folder, "cut.html")
    with open(short, "wb") as f:
        f.write(data[:-300])
    b.open(short)
    check("a page that was cut off opens", b.ask("!document.querySelector('#warning').hidden"))
    with open(short, "wb") as f:
        f.write(data[:data.index(b'<script type="text/plain"') + 200])
    b.open(short)
    for key in "12345wsadf0mnpt":
        b.key(key)
    b.click_on("#timeline")
    equal("even without a single call", b.ask("app.trace.count"), 0)


def many(b, folder):
    page = os.path.join(folder, "many.html")
    trace(page, ["dd", "if=/dev/zero", "of=/dev/null", "bs=1", "count=500000"])
    size = os.path.getsize(page)
    seconds = b.open(page)
    n = b.ask("app.trace.count")
    print(f"# {n} rows in {size} bytes, {size / n:.1f} a row; opened in {seconds:.2f} s (goal: 3 s for 1,000,000)")
    took = b.ask("""(async () => {
        const frames = [];
        for (let i = 0; i < 60; i++) {
            const begun = performance.now();
            app.timeline.zoom(i < 30 ? 0.8 : 1.25);
            app.timeline.render();
            frames.push(performance.now() - begun);
            await new Promise(done => setTimeout(done));
        }
        frames.sort((a, b) => a - b);
        return [frames[30], frames[59]];
    })()""")
    print(f"# drawing the timeline: {took[0]:.1f} ms in the middle, {took[1]:.1f} ms at worst")
    begun = time.monotonic()
    filter_text(b, "write(1</dev/null>, \"\\0\", 1) = 1")
    print(f"# filtering by text: {time.monotonic() - begun:.2f} s")
    check("many: the filter finds them", abs(shown(b) - 500000) < 50, shown(b))
    b.key("Escape")
    b.until("app.calls.settled && app.calls.shown === app.trace.order")
    b.key("1")
    b.key("End")
    check("many: the last row can be seen", rows(b)[-1].startswith("+++ exited"), rows(b)[-1:])
    x, y = b.center("#list")
    top = b.ask("app.calls.list.top")
    b.mouse("mouseWheel", x, y, deltaX=0, deltaY=-44)
    b.until(f"app.calls.list.top < {top}")
    equal("many: the wheel goes by rows", b.ask("app.calls.list.top"), top - 44)
    picture(b, "many")


def main():
    path = browser.find()
    if not path:
        print("ok html # SKIP there is no Chromium (Debian: apt-get install chromium)\n0 passed, 0 failed, 1 skipped")
        return 0
    folder = tempfile.mkdtemp(prefix="tracer-html.")
    b = browser.Browser(path)
    try:
        page = os.path.join(folder, "page.html")
        trace(page, [sys.executable, "-S", "-c", SCRIPT], "-k")
        look(b, page)
        click_call(b)
        zoom(b)
        filters(b)
        list_keys(b)
        flame(b)
        summary(b)
        unnamed(b, folder)
        requests(b, folder)
        utf8(b, folder)
        b.open(page)
        processes(b)
        lanes(b, folder)
        arrows(b, folder)
        looks(b, page)
        state(b, page)
        cut(b, folder, page)
        hostile(b, folder)
        graph.graph(b, folder, TRACER, check, equal, picture)
        many(b, folder)
        equal("nothing was asked for but the pages", [r for r in b.requests if not r.startswith(("file://" + folder, "about:"))], [])
        equal("no errors in scripts", b.errors, [])
    except (TimeoutError, RuntimeError) as e:
        check("to the end", False, f"{e}; errors in scripts: {b.errors}")
    finally:
        b.close()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{total - failures} passed, {failures} failed, 0 skipped")
    return failures > 0


sys.exit(main())
