# SPDX-License-Identifier: LGPL-2.1-or-later
# A program that records its own stack. At each marked call, it writes the stack to a descriptor
# that is not open.
import asyncio
import functools
import os
import signal
import sys
import threading
import time

# If this variable is set, the program sleeps for this number of microseconds after each marked call.
SLEEP = int(os.environ.get("TRUTH_SLEEP", 0)) / 1e6


def mark(label):
    frames = []
    f = sys._getframe(1)
    while f:
        name = getattr(f.f_code, "co_qualname", f.f_code.co_name)
        frames.append("%s(%s:%d)" % (f.f_code.co_filename, name, f.f_lineno))
        f = f.f_back
    try:
        os.write(99, ("\n".join([label, *frames])).encode())
    except OSError:
        pass
    if SLEEP:
        time.sleep(SLEEP)


class Store:
    def load(self, depth):
        if depth:
            return self.load(depth - 1)
        mark("recursion")

    @staticmethod
    def still(x):
        mark("static")
        return x

    @property
    def value(self):
        mark("property")

    def __enter__(self):
        mark("enter")

    def __exit__(self, *what):
        mark("exit")

    def __del__(self):
        mark("del")


def numbers(n):
    for i in range(n):
        mark("generator")
        yield i


def delegating():
    yield from numbers(1)


async def inner():
    mark("coroutine")
    await asyncio.sleep(0)
    mark("coroutine again")


async def outer():
    await inner()
    tasks = [asyncio.create_task(inner()) for _ in range(2)]
    # Do not wait for the tasks with await: tasks.py tests that.
    while not all(t.done() for t in tasks):
        await asyncio.sleep(0)


def several_lines():
    return [
        Store.still(1),
        mark("list"),
        mark(
            "arguments"
        ),
    ]


def failing():
    try:
        raise ValueError
    except ValueError:
        mark("except")
    finally:
        mark("finally")


def größe_名():
    mark("unicode")


def decorated(f):
    @functools.wraps(f)
    def wrapper(*args):
        return f(*args)
    return wrapper


@decorated
def decorated_function():
    mark("decorated")


def redefine():
    # Code objects are freed, and new ones often get the same address.
    for i in range(40):
        space = {"mark": mark}
        text = "\n" * (i % 7) + "def f%d():\n%s    mark('redefined')\nf%d()\n" % (i % 3, "    pass\n" * (i % 5), i % 3)
        exec(compile(text, "/generated/%d.py" % (i % 4), "exec"), space)
        del space


def same_size():
    # Each function has the same name, file, first line and size, but makes the call in a different
    # line.
    for i in range(30):
        before, after = i % 6, 5 - i % 6
        text = "def same():\n" + "    x = 1\n" * before + "    mark('same size')\n" + "    x = 1\n" * after + "same()\n"
        exec(compile(text, "/generated/same.py", "exec"), {"mark": mark})


def deep(n):
    if n:
        deep(n - 1)
    else:
        mark("deep")


def main():
    store = Store()
    store.load(5)
    store.value
    with store:
        pass
    del store
    list(delegating())
    asyncio.run(outer())
    several_lines()
    failing()
    größe_名()
    decorated_function()
    sorted([1, 2], key=lambda v: Store.still(v))
    list(map(functools.partial(Store.still), [1]))
    max([3, 4], key=Store.still)
    [mark("comprehension") for _ in range(2)]
    {k: mark("dictionary") for k in range(1)}
    any(mark("expression") for _ in range(1))
    redefine()
    same_size()
    deep(120)
    threads = [threading.Thread(target=deep, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    signal.signal(signal.SIGUSR1, lambda *_: mark("signal"))
    os.kill(os.getpid(), signal.SIGUSR1)
    if os.fork() == 0:
        Store.still(1)
        os._exit(0)
    os.wait()
    try:
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            import _interpreters as interpreters
        i = interpreters.create()
        with open(__file__) as f:
            source = f.read()
        source = source[source.index("import sys"):source.index("class Store")].replace(
            "import sys", "import os, sys").replace("import threading", "")
        # The inner interpreter cannot see the frames of the outer one, which are below its own.
        source = source.replace("    try:\n", "    frames += outside\n    try:\n")
        f, outside = sys._getframe(), []
        while f:
            outside.append("%s(%s:%d)" % (f.f_code.co_filename, getattr(f.f_code, "co_qualname", f.f_code.co_name), f.f_lineno))
            f = f.f_back
        outside[0] = outside[0].rsplit(":", 1)[0] + ":%d)" % (sys._getframe().f_lineno + 2)
        text = source + "\noutside = %r\ndef within():\n    mark('interpreter')\nwithin()\n" % outside
        interpreters.run_string(i, text)
    except ImportError:
        pass


class Body:
    mark("class body")


main()
