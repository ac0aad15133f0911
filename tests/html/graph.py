# SPDX-License-Identifier: LGPL-2.1-or-later
# The page of --format=flamegraph: its view is that of the flame graph of --format=html. The URL keeps its settings.
import os
import re
import subprocess

# A few calls that wait, and many that do not.
COMMAND = ["sh", "-c", "(sleep 0.05) & wait; ls -l /usr >/dev/null; /bin/true; :"]
# The same calls in both kinds of pages, with frames that have no names.
PROGRAM = """
#include <poll.h>
#include <unistd.h>
__attribute__((noinline)) static int three(void) { return getppid() + 1; }
__attribute__((noinline)) static int two(void) { return three() + 1; }
__attribute__((noinline)) static int one(void) { return two() + 1; }
int main(void) { poll(NULL, 0, 20); return one() == 0; }
"""
# For each node: the path of labels, the kind, the number of calls, and the facts of the tooltip.
NODES = """(() => {const g = %s, t = g.tree, labels = i => i ? [...labels(t.parent[i]), g.label(i)] : [];
    return t.name.map((n, i) => [labels(i).join("/"), g.kind(i), t.total[1][i], ...g.facts(i)].join(" | ")).sort();})()"""


def names(b):
    return b.ask("[...document.querySelectorAll('#flame .f')].map(e => e.getAttribute('aria-label').split(': ')[0])")


def calls(b):
    """Returns the number of calls of the root."""
    return b.ask("flame.tree.total[1][0]")


def drawn(b):
    b.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")


def address(b):
    return b.ask("location.hash")


def click_frame(b, name):
    x, y = b.ask(f"(() => {{const e = [...document.querySelectorAll('#flame .f')].find(e => e.getAttribute('aria-label').startsWith('{name}: '));"
                 "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2];})()")
    b.click(x, y)
    return x, y


def set_value(b, selector, value, event):
    b.ask(f"(() => {{const s = document.querySelector('{selector}'); s.value = '{value}'; s.dispatchEvent(new Event('{event}'));}})()")
    drawn(b)


def same(b, folder, tracer, check, equal, picture):
    """Both kinds of pages show the same graph of a trace."""
    source, program, record = (os.path.join(folder, n) for n in ("same.c", "same", "same.trace"))
    with open(source, "w", encoding="utf-8") as f:
        f.write(PROGRAM)
    subprocess.run([os.environ.get("CC", "cc").split()[-1], "-s", "-O0", "-o", program, source], check=True)
    subprocess.run([tracer, "-f", "-k", "--write-trace=" + record, "-o", os.devnull, program], check=False, stderr=subprocess.DEVNULL)
    got = {}
    for format, graph in ("html", "app.flame"), ("flamegraph", "flame"):
        page = os.path.join(folder, format + "-same.html")
        subprocess.run([tracer, "--read-trace=" + record, "-k", "--format=" + format, "-o", page], check=True, stderr=subprocess.DEVNULL)
        b.open(page)
        if format == "html":
            b.key("3")
        b.until(graph + ".tree")
        drawn(b)
        for state in "hidden", "shown", "inverted", "expanded":
            if state != "hidden":
                b.key({"shown": "h", "inverted": "v", "expanded": "e"}[state])
            drawn(b)
            got[format, state] = b.ask(NODES % graph)
        got[format, "legend"] = b.ask("document.querySelector('#flame-tools .kinds').textContent")
        picture(b, "same-" + format)
    for state in "hidden", "shown", "inverted", "expanded", "legend":
        # The file has one address for each frame: that of the first call, even if this call is hidden.
        a, z = (re.sub(" 0x[0-9a-f]+", "", "\n".join(got[f, state])).split("\n") if state == "hidden" else got[f, state] for f in ("flamegraph", "html"))
        check(f"graph: both pages show the same: {state}", a == z, [n for n in {*a, *z} if (n in a) != (n in z)])
    check("graph: frames without names are one box", any("4 frames in same" in n for n in got["flamegraph", "shown"]), got["flamegraph", "shown"])
    check("graph: a frame has a kind, a module and an address", any(" | application | " in n and "/same 0x" in n for n in got["flamegraph", "shown"]))


