// SPDX-License-Identifier: LGPL-2.1-or-later
// The flame graph of the calls in the list that are in the time range. Below the root at the top are the names of
// threads, then frames from the outermost one on, then calls. The inverted graph has calls first, then their callers.

const WEIGHTS = ["time", "calls", "errors", "bytes"];
const FRAME_KINDS = {call: "kernel call", libc: "libc", library: "library", app: "application", language: "language", thread: "thread", unknown: "unknown"};

// Returns the key in FRAME_KINDS of a frame of a stack.
function kindOf({module, language}) {
	const file = baseName(module);
	return language ? "language" : !file ? "unknown" : /^(libc|libpthread|libm|libdl|librt|ld-linux.*|ld-musl.*)[-.]/.test(file) ? "libc" :
		file.startsWith("[") || /\.so(\.|$)/.test(file) ? "library" : "app";
}

class Flame {
	constructor(app) {
		this.app = app;
		this.trace = app.trace;
		this.root = 0;
		this.focus = 0;
		this.build();
		this.draw = later(() => this.render());
		new ResizeObserver(() => this.tree && this.draw()).observe($("panel-flame"));
	}

	build() {
		const panel = $("panel-flame"), tools = make("div"), select = make("select");
		tools.id = "flame-tools";
		select.setAttribute("aria-label", "Weight");
		WEIGHTS.forEach((w, i) => select.add(new Option(w, i)));
		select.onchange = () => {
			this.weight = +select.value;
			this.draw();
		};
		this.weight = 0;
		this.up = make("button", "", "Up");
		this.up.title = "Backspace";
		this.up.onclick = () => this.zoom(this.tree.parent[this.root]);
		this.sum = make("span", "soft");
		this.search = make("input");
		this.search.id = "flame-search";
		this.search.type = "search";
		this.search.placeholder = "search frames";
		this.search.setAttribute("aria-label", "Search frames");
		this.search.oninput = () => this.draw();
		this.legend = make("span", "kinds");
		for (const [kind, text] of Object.entries(FRAME_KINDS)) {
			const item = make("span"), dot = make("span", "dot kind-" + kind);
			item.append(dot, text);
			this.legend.append(item);
		}
		this.hide = this.option("flame-hide", "hide waiting calls", "wait4, futex, poll and other calls that wait (h)", () => this.update());
		this.invert = this.option("flame-invert", "inverted", "start with the calls and show their callers (v)", () => this.update());
		this.hide.checked = true;
		this.expand = this.option("flame-expand", "expand unnamed frames", "successive frames of a module without names are one box otherwise (e)", () => this.update());
		tools.append(select, this.up, this.hide.parentNode, this.invert.parentNode, this.expand.parentNode, this.search, this.legend, this.sum);
		this.box = make("div");
		this.box.id = "flame";
		this.box.setAttribute("role", "tree");
		this.box.setAttribute("aria-label", "Flame graph");
		this.status = make("div");
		this.status.id = "flame-status";
		this.status.setAttribute("aria-live", "polite");
		panel.append(tools, this.box, this.status);
		this.box.onclick = e => e.target.node !== undefined && this.zoom(e.target.node);
		this.box.addEventListener("focusin", e => e.target.node !== undefined && this.describe(e.target.node));
		this.box.addEventListener("mousemove", e => {
			if (e.target.node !== undefined)
				tip.show(e.clientX, e.clientY, this.label(e.target.node), [...this.facts(e.target.node), this.amounts(e.target.node)]);
			else
				tip.hide();
		});
		this.box.addEventListener("mouseleave", () => tip.hide());
		this.box.addEventListener("keydown", e => this.key(e));
	}

	option(id, text, title, changed) {
		const label = make("label"), box = make("input");
		box.id = id;
		box.type = "checkbox";
		box.onchange = changed;
		label.title = title;
		label.append(box, " " + text);
		return box;
	}

