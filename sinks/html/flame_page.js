// SPDX-License-Identifier: LGPL-2.1-or-later
// The flame graph of the calls in the list that are in the time range.

class PageFlame extends Flame {
	constructor(app) {
		super($("panel-flame"), "time");
		this.app = app;
		this.trace = app.trace;
	}

	gather(tree) {
		const {trace} = this, range = this.app.range(), sums = tree.total, places = new Map(), threads = new Map();
		// Adds a stack of the trace below the node of its thread. Returns its place (see FlameTree.below).
		const place = (node, who) => {
			const path = [], name = trace.who[who].name || "?";
			let at;
			for (; node && !at; node = trace.nodes[2 * node]) {
				at = places.get(node * trace.who.length + who);
				if (!at)
					path.push(node);
			}
			at = at || {at: tree.child(0, name, ROLE.THREAD), run: 1};
			while (path.length) {
				const n = path.pop();
				at = tree.below(at, trace.frame(trace.nodes[2 * n + 1]));
				places.set(n * trace.who.length + who, at);
			}
			return at;
		};
		// Threads with the same name share a node.
		const ids = trace.who.map((w, i) => {
			if (!threads.has(w.name))
				threads.set(w.name, i);
			return threads.get(w.name);
		});
		const leaves = this.leaves = new Map();
		this.keyOf = r => (trace.node[r] * trace.names.length + trace.nameOf[r]) * ids.length + ids[trace.whoOf[r]];
		for (const r of this.app.calls.base) {
			if (trace.kind[r] > KIND.UNFINISHED)
				continue;
			const begin = Math.max(range[0], trace.start[r]), end = Math.min(range[1], trace.start[r] + trace.duration[r]);
			if (end < begin)
				continue;
			const name = trace.names[trace.nameOf[r]].text;
			if (this.hide.checked && WAITS.has(name)) {
				[end - begin, 1, trace.kind[r] === KIND.FAILED, trace.bytes[r]].forEach((n, w) => this.hidden[w] += +n);
				continue;
			}
			const key = this.keyOf(r);
			let leaf = leaves.get(key);
			if (leaf === undefined)
				leaves.set(key, leaf = tree.call(place(trace.node[r], ids[trace.whoOf[r]]), name));
			sums[0][leaf] += end - begin;
			sums[1][leaf]++;
			sums[2][leaf] += trace.kind[r] === KIND.FAILED;
			sums[3][leaf] += trace.bytes[r];
		}
	}

	scope() {
		const {app} = this, [from, to] = app.range();
		return `${app.timeline.span ? "Selected" : "Visible"} range, ${span(to - from)}: `;
	}

	changed() {
		this.app.address.write();
	}

	// Limits the list to the calls of the frame that fills the graph.
	zoomed() {
		const {root, tree, leaves, keyOf} = this, under = new Map();
		const isUnder = leaf => {
			let k = leaf;
			while (k > root)
				k = tree.parent[k];
			return k === root;
		};
		if (root)
			for (const [key, leaf] of leaves)
				under.set(key, isUnder(this.deepest ? this.deepest.get(leaf) : leaf));
		this.app.calls.showFrame(root ? this.label(root) : "", r => this.trace.isCall(r) && under.get(keyOf(r)));
	}
}
