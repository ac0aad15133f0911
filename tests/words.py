#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Finds phrases in the project's English that readers have to read twice.

words.py            check the documents, the messages and the descriptions; count comments
words.py FILE...    check these files only
words.py --planted  check that each planted sentence is found, and that their better forms are not

Prints one line per finding; the status is 1 if there are any. See "Style" in CONTRIBUTING.md.
"""
import json
import os
import re
import subprocess
import sys

# Parts of sentences in which a phrase is right; at most 30.
ALLOWED = [
]

VERB = r"(is|are|was|were|has|have|had|does|do|did|can|cannot|could|may|must|will|would|needs?|stands?|comes?|follows?|" \
       r"begins?|lies|goes|waits?|reads?|makes?|differs?|remains?|ends?|leads?|knows?|takes?|wants?|puts?|holds?)"
PATTERNS = [(what, re.compile(pattern)) for what, pattern in [
    ("'is no X': write 'is not a X'", r"(?<!here )(?<!hich )\b(is|are|was|were) no (?!longer\b|more\b|less\b|way\b|need\b)\w"),
    ("'so many' for a number: name the number", r"\bso (many|much|long|often|few|late|large)\b(?! as\b)"),
    ("'tell', 'told' for report", r"\b([Tt]ells?|told) (of|on|about|by)\b|\b(is|are|was|were|be|been|being) told\b(?! to\b)"),
    ("'say' for report or contain", r"\b(says?|said) (of|about) (it|them|that|those|what|who|itself|themselves)\b|\bsays? what\b"),
    ("a clause as subject: name the thing", r"^(What|Who|Whoever|Whatever) %s\b" % VERB),
    ("a clause as a noun: name the thing", r"\bwhat (is|was|are|were) [^.,;:?()]{1,60} (is|are|was|were)\b"),
    ("a clause as a noun: name the thing", r"\b(of|by|from|than|behind|beside|with) (what|who|those who|whoever) %s\b" % VERB),
    ("'is to be done': write 'must be', 'will be' or 'should be'",
     r"\b(is|are|was|were) (not )?to be (?!able\b)\w+(ed|en|wn|ad|ld|ft|nt|pt|un|d)\b"),
    ("a bare factor: write a percentage", r"\b(takes?|took|costs?) 0\.\d+ of\b"),
    ("'stand' for appear or be", r"\bstands? (in|at|on|by|there|here|behind|before|below|above|beside)\b"),
    ("'behind' for after", r"\b(all )?behind (them|that|the (call|calls|line|lines|option|options|name|names|log|number|numbers|type)|‘)|\ball behind\b"),
    ("'let go' for detach", r"\blet(s|ting)? (go|\w+ go)\b"),
    ("a phrase that is not English", r"\b(in vain|made[- ]up|as one likes|brought together|for want of|the more so|not to be had|"
     r"to be had|up to then|from then on|who steps|begins? anew|likewise of|has gone by|have gone by|and nothing else|"
     r"may stand|other people's|(took|takes|ended|end) so\b)"),
]]
# In comments, also fragments: "NULL: stacks are walked." for "If NULL, stacks are walked."
FRAGMENT = re.compile(r"(^|[.;] )(NULL|-?\d+): [a-z]")

# Sentences that the patterns must find. --planted checks this.
PLANTED = [
    "Records are kept of what is no syscall.",
    "Show only calls that took so long.",
    "End after so many bytes.",
    "At the end it tells of descriptors that stayed open.",
    "Lost events are told on the standard error.",
    "What is read of the file is kept.",
    "Who reads the log has to wait.",
    "It knows what is mapped there is code.",
    "The text of what is shown is escaped.",
    "The entry is not to be used after that.",
    "A build takes 0.85 of strace's time.",
    "The name stands before the arguments, where it stands in the log.",
    "The table is printed behind the lines.",
    "Ctrl-C lets go of the process.",
    "Paths that only A has looked for, in vain.",
    "3+ is the third and all behind it.",
    "They differ only in numbers or made-up names.",
    "It shows only syscalls that ended so.",
    "It prints the stacks at the end, and nothing else.",
    "doc/languages.md says what is read.",
    "The library cannot be right if it is no file of ours.",
    "The header says of itself that it is complete, as it is told by the kernel.",
]
BETTER = [
    "Events that are not syscalls are kept.",
    "Show only calls that took at least TIME.",
    "End after SEEK_BYTES bytes.",
    "The final report lists descriptors that were left open.",
    "Lost events are reported on standard error.",
    "Data that was read from the file is kept, as long as it fits.",
    "The reader of the log has to wait.",
    "What leaks descriptors?",
    "It reports what each thread is doing.",
    "The text is escaped.",
    "Do not use the entry afterwards.",
    "A build takes 15% less time than under strace.",
    "There is no difference, and the option is no longer used.",
    "Print the summary table after the normal output.",
    "Ctrl-C detaches from the process.",
    "Paths only A looked for and did not find.",
    "The library reports an error if the file is not ours.",
    "The sink is told to stop.",
]


def sentences(text):
    """Splits text into sentences, without white space at their ends."""
    text = re.sub(r"\s+", " ", text).strip()
    return [s for s in re.split(r"(?<=[.?!;:])[)”\"']* (?=[A-Z0-9`“(*-])", text) if s]


def judge(text, comment=False):
    """Returns the reasons to rewrite a text, each with the phrase that was found."""
    found = []
    for s in sentences(re.sub(r"`[^`]*`", "x", text)):
        if s.endswith("?") or any(a in s for a in ALLOWED):
            continue
        for what, pattern in PATTERNS:
            m = pattern.search(s)
            if m:
                found.append((what, s[max(0, m.start() - 20):m.end() + 30]))
        if comment and FRAGMENT.search(s):
            found.append(("a fragment: write a sentence", s[:60]))
    return found


# -- the texts of a file, as pairs of line number and text ---------------------------------------

def of_document(text):
    """Yields paragraphs, list items and table cells of Markdown or plain text, without code."""
    start, words, code = 0, [], False
    for n, line in enumerate(text.split("\n") + [""], 1):
        if line.startswith("```"):
            code = not code
        plain = not (code or line.startswith(("    ", "\t", "|---", "<!--", "![")))
        item = re.match(r"\s*([-*]|\d+\.) ", line)
        if words and (not line.strip() or not plain or item or line.startswith(("#", "|"))):
            yield start, " ".join(words)
            words = []
        if plain and line.startswith("|"):
            yield from ((n, cell) for cell in line.strip("|").split("|"))
        elif plain and line.strip():
            start = start if words else n
            words.append(re.sub(r"^\s*(#+|[-*]|\d+\.) ", "", line).replace("**", ""))


def of_manual(text):
    start, words = 0, []
    for n, line in enumerate(text.split("\n") + [".Pp"], 1):
        macro = line.startswith(".") and not re.match(r"\.(Nm|Fl|Ar|Cm|Xr|Pa|Ev|Ql|Qq|Dv|Sx|Dq|Pq)\b", line)
        if macro:
            if words:
                yield start, " ".join(words)
            words = []
        else:
            start = start if words else n
            words.append(re.sub(r"^\.\w+ | Ns\b| (Fl|Ar|Cm|Op|Ql)\b", " ", line))


LITERAL = r'"(?:[^"\\\n]|\\.)*"'
LITERALS = re.compile(r"%s(?:\s*(?:%s|PRI\w+))*" % (LITERAL, LITERAL))


def without_comments(text):
    return re.sub(r'/\*.*?\*/|//[^\n]*|("(?:[^"\\\n]|\\.)*")', lambda m: m.group(1) or "\n" * m.group(0).count("\n"), text, flags=re.S)


def of_code(text):
    """Yields string literals of several words."""
    text = without_comments(text)
    for m in LITERALS.finditer(text):
        words = "".join(s[1:-1] for s in re.findall(LITERAL, m.group(0)))
        words = words.replace("\\n", "\n").replace('\\"', "'")
        for part in re.split(r"\n(?=\s*-|\n)|\s{3,}", words):
            if len(part.split()) > 2:
                yield text.count("\n", 0, m.start()) + 1, part


def of_comments(text):
    for m in re.finditer(r'/\*(.*?)\*/|"(?:[^"\\\n]|\\.)*"', text, flags=re.S):
        if m.group(1):
            yield text.count("\n", 0, m.start()) + 1, re.sub(r"\n\s*\*", "\n", m.group(1))


def of_schema(text):
    for m in re.finditer(r'"description": (%s)' % LITERAL, text):
        yield text.count("\n", 0, m.start()) + 1, json.loads(m.group(1))


def of_completions(text):
    for n, line in enumerate(text.split("\n"), 1):
        yield from ((n, words) for words in re.findall(r"-d '([^']*)'|(?<=[^[])\[([a-z][^\][]*)\]", line) for words in words if words)


def texts_of(name, text):
    """Yields all texts of a file that users read."""
    if name.endswith(".json"):
        return of_schema(text)
    if name.endswith(".1"):
        return of_manual(text)
    if name.endswith((".c", ".h", ".js")):
        return of_code(text)
    if name.startswith("completions/"):
        return of_completions(text)
    return of_document(text)


# -- which files are checked ----------------------------------------------------------------------

def files():
    """Lists all files of the project, also in a source archive, which has no git."""
    top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    os.chdir(top)
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return listed.stdout.split("\n")[:-1]
    return [os.path.relpath(os.path.join(d, f), ".") for d, _, names in os.walk(".") for f in names]


def is_user_facing(name):
    if name in ("README.md", "NEWS", "SECURITY", "CONTRIBUTING.md", "tracer.1"):
        return True
    if name.startswith(("doc/", "completions/")):
        return not name.endswith((".png", ".svg"))
    # The text of decoding is strace's. Tables and tests are not read by users.
    return name.endswith((".c", ".h", ".js")) and not name.startswith(
        ("decode/", "linux/", "tests/", "bench/", "examples/", "build"))


def planted():
    bad = 0
    for s in PLANTED:
        if not judge(s):
            print("tests/words.py: a planted sentence is not found: " + s)
            bad += 1
    for s in BETTER:
        for what, phrase in judge(s):
            print("tests/words.py: a better sentence is found: %s (%s)" % (s, what))
            bad += 1
    if len(ALLOWED) > 30:
        print("tests/words.py: more than 30 exceptions")
        bad += 1
    return bad


def main():
    if sys.argv[1:] == ["--planted"]:
        return planted()
    bad = planted()
    for name in sys.argv[1:] or files():
        mine = bool(sys.argv[1:]) or is_user_facing(name)
        code = name.endswith((".c", ".h")) and not name.startswith("tests/")
        if not mine and not code:
            continue
        with open(name, encoding="utf-8", errors="replace") as f:
            text = f.read()
        for line, words in texts_of(name, text) if mine else ():
            for what, phrase in judge(words):
                print("%s:%d: %s: %s" % (name, line, what, phrase))
                bad += 1
        for line, words in of_comments(text) if code and not sys.argv[1:] else ():
            for what, phrase in judge(words, True):
                print("%s:%d: %s: %s" % (name, line, what, phrase))
                bad += 1
    return bad


sys.exit(bool(main()))
