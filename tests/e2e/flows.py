# SPDX-License-Identifier: LGPL-2.1-or-later
# flows.py FILE: checks the flow events of --format=chrome as Perfetto does. Each id has one start and
# one end, the start is not later than the end, and both are inside a slice of their thread. Prints the
# number of flows, or what is wrong.
import collections
import json
import sys

events = json.load(open(sys.argv[1]))
flows, slices, begun = (collections.defaultdict(list) for _ in range(3))
for e in events:
    thread = e.get("pid"), e.get("tid")
    if e["ph"] in "stf":
        flows[e["id"]].append(e)
    elif e["ph"] == "B":
        begun[thread].append(e["ts"])
    elif e["ph"] == "E":
        slices[thread].append((begun[thread].pop(), e["ts"]))
    elif e["ph"] == "X":
        slices[thread].append((e["ts"], e["ts"] + e["dur"]))

bad = [f"thread {t[1]}: {len(b)} slices do not end" for t, b in begun.items() if b]
for number, ends in flows.items():
    if sorted(e["ph"] for e in ends) != ["f", "s"]:
        bad.append(f"flow {number}: not one start and one end")
        continue
    end, start = sorted(ends, key=lambda e: e["ph"])
    if start["ts"] > end["ts"]:
        bad.append(f"flow {number}: ends before it starts")
    for e in ends:
        if not any(a <= e["ts"] <= b for a, b in slices[e["pid"], e["tid"]]):
            bad.append(f"flow {number}: {e['ph']} of thread {e['tid']} is outside of a slice")
print("\n".join(bad[:10]) if bad else f"{len(flows)} flows")
