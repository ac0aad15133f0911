// SPDX-License-Identifier: LGPL-2.1-or-later
// The flame graph, for both kinds of pages. The levels below the root are the names of threads, the frames from the
// outermost to the innermost, and calls. The inverted graph has calls first, and then their callers.

const WEIGHTS = ["time", "calls", "errors", "bytes"];
const FRAME_KINDS = {call: "kernel call", libc: "libc", library: "library", app: "application", language: "language", thread: "thread", unknown: "unknown"};
// Maximum number of nodes in an inverted tree. Callers beyond this limit are left out.
const TREE_MAX = 1 << 20;

// Returns the key in FRAME_KINDS of a frame of a stack.
function kindOf({module, language}) {
	const file = baseName(module);
	return language ? "language" : !file ? "unknown" : /^(libc|libpthread|libm|libdl|librt|ld-linux.*|ld-musl.*)[-.]/.test(file) ? "libc" :
		file.startsWith("[") || /\.so(\.|$)/.test(file) ? "library" : "app";
}

// The kinds of nodes in a tree. A MERGED node represents several stacks, which were merged to save memory.
const ROLE = {OTHER: 0, CALL: 1, MERGED: 2, THREAD: 3};

// A tree of stacks. Parents come before their children. `total` contains the sums of each node itself and, after add(),
// also those of its descendants.
class FlameTree {
	constructor(expands) {
		this.expands = expands; // each unnamed frame has a node of its own
		this.names = new Map();
		this.known = new Map();
		this.parent = [0];
		this.name = ["all"];
		this.depth = [0];
		this.children = [[]];
		this.role = [ROLE.OTHER];
		this.frame = [null]; // the first frame of the node, or null
		this.least = [1]; // minimum and maximum number of successive unnamed frames that the node represents
		this.most = [1];
		this.total = WEIGHTS.map(() => [0]);
	}

	// Returns a child of a node, which is added if it is new.
	child(parent, name, role, frame = null) {
		let id = this.names.get(name);
		if (id === undefined)
			this.names.set(name, id = this.names.size);
		const key = (parent * 0x400000 + id) * 4 + role;
		let i = this.known.get(key);
		if (i !== undefined)
			return i;
		i = this.parent.length;
		this.known.set(key, i);
		this.parent.push(parent);
		this.name.push(name);
		this.depth.push(this.depth[parent] + 1);
		this.children.push([]);
		this.children[parent].push(i);
		this.role.push(role);
		this.frame.push(frame);
		this.least.push(Infinity);
		this.most.push(1);
		this.total.forEach(s => s.push(0));
		return i;
	}

	// Adds a frame below a place, and returns the new place. A place is {at, run}: a node, and the number of
	// successive unnamed frames that the node represents there. Frames with the same name share a node, whatever
	// their address.
	below(place, frame) {
		const {at, run} = place, last = this.frame[at], collapses = !frame.symbol && !this.expands;
		const name = collapses ? moduleName(frame) : frameName(frame);
		if (collapses && last && !last.symbol && this.name[at] === name)
			return {at, run: run + 1};
		this.end(place);
		return {at: this.child(at, name, ROLE.OTHER, frame), run: 1};
	}

	// Adds a call below a place.
	call(place, name, role = ROLE.CALL) {
		this.end(place);
		return this.child(place.at, name, role);
	}

	end({at, run}) {
		this.least[at] = Math.min(this.least[at], run);
		this.most[at] = Math.max(this.most[at], run);
	}

	// Adds the sums of all nodes to their ancestors.
	add() {
		for (let i = this.parent.length - 1; i > 0; i--)
			for (const s of this.total)
				s[this.parent[i]] += s[i];
	}

	// Returns the inverted form of this tree: calls at the top and their callers below. Uses only the sums of
	// calls. Fills in `deepest`: for each call of this tree, the node of the new tree at which its stack ends.
	inverted(deepest) {
		const to = new FlameTree(false);
		for (let i = 1; i < this.parent.length; i++) {
			if (this.role[i] !== ROLE.CALL && this.role[i] !== ROLE.MERGED)
				continue;
			for (let k = i, at = 0; ; k = this.parent[k]) {
				to.total.forEach((s, w) => s[at] += this.total[w][i]);
				deepest.set(i, at);
				if (!k || to.parent.length >= TREE_MAX)
					break;
				at = to.child(at, this.name[k], this.role[k], this.frame[k]);
				to.least[at] = Math.min(to.least[at], this.least[k]);
				to.most[at] = Math.max(to.most[at], this.most[k]);
			}
		}
		return to;
	}
}

