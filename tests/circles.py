#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/circles.py FILE...: the circles among C files that include each other.

A .c file and the .h file beside it with the same name count as one file. Each circle is one line:
the files that need each other. What two files need of each other belongs in a third, lower one.
"""
import os
import re
import sys

INCLUDE = re.compile(r'^#[ \t]*include[ \t]+"([^"]+)"', re.M)


def stem(path):
    return re.sub(r'\.[ch]$', '', path)


def includes(files):
    """A map of each file's stem to the stems that it includes."""
    known = {stem(f) for f in files}
    graph = {s: set() for s in known}
    for f in files:
        with open(f, encoding='utf-8', errors='replace') as text:
            for name in INCLUDE.findall(text.read()):
                if stem(name) in known and stem(name) != stem(f):
                    graph[stem(f)].add(stem(name))
    return graph


def circles(graph):
    """The strongly connected components of more than one node (Tarjan's algorithm)."""
    index, low, path, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        path.append(node)
        for other in sorted(graph[node]):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in path:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = path[path.index(node):]
            del path[path.index(node):]
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def main():
    files = [f for f in sys.argv[1:] if os.path.isfile(f)]
    for circle in circles(includes(files)):
        print(f'{circle[0]}: needs and is needed by {", ".join(circle[1:])}')


main()
