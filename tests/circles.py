#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tests/circles.py FILE...: the circles among C files that need each other.

A file needs another file if it includes that file, or if it names a function that the other file defines. A
.c file and the .h file of the same name in the same folder count as one file. Prints one line per circle:
the files that need each other. Move the code that two files need from each other to a third, lower-level file.
"""
import os
import re
import sys

INCLUDE = re.compile(r'^#[ \t]*include[ \t]+"([^"]+)"', re.M)
SKIPPED = re.compile(r'/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'', re.S)
# A definition has its type at the start of a line, and its brace at the start of the next one.
FUNCTION = re.compile(r'^(static\b)?[A-Za-z_ ][\w \t*]*?\b(\w+)\([^;{}]*\)\n\{', re.M)
# A name that is not a member or a tag.
NAME = re.compile(r'(?<![.>\w])(?<!struct )(?<!enum )(?<!union )[A-Za-z_]\w*')


def stem(path):
    return re.sub(r'\.[ch]$', '', path)


def read(path):
    with open(path, encoding='utf-8', errors='replace') as text:
        return text.read()


def includes(files):
    """Maps the stem of each file to the stems of the files that it includes."""
    graph = {stem(f): set() for f in files}
    for f in files:
        graph[stem(f)] |= {stem(name) for name in INCLUDE.findall(read(f))} & graph.keys()
        graph[stem(f)].discard(stem(f))
    return graph


def calls(files):
    """Maps the stem of each .c file to the stems of the files whose functions it names."""
    code = {stem(f): SKIPPED.sub(' ', read(f)) for f in files if f.endswith('.c')}
    owner, private = {}, {s: set() for s in code}
    for s, text in code.items():
        for static, name in FUNCTION.findall(text):
            if static:
                private[s].add(name)
            else:
                owner[name] = s
    return {s: {owner[name] for name in set(NAME.findall(text)) & owner.keys() - private[s]} - {s}
            for s, text in code.items()}


def circles(graph):
    """Finds the strongly connected components of more than one node (Tarjan's algorithm)."""
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
    found = circles(includes(files))
    found += [circle for circle in circles(calls(files)) if circle not in found]
    for circle in found:
        print(f'{circle[0]}: needs and is needed by {", ".join(circle[1:])}')


main()
