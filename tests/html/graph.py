# SPDX-License-Identifier: LGPL-2.1-or-later
# The page of --format=flamegraph: waiting calls can be hidden, the view can be inverted, and the
# URL keeps these choices.
import os
import subprocess

# A few calls that wait, and many that do not.
COMMAND = ["sh", "-c", "(sleep 0.05) & wait; ls -l /usr >/dev/null; /bin/true; :"]


def names(b):
    return b.ask("[...document.querySelectorAll('#graph .f')].map(e => e.getAttribute('aria-label').split(': ')[0])")


def calls(b):
    """Returns the number of calls that the page shows for the root."""
    return int(b.ask("document.querySelector('#sum').textContent").split(" ")[0].replace(",", ""))


def address(b):
    return b.ask("location.hash")


def click_frame(b, name):
    x, y = b.ask(f"(() => {{const e = [...document.querySelectorAll('#graph .f')].find(e => e.getAttribute('aria-label').startsWith('{name}: '));"
                 "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2];})()")
    b.click(x, y)


def graph(b, folder, tracer, check, equal, picture):
    page = os.path.join(folder, "graph.html")
    said = subprocess.run([tracer, "-f", "--format=flamegraph", "-o", page, *COMMAND], stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=600, check=False, text=True).stderr
    check("graph: tracer says what it has written", said.endswith(": written " + page + "\n"), said)
    b.open(page)
    everything = calls(b)
    waiting = [n for n in names(b) if n in ("wait4", "clock_nanosleep")]
    check("graph: calls that wait are in it", waiting)
    check("graph: an execve counts for who called it", b.ask(
        "(() => {const d = JSON.parse(document.querySelector('#data').textContent), s = 2 + d.weights.length, of = new Set();"
        "for (let i = 0; i < d.nodes.length; i += s) if (d.names[d.nodes[i + 1]] === 'execve') {let k = i / s;"
        "while (d.nodes[k * s]) k = d.nodes[k * s]; of.add(d.names[d.nodes[k * s + 1]]);} return [...of].join();})()") == "sh")
    picture(b, "graph")

    b.click_on("#hide")
    check("graph: hidden calls are gone", not [n for n in names(b) if n in waiting] and calls(b) < everything, calls(b))
    equal("graph: the address says so", address(b), "#hide")
    check("graph: and so does the page", "waiting calls hidden" in b.ask("document.querySelector('#sum').textContent"))
    picture(b, "graph-hidden")
    some = calls(b)

    b.click_on("#invert")
    equal("graph: the inverted view has the same calls", calls(b), some)
    first = b.ask("[...document.querySelectorAll('#graph .f[aria-level=\"2\"]')].map(e => e.textContent).filter(t => t)")
    check("graph: it begins with the calls", first and all(n.replace("_", "").isalnum() and n not in ("sh", "ls") for n in first), first)
    check("graph: below them is who made them", "sh" in names(b) or "ls" in names(b))
    picture(b, "graph-inverted")
    b.key("v")
    equal("graph: a key turns it back", address(b), "#hide")

    click_frame(b, "ls")
    b.ask("(() => {const s = document.querySelector('#search'); s.value = 'open'; s.dispatchEvent(new Event('input'));})()")
    b.ask("(() => {const s = document.querySelector('#weight'); s.value = '1'; s.dispatchEvent(new Event('change'));})()")
    check("graph: the address has zoom, search and weight", sorted(address(b)[1:].split("&")) == ["hide", "search=open", "weight=time", "zoom=ls"], address(b))
    shown = b.ask("document.querySelector('#sum').textContent + document.querySelector('#found').textContent")
    check("graph: what was searched is marked", b.ask("document.querySelectorAll('#graph .hit').length"))
    link = b.ask("location.href")
    b.call("Page.navigate", url="about:blank")
    b.call("Page.navigate", url=link)
    b.until("document.documentElement?.dataset.ready === 'yes'")
    equal("graph: the link shows the same", b.ask("document.querySelector('#sum').textContent + document.querySelector('#found').textContent"), shown)
    check("graph: its switches are as they were", b.ask("document.querySelector('#hide').checked && !document.querySelector('#invert').checked && document.querySelector('#search').value === 'open'"))
    picture(b, "graph-link")
    b.ask("void (location.hash = '#inverted')")
    b.until("document.querySelector('#invert').checked && !document.querySelector('#hide').checked")
    equal("graph: another address in the same page is followed", calls(b), everything)
    b.ask("void (location.hash = '#zoom=no;such&weight=none&%zz')")
    b.until("!document.querySelector('#invert').checked")
    equal("graph: a URL without choices shows all", calls(b), everything)