def graph(b, folder, tracer, check, equal, picture):
    page = os.path.join(folder, "graph.html")
    said = subprocess.run([tracer, "-f", "--format=flamegraph", "-o", page, *COMMAND], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=600, check=False, text=True).stderr
    check("graph: tracer says what it has written", said.endswith(": wrote " + page + "\n"), said)
    b.open(page)
    drawn(b)
    summed = "document.querySelector('#flame-sum').textContent"
    some = calls(b)
    check("graph: waiting calls are hidden at first", "wait4" not in names(b) and "waiting calls hidden: " in b.ask(summed), b.ask(summed))
    check("graph: an execve counts for who called it", b.ask("""flame.tree.name.every((n, i) => {
        while (flame.tree.depth[i] > 1)
            i = flame.tree.parent[i];
        return n !== 'execve' || flame.tree.name[i] === 'sh';
    })"""))
    b.click_on("#flame-hide")
    drawn(b)
    set_value(b, "#flame-weight", "0", "change")
    everything = calls(b)
    check("graph: a click shows them", "wait4" in names(b) and everything > some, names(b))
    equal("graph: the address says so", sorted(address(b)[1:].split("&")), ["waiting=shown", "weight=time"])
    picture(b, "graph")
    b.key("h")
    equal("graph: a key hides them", calls(b), some)

    widths = "[...document.querySelectorAll('#flame .f')].filter(e => flame.tree.depth[e.node] === 1).map(e => parseFloat(e.style.width))"
    b.click_on("#flame-largest")
    drawn(b)
    sizes = b.ask(widths.replace(".map(", ".sort((x, y) => parseFloat(x.style.left) - parseFloat(y.style.left)).map("))
    check("graph: largest first", len(sizes) > 2 and sizes == sorted(sizes, reverse=True) and "largest=1" in address(b), sizes)
    b.click_on("#flame-largest")

    b.click_on("#flame-invert")
    drawn(b)
    equal("graph: the inverted view has the same calls", calls(b), some)
    first = b.ask("flame.tree.children[0].map(i => flame.kind(i))")
    equal("graph: it begins with the calls", set(first), {"call"})
    check("graph: below them is who made them", "sh" in names(b) or "ls" in names(b))
    picture(b, "graph-inverted")
    b.key("v")
    equal("graph: a key turns it back", address(b), "#weight=time")

    drawn(b)
    x, y = click_frame(b, "ls")
    b.mouse("mouseMoved", x, y + 1)
    b.until("!document.querySelector('#tip').hidden")
    check("graph: a tooltip has the kind and the amounts", "thread" in b.ask("document.querySelector('#tip').innerText") and "calls" in b.ask("document.querySelector('#tip').innerText"))
    set_value(b, "#flame-search", "open", "input")
    equal("graph: the address has zoom, search and weight", sorted(address(b)[1:].split("&")), ["search=open", "weight=time", "zoom=ls"])
    shown = b.ask(summed)
    check("graph: the sum tells the zoom and the matches", "zoomed into ls (" in shown and ", found " in shown, shown)
    hits = b.ask("document.querySelectorAll('#flame .hit').length")
    check("graph: what was searched is marked", hits)
    b.key("n")
    check("graph: n goes to a match", b.ask("document.activeElement.classList.contains('hit')"))
    top = "parseFloat([...document.querySelectorAll('#flame .f')].find(e => e.node === 0).style.top)"
    equal("graph: the root is at the top", b.ask(top), 0)
    b.key("i")
    check("graph: i puts it at the bottom", b.ask(top) > 0 and "upwards=1" in address(b), address(b))
    link = b.ask("location.href")
    b.call("Page.navigate", url="about:blank")
    b.call("Page.navigate", url=link)
    b.until("document.documentElement?.dataset.ready === 'yes'")
    drawn(b)
    equal("graph: the link shows the same", b.ask(summed), shown)
    check("graph: its switches are as they were", b.ask("document.querySelector('#flame-hide').checked && !document.querySelector('#flame-invert').checked && document.querySelector('#flame-search').value === 'open' && flame.upwards"))
    picture(b, "graph-link")
    b.key("Escape")
    b.key("Escape")
    equal("graph: Escape clears the search, then the zoom", sorted(address(b)[1:].split("&")), ["upwards=1", "weight=time"])
    b.click_on("#keys")
    check("graph: the button lists the keys", "top-down or bottom-up" in b.ask("document.querySelector('#help').innerText"))
    b.key("Escape")
    check("graph: Escape closes the list", b.ask("document.querySelector('#help').hidden"))
    b.ask("void (location.hash = '#inverted=1&waiting=shown')")
    b.until("document.querySelector('#flame-invert').checked && !document.querySelector('#flame-hide').checked")
    equal("graph: another address in the same page is followed", calls(b), everything)
    b.ask("void (location.hash = '#zoom=no;such&weight=none&%zz')")
    b.until("!document.querySelector('#flame-invert').checked")
    equal("graph: a URL without choices shows all", calls(b), some)
    b.prefer("dark")
    check("graph: dark", b.until("getComputedStyle(document.body).backgroundColor === 'rgb(27, 29, 31)'"))
    drawn(b)
    picture(b, "graph-dark")
    b.prefer("light")
    b.resize(800, 600)
    drawn(b)
    picture(b, "graph-800")
    b.resize(1280, 800)
    same(b, folder, tracer, check, equal, picture)