// The view. A subclass has these functions:
//	gather(tree): adds stacks and their sums to a tree, and the sums of calls that are hidden to this.hidden
//	scope(): describes what the graph shows, for the text before the sum
//	zoomed(): is called when another frame fills the graph
//	changed(): is called when state() may have changed
class Flame {
	// `hides`: waiting calls are hidden at first.
	constructor(panel, weight, hides = true) {
		this.root = 0;
		this.focus = 0;
		this.weight = this.first = WEIGHTS.indexOf(weight);
		this.hides = hides;
		this.upwards = false; // the root is at the bottom
		this.build(panel);
		this.draw = later(() => this.render());
		new ResizeObserver(() => this.tree && this.draw()).observe(panel);
	}

	build(panel) {
		const tools = make("div"), select = this.select = make("select");
		tools.id = "flame-tools";
		select.id = "flame-weight";
		select.setAttribute("aria-label", "Weight");
		WEIGHTS.forEach((w, i) => select.add(new Option(w, i)));
		select.value = this.weight;
		select.onchange = () => this.weigh(+select.value);
		this.up = this.button("Up", "Backspace", () => this.zoom(this.tree.parent[this.root]));
		this.reset = this.button("Reset zoom", "", () => this.zoom(0));
		this.flip = this.button("Bottom-up", "Show the root at the bottom", () => this.turn(!this.upwards));
		this.sum = make("span", "soft");
		this.sum.id = "flame-sum";
		this.search = make("input");
		this.search.id = "flame-search";
		this.search.type = "search";
		this.search.placeholder = "text or /regex/";
		this.search.setAttribute("aria-label", "Search frames");
		this.search.oninput = () => {
			this.draw();
			this.changed();
		};
		this.search.addEventListener("keydown", e => e.key === "Enter" && this.step(e.shiftKey ? -1 : 1));
		this.legend = make("span", "kinds");
		for (const [kind, text] of Object.entries(FRAME_KINDS)) {
			const item = make("span"), dot = make("span", "dot kind-" + kind);
			item.append(dot, text);
			this.legend.append(item);
		}
		const update = () => {
			this.update();
			this.changed();
		};
		this.hide = this.option("flame-hide", "hide waiting calls", "wait4, futex, poll and other calls that wait (h)", update);
		this.invert = this.option("flame-invert", "inverted", "start with the calls and show their callers (v)", update);
		this.hide.checked = this.hides;
		this.expand = this.option("flame-expand", "expand unnamed frames", "show each frame without a name in a box of its own (e)", update);
		this.largest = this.option("flame-largest", "largest first", "sort frames by size instead of name", () => {
			this.draw();
			this.changed();
		});
		tools.append(select, this.up, this.reset, this.flip, this.hide.parentNode, this.invert.parentNode, this.expand.parentNode,
			this.largest.parentNode, this.search, this.legend, this.sum);
		this.box = make("div");
		this.box.id = "flame";
		this.box.setAttribute("role", "tree");
		this.box.setAttribute("aria-label", "Flame graph");
		this.status = make("div");
		this.status.id = "flame-status";
		this.status.setAttribute("aria-live", "polite");
		panel.append(tools, this.box, this.status);
		this.panel = panel;
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

	button(label, title, act) {
		const button = make("button", "", label);
		button.title = title;
		button.onclick = act;
		return button;
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

	// Rebuilds the tree. Keeps the zoom: the graph shows the same frame or, if it no longer exists, its nearest
	// ancestor.
	update() {
		const path = this.wanted || (this.tree ? this.path(this.root) : []), tree = new FlameTree(this.expand.checked);
		this.wanted = null;
		this.hidden = WEIGHTS.map(() => 0);
		this.gather(tree);
		this.deepest = null;
		if (this.invert.checked) {
			this.deepest = new Map();
			this.tree = tree.inverted(this.deepest);
		} else {
			tree.add();
			this.tree = tree;
		}
		const {name, children} = this.tree;
		for (const c of children)
			c.sort((a, b) => name[a] < name[b] ? -1 : name[a] > name[b] ? 1 : a - b);
		let at = 0;
		for (const n of path) {
			const next = children[at].find(k => name[k] === n);
			if (next === undefined)
				break;
			at = next;
		}
		this.root = this.focus = at;
		this.draw();
		this.zoomed();
	}

	// Returns the names of the nodes from below the root to a node.
	path(i) {
		const names = [];
		for (; i; i = this.tree.parent[i])
			names.unshift(this.tree.name[i]);
		return names;
	}

	// Returns the parameters for the page's address. The value of a setting is "" if the user has not changed it.
	state() {
		return {
			zoom: this.wanted ? this.wanted.map(encodeURIComponent).join(";") :
				this.tree ? this.path(this.root).map(encodeURIComponent).join(";") : "",
			search: this.search.value,
			weight: this.weight === this.first ? "" : WEIGHTS[this.weight],
			waiting: this.hide.checked === this.hides ? "" : this.hides ? "shown" : "hidden",
			inverted: this.invert.checked ? 1 : "",
			unnamed: this.expand.checked ? 1 : "",
			largest: this.largest.checked ? 1 : "",
			upwards: this.upwards ? 1 : "",
		};
	}

	// Sets the settings from parameters of an address. update() must be called afterwards.
	restore(at) {
		const weight = WEIGHTS.indexOf(at.get("weight"));
		this.wanted = (at.get("zoom") || "").split(";").filter(n => n).map(n => {
			try {
				return decodeURIComponent(n);
			} catch (error) {
				return n;
			}
		});
		this.search.value = at.get("search") || "";
		this.select.value = this.weight = weight < 0 ? this.first : weight;
		this.hide.checked = at.has("waiting") ? at.get("waiting") === "hidden" : this.hides;
		this.invert.checked = !!at.get("inverted");
		this.expand.checked = !!at.get("unnamed");
		this.largest.checked = !!at.get("largest");
		this.turn(!!at.get("upwards"));
	}

	amount(w, n) {
		return w === 0 || w > 3 ? span(n) : w === 3 ? size(n) : plural(n, w === 1 ? "call" : "error");
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
		const {role, frame} = this.tree;
		return role[i] === ROLE.CALL ? "call" : role[i] === ROLE.THREAD ? "thread" : frame[i] ? kindOf(frame[i]) : "unknown";
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

	// Returns the nodes to draw, as [node, x, width, is above the zoomed frame]. Omits frames narrower than a pixel.
	place(width) {
		const {tree, root} = this, of = tree.total[this.weight], boxes = [], waiting = [[root, 0, width]];
		for (let i = root; i; i = tree.parent[i])
			boxes.unshift([tree.parent[i], 0, width, true]);
		while (waiting.length) {
			const [i, x, w] = waiting.pop(), children = this.largest.checked ? [...tree.children[i]].sort((a, b) => of[b] - of[a]) : tree.children[i];
			let at = x;
			boxes.push([i, x, w, false]);
			for (const k of children) {
				const wide = of[i] ? w * of[k] / of[i] : 0;
				if (wide >= 0.7)
					waiting.push([k, at, wide]);
				at += wide;
			}
		}
		return boxes;
	}

	render() {
		const {tree, root, box} = this, width = box.clientWidth, row = theme.row, of = tree && tree.total[this.weight];
		if (!tree || !width)
			return;
		const part = document.createDocumentFragment(), boxes = this.place(width), wanted = this.search.value && pattern(this.search.value);
		const isHit = !wanted ? () => false : wanted.regex ? s => s.search(wanted.regex) >= 0 : s => s.toLowerCase().includes(wanted.text);
		const deepest = boxes.reduce((most, b) => Math.max(most, tree.depth[b[0]]), 0);
		this.search.classList.toggle("bad", wanted === null);
		for (const [i, x, w, above] of boxes) {
			const div = make("div", "f kind-" + this.kind(i) + (above ? " up" : "") + (w < 12 ? " thin" : "") +
				(isHit(tree.name[i]) ? " hit" : ""), w >= 24 ? this.label(i) : "");
			div.style.cssText = `left:${x.toFixed(2)}px;width:${w.toFixed(2)}px;` +
				`top:${(this.upwards ? deepest - tree.depth[i] : tree.depth[i]) * row}px;height:${row}px;line-height:${row - 1}px`;
			div.tabIndex = i === this.focus ? 0 : -1;
			div.setAttribute("role", "treeitem");
			div.setAttribute("aria-level", tree.depth[i] + 1);
			div.setAttribute("aria-label", clean(this.label(i)) + ": " + this.amount(this.weight, of[i]) + ", " + percent(of[i], of[0]));
			div.node = i;
			part.append(div);
		}
		box.textContent = "";
		box.style.height = (deepest + 1) * row + "px";
		box.append(part);
		this.up.disabled = this.reset.disabled = !root;
		const found = wanted ? this.found(isHit) : null, hidden = this.hidden[this.weight];
		this.sum.textContent = clean(this.scope() + this.amount(this.weight, of[0]) +
			(root ? `, zoomed into ${this.label(root)} (${percent(of[root], of[0])})` : "") +
			(found ? `, found ${plural(found.frames, "frame")}, ${percent(found.sum, of[root])}${root ? " of the zoomed frame" : ""}` : "") +
			(this.hide.checked ? `; waiting calls hidden: ${this.amount(this.weight, hidden)}, ${percent(hidden, hidden + of[0])}` : ""));
		this.describe(this.focus);
	}

	// Returns the number of matching frames in the zoomed frame, and their weight. The weight of a match inside another
	// match is not added again.
	found(isHit) {
		const {tree} = this, waiting = [[this.root, false]];
		let sum = 0, frames = 0;
		while (waiting.length) {
			const [i, inside] = waiting.pop(), hit = isHit(tree.name[i]);
			frames += hit;
			if (hit && !inside)
				sum += tree.total[this.weight][i];
			for (const k of tree.children[i])
				waiting.push([k, inside || hit]);
		}
		return {frames, sum};
	}

	weigh(weight) {
		this.select.value = this.weight = weight;
		this.draw();
		this.changed();
	}

	// Shows the root at the bottom or at the top.
	turn(upwards) {
		this.upwards = upwards;
		this.flip.textContent = upwards ? "Top-down" : "Bottom-up";
		this.flip.title = upwards ? "Show the root at the top" : "Show the root at the bottom";
		if (!this.tree)
			return;
		this.render();
		this.panel.scrollTop = upwards ? this.panel.scrollHeight : 0;
		this.changed();
	}

	zoom(i) {
		this.root = this.focus = i;
		tip.hide();
		this.render();
		this.zoomed();
		this.changed();
		this.focusOn(i);
	}

	focusOn(i) {
		for (const div of this.box.children) {
			div.tabIndex = div.node === i ? 0 : -1;
			if (div.node === i)
				div.focus();
		}
	}

	// Goes to the next or previous visible frame that matches the search.
	step(by) {
		const hits = [...this.box.querySelectorAll(".hit")].map(d => d.node), at = hits.indexOf(this.focus);
		if (hits.length)
			this.focusOn(hits[at < 0 ? by > 0 ? 0 : hits.length - 1 : (at + by + hits.length) % hits.length]);
	}

	key(e) {
		const {tree, focus} = this, of = tree.total[this.weight], shown = [...this.box.children];
		let to;
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		if (e.key === "Enter" || e.key === " ") {
			this.zoom(focus);
		} else if (e.key === "Backspace") {
			if (this.root)
				this.zoom(tree.parent[this.root]);
		} else if (e.key === (this.upwards ? "ArrowDown" : "ArrowUp")) {
			to = tree.parent[focus];
		} else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
			to = tree.children[focus].reduce((best, k) => best < 0 || of[k] > of[best] ? k : best, -1);
		} else if (e.key === "ArrowLeft" || e.key === "ArrowRight") {
			const level = shown.filter(d => tree.depth[d.node] === tree.depth[focus])
				.sort((a, b) => parseFloat(a.style.left) - parseFloat(b.style.left));
			const next = level[level.findIndex(d => d.node === focus) + (e.key === "ArrowLeft" ? -1 : 1)];
			to = next && next.node;
		} else if ((e.key === "n" || e.key === "N") && this.search.value) {
			this.step(e.key === "n" ? 1 : -1);
		} else {
			return;
		}
		e.preventDefault();
		e.stopPropagation();
		if (to !== undefined && to >= 0)
			this.focusOn(to);
	}
}