	// Returns a tree that consists of a root, and a function that finds or adds a child of a node by name.
	newTree() {
		// `frame` is the first frame of a node, or null. `least` and `most` are the lengths of its runs of unnamed frames.
		const tree = {parent: [0], name: ["all"], leaf: [false], depth: [0], total: WEIGHTS.map(() => [0]), children: [[]],
			frame: [null], least: [1], most: [1]};
		const known = new Map();
		const child = (parent, name, leaf, frame = null) => {
			const key = parent + (leaf ? "(" : " ") + name;
			let i = known.get(key);
			if (i === undefined) {
				i = tree.parent.length;
				known.set(key, i);
				tree.parent.push(parent);
				tree.name.push(name);
				tree.leaf.push(leaf);
				tree.frame.push(frame);
				tree.least.push(Infinity);
				tree.most.push(1);
				tree.depth.push(tree.depth[parent] + 1);
				tree.children.push([]);
				tree.children[parent].push(i);
				tree.total.forEach(s => s.push(0));
			}
			return i;
		};
		return {tree, child};
	}

	// Rebuilds the tree. Frames with the same name share a node, whatever their address. Successive frames without a name
	// of one module share a node, too.
	update() {
		const {trace} = this, {tree, child} = this.newTree(), ofNode = new Map(), sums = tree.total, runs = new Map();
		const path = this.tree ? this.path(this.root) : [];
		const ended = (at, run) => {
			tree.least[at] = Math.min(tree.least[at], run);
			tree.most[at] = Math.max(tree.most[at], run);
		};
		// Returns the tree's node for a stack of the trace, below `base`.
		const place = (node, base, who) => {
			const path = [], keyOf = n => n * trace.who.length + who;
			let at = base, run = 1;
			for (; node; node = trace.nodes[2 * node]) {
				const have = ofNode.get(keyOf(node));
				if (have !== undefined) {
					at = have;
					run = runs.get(keyOf(node)) || 1;
					break;
				}
				path.push(node);
			}
			while (path.length) {
				const n = path.pop(), frame = trace.frame(trace.nodes[2 * n + 1]), name = frameName(frame);
				if (!frame.symbol && at !== base && tree.name[at] === name && !this.expand.checked) {
					runs.set(keyOf(n), ++run);
				} else {
					ended(at, run);
					at = child(at, name, false, frame);
					run = 1;
				}
				ofNode.set(keyOf(n), at);
			}
			ended(at, run);
			return at;
		};
		const whoIds = new Map(), idOf = trace.who.map(w => {
			if (!whoIds.has(w.name))
				whoIds.set(w.name, whoIds.size);
			return whoIds.get(w.name);
		});
		const leaves = this.leaves = new Map(), range = this.app.range();
		this.keyOf = r => (trace.node[r] * trace.names.length + trace.nameOf[r]) * idOf.length + idOf[trace.whoOf[r]];
		this.hidden = WEIGHTS.map(() => 0);
		for (const r of this.app.calls.base) {
			if (trace.kind[r] > KIND.UNFINISHED)
				continue;
			const begin = Math.max(range[0], trace.start[r]), end = Math.min(range[1], trace.start[r] + trace.duration[r]);
			if (end < begin)
				continue;
			if (this.hide.checked && WAITS.has(trace.names[trace.nameOf[r]].text)) {
				[end - begin, 1, trace.kind[r] === KIND.FAILED, trace.bytes[r]].forEach((n, w) => this.hidden[w] += +n);
				continue;
			}
			const who = idOf[trace.whoOf[r]], key = this.keyOf(r);
			let leaf = leaves.get(key);
			if (leaf === undefined) {
				leaf = child(place(trace.node[r], child(0, trace.who[trace.whoOf[r]].name || "?", false), who), trace.names[trace.nameOf[r]].text, true);
				leaves.set(key, leaf);
			}
			sums[0][leaf] += end - begin;
			sums[1][leaf]++;
			sums[2][leaf] += trace.kind[r] === KIND.FAILED;
			sums[3][leaf] += trace.bytes[r];
		}
		this.deepest = null;
		if (this.invert.checked) {
			this.deepest = new Map(); // the innermost node of the inverted tree for each leaf
			this.tree = this.inverted(tree);
		} else {
			// Parents precede their children, so a backward pass adds the totals of the children to their
			// parents.
			for (let i = tree.parent.length - 1; i > 0; i--)
				for (const s of sums)
					s[tree.parent[i]] += s[i];
			this.tree = tree;
		}
		const {name, children} = this.tree;
		for (const c of children)
			c.sort((a, b) => name[a] < name[b] ? -1 : name[a] > name[b] ? 1 : a - b);
		this.root = this.focus = path.reduce((at, n) => at < 0 ? at : children[at].find(k => name[k] === n) ?? -1, 0);
		if (this.root < 0)
			this.root = this.focus = 0;
		this.draw();
		this.choose();
	}

