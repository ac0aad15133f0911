# SPDX-License-Identifier: LGPL-2.1-or-later
# A program for Python 3.14 and newer whose asyncio tasks wait for each other. At each marked call,
# it writes its own stack, with the coroutines of the tasks that wait for the running task, to a
# descriptor that is not open.
import asyncio
import contextvars
import gc
import inspect
import os
import sys
import threading
import time

SLEEP = int(os.environ.get("TRUTH_SLEEP", 0)) / 1e6  # as in truth.py
FOLLOW_MAX = 64  # as in stack/lang/python_asyncio.c


def describe(frame):
    return "%s(%s:%d)" % (frame.f_code.co_filename, frame.f_code.co_qualname, frame.f_lineno)


def suspended(coro):
    """Returns the frames of a coroutine and of those for which it waits, innermost first."""
    frames = []
    while coro is not None:
        if inspect.iscoroutine(coro):
            frames.append(coro.cr_frame)
            coro = coro.cr_await
        elif inspect.isasyncgen(coro):
            frames.append(coro.ag_frame)
            coro = coro.ag_await
        elif inspect.isgenerator(coro):
            frames.append(coro.gi_frame)
            coro = coro.gi_yieldfrom
        elif type(coro).__name__ == "async_generator_asend":
            coro = next(o for o in gc.get_referents(coro) if inspect.isasyncgen(o))
        else:
            break
    return frames[::-1]


def waiting(graph):
    """Returns the frames of the tasks that wait for a task."""
    lines = []
    for _ in range(FOLLOW_MAX):
        if len(graph.awaited_by) != 1:
            break
        graph = graph.awaited_by[0]
        if not isinstance(graph.future, asyncio.Task):
            continue
        lines.append("(awaited by task %s)" % graph.future.get_name()[:128])
        frames = suspended(graph.future.get_coro())
        # asyncio itself knows the coroutines, but not the generators.
        coroutines = [entry.frame for entry in graph.call_stack]
        assert frames[-len(coroutines):] == coroutines, (frames, coroutines)
        lines += map(describe, frames)
    if len(graph.awaited_by) > 1:
        lines.append("(awaited by %d tasks)" % len(graph.awaited_by))
    elif graph.awaited_by:
        lines.append("(awaited by more tasks)")
    return lines


def mark(label):
    try:
        task = asyncio.current_task()
    except RuntimeError:
        task = None
    outermost = task and task.get_coro()
    lines, f = [], sys._getframe(1)
    while f:
        lines.append(describe(f))
        if outermost and f.f_generator is outermost:
            lines += waiting(asyncio.capture_call_graph())
        f = f.f_back
    try:
        os.write(99, "\n".join([label, *lines]).encode())
    except OSError:
        pass
    if SLEEP:
        time.sleep(SLEEP)


async def leaf(label):
    mark(label)
    await asyncio.sleep(0)
    mark(label + " again")


async def middle(label):
    await leaf(label)


async def in_task(label, depth=0, name=None):
    if depth:
        await asyncio.create_task(in_task(label, depth - 1, name), name=name and name + str(depth))
    else:
        await middle(label)


async def gather(label):
    await asyncio.gather(middle(label), leaf(label), asyncio.gather(leaf(label + " inner"), leaf(label)))


async def group(label):
    async with asyncio.TaskGroup() as outer:
        outer.create_task(middle(label), name="first of group")
        outer.create_task(gather(label + ", gather"))


async def shared(label):
    """One task is awaited by two others. Then one of these is cancelled."""
    event = asyncio.Event()

    async def work():
        await event.wait()
        mark(label)
        await asyncio.sleep(0)
        mark(label + " after cancellation")

    async def wait_for(task):
        await asyncio.shield(task)

    async def wait_directly(task):
        await task

    for waiter in wait_directly, wait_for:
        event.clear()
        task = asyncio.create_task(work())
        waiters = [asyncio.create_task(waiter(task)) for _ in range(2)]
        await asyncio.sleep(0)
        event.set()
        await asyncio.sleep(0)
        if waiter is wait_for:
            waiters[0].cancel()
        await asyncio.wait(waiters)


async def numbers(label):
    await middle(label)
    yield 1


class Awaitable:
    def __init__(self, task):
        self.task = task

    def __await__(self):
        return (yield from self.task)


async def generators(label):
    async for _ in numbers(label):
        pass

    async def over_generator():
        async for _ in numbers_of_task():
            pass

    async def numbers_of_task():
        await Awaitable(asyncio.create_task(middle(label + ", task")))
        yield 2

    await asyncio.create_task(over_generator())


async def eager(label):
    loop = asyncio.get_running_loop()
    loop.set_task_factory(asyncio.eager_task_factory)
    await asyncio.gather(middle(label), in_task(label, 2))
    async with asyncio.TaskGroup() as group:
        group.create_task(gather(label))
    loop.set_task_factory(None)


async def timeouts(label):
    await asyncio.wait_for(middle(label), 60)
    async with asyncio.timeout(60):
        await asyncio.wait([asyncio.create_task(middle(label))])
    for done in asyncio.as_completed([middle(label)]):
        await done


async def names(label):
    for name in "größe", "名前", "𝐀 a\u1234", "(x) [python] y", "a\tb", " [python task] ", "n" * 300, "ü" * 127 + "名" * 10:
        await in_task(label, 2, name)
    await asyncio.create_task(in_task(label, 1), name="")
    # Strings get the same addresses, and other contents.
    for i in range(30):
        await asyncio.create_task(in_task(label, 1), name="same%d" % (i % 10))


async def callbacks(label):
    # A callback runs outside tasks.
    done = asyncio.get_running_loop().create_future()

    def called():
        mark(label)
        done.set_result(None)

    asyncio.get_running_loop().call_soon(called, context=contextvars.copy_context())
    await done


async def main(label="main"):
    mark(label)
    for f in in_task, gather, group, shared, generators, eager, timeouts, names, callbacks:
        await f(f.__name__)
        await asyncio.create_task(f(f.__name__ + " in task"))
    for depth in 1, 5, 60, 70:
        await in_task("depth", depth)


def run(label):
    async def both():
        await asyncio.gather(main(label), gather(label))
    asyncio.run(both())


threads = [threading.Thread(target=run, args=("thread %d" % i,)) for i in range(4)]
asyncio.run(main())
for t in threads:
    t.start()
for t in threads:
    t.join()
mark("no loop")