	// Returns the names of the nodes from below the root to a node.
	path(i) {
		const names = [];
		for (; i; i = this.tree.parent[i])
			names.unshift(this.tree.name[i]);
		return names;
	}

	// Limits the list to the calls of the frame that fills the graph.
	choose() {
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

	// Returns the inverted form of a tree: calls at the top and their callers below. Uses only the totals of the
	// leaves of `of`.
	inverted(of) {
		const {tree, child} = this.newTree();
		for (let i = 1; i < of.parent.length; i++) {
			if (!of.leaf[i])
				continue;
			for (let k = i, at = 0; ; k = of.parent[k]) {
				tree.total.forEach((s, w) => s[at] += of.total[w][i]);
				if (!k) {
					this.deepest.set(i, at);
					break;
				}
				at = child(at, of.name[k], k === i, of.frame[k]);
				tree.least[at] = Math.min(tree.least[at], of.least[k]);
				tree.most[at] = Math.max(tree.most[at], of.most[k]);
			}
		}
		return tree;
	}

	amount(w, n) {
		return w === 0 ? span(n) : w === 3 ? size(n) : plural(n, w === 1 ? "call" : "error");
	}

	amounts(i) {
		const {total} = this.tree;
		return WEIGHTS.map((w, k) => this.amount(k, total[k][i])).join(" · ") + " · " +
			percent(total[this.weight][i], total[this.weight][0]) + " of all " + WEIGHTS[this.weight];
	}

	label(i) {
		const {name, frame, least, most} = this.tree;
		return most[i] < 2 ? name[i] : (least[i] < most[i] ? "up to " : "") + `${most[i]} frames in ${baseName(frame[i].module) || "unknown code"}`;
	}

	kind(i) {
		const {leaf, frame} = this.tree;
		return leaf[i] ? "call" : frame[i] ? kindOf(frame[i]) : i ? "thread" : "unknown";
	}

	// Returns lines that describe the frame of a node, or its first frame if it stands for several.
	facts(i) {
		const f = this.tree.frame[i], lines = i ? [FRAME_KINDS[this.kind(i)] + (f && f.language ? " " + f.language : "")] : [];
		if (f)
			lines.push(`${f.module || "no module"} 0x${BigInt(f.address).toString(16)}`, ...f.file ? [`${f.file}:${f.line}`] : []);
		return lines;
	}

	describe(i) {
		this.focus = i;
		this.status.textContent = clean((this.path(i).join(" › ") || "all") + " — " + [...this.facts(i), this.amounts(i)].join(" · "));
	}

	render() {
		const {tree, root, box} = this, width = box.clientWidth, row = theme.row, of = tree && tree.total[this.weight];
		if (!tree || !width)
			return;
		const part = document.createDocumentFragment(), wanted = this.search.value && pattern(this.search.value);
		const isHit = !wanted ? () => false : wanted.regex ? s => s.search(wanted.regex) >= 0 : s => s.toLowerCase().includes(wanted.text);
		this.search.classList.toggle("bad", wanted === null);
		let deepest = 0;
		const bar = (i, x, w, above) => {
			const div = make("div", "f kind-" + this.kind(i) + (above ? " up" : "") + (w < 12 ? " thin" : "") +
				(isHit(tree.name[i]) ? " hit" : ""), w >= 24 ? this.label(i) : "");
			div.style.cssText = `left:${x.toFixed(2)}px;width:${w.toFixed(2)}px;top:${tree.depth[i] * row}px;height:${row}px;` +
				`line-height:${row - 1}px`;
			div.tabIndex = i === this.focus ? 0 : -1;
			div.setAttribute("role", "treeitem");
			div.setAttribute("aria-level", tree.depth[i] + 1);
			div.setAttribute("aria-label", clean(this.label(i)) + ": " + this.amount(this.weight, of[i]) + ", " + percent(of[i], of[0]));
			div.node = i;
			deepest = Math.max(deepest, tree.depth[i]);
			part.append(div);
		};
		const above = [];
		for (let i = root; i; i = tree.parent[i])
			above.push(tree.parent[i]);
		above.reverse().forEach(i => bar(i, 0, width, true));
		const waiting = [[root, 0, width]];
		while (waiting.length) {
			const [i, x, w] = waiting.pop();
			let at = x;
			bar(i, x, w, false);
			for (const k of tree.children[i]) {
				const wide = of[i] ? w * of[k] / of[i] : 0;
				if (wide >= 0.7)
					waiting.push([k, at, wide]);
				at += wide;
			}
		}
		const found = wanted ? ", found " + percent(this.found(isHit), of[root]) : "";
		box.textContent = "";
		box.style.height = (deepest + 1) * row + "px";
		box.append(part);
		this.up.disabled = !root;
		this.sum.textContent = (this.app.timeline.span ? "Selected range, " : "Visible range, ") + span(this.app.range()[1] - this.app.range()[0]) +
			": " + this.amount(this.weight, of[0]) + found + (!this.hide.checked ? "" : "; waiting calls hidden: " +
			this.amount(this.weight, this.hidden[this.weight]) + ", " + percent(this.hidden[this.weight], this.hidden[this.weight] + of[0]));
		this.describe(this.focus);
	}

	// Returns the total weight of the matching frames below the root. A match inside another one is not counted again.
	found(isHit) {
		const {tree} = this, waiting = [this.root];
		let sum = 0;
		while (waiting.length) {
			const i = waiting.pop();
			if (isHit(tree.name[i]))
				sum += tree.total[this.weight][i];
			else
				for (const k of tree.children[i])
					waiting.push(k);
		}
		return sum;
	}

	zoom(i) {
		this.root = this.focus = i;
		tip.hide();
		this.render();
		this.choose();
		this.focusOn(i);
	}

	focusOn(i) {
		for (const div of this.box.children) {
			div.tabIndex = div.node === i ? 0 : -1;
			if (div.node === i)
				div.focus();
		}
	}

	key(e) {
		const {tree, focus} = this, of = tree.total[this.weight], shown = [...this.box.children];
		let to;
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		if (e.key === "Enter") {
			this.zoom(focus);
		} else if (e.key === "Backspace") {
			if (this.root)
				this.zoom(tree.parent[this.root]);
		} else if (e.key === "ArrowUp") {
			to = tree.parent[focus];
		} else if (e.key === "ArrowDown") {
			to = tree.children[focus].reduce((best, k) => best < 0 || of[k] > of[best] ? k : best, -1);
		} else if (e.key === "ArrowLeft" || e.key === "ArrowRight") {
			const level = shown.filter(d => tree.depth[d.node] === tree.depth[focus])
				.sort((a, b) => parseFloat(a.style.left) - parseFloat(b.style.left));
			const next = level[level.findIndex(d => d.node === focus) + (e.key === "ArrowLeft" ? -1 : 1)];
			to = next && next.node;
		} else {
			return;
		}
		e.preventDefault();
		e.stopPropagation();
		if (to !== undefined && to >= 0)
			this.focusOn(to);
	}
}
