// SPDX-License-Identifier: LGPL-2.1-or-later
// The page of --format=flamegraph: a flame graph of the stacks that tracer has summed up.

const FLAME_KEYS = [["← →", "neighbours"], ["↑ ↓", "callers and callees"], ["Enter", "zoom"], ["Backspace", "zoom out one level"],
	["Esc", "clear the search, then reset the zoom"], ["/", "search"], ["n N", "next and previous match"], ["i", "top-down or bottom-up"],
	["w", "next weight"], ["h v e", "hide waiting calls, inverted view, expand unnamed frames"], ["[ ]", "text size"], ["?", "keys"]];

// Adds the weights that only this graph has to WEIGHTS. Returns the weight to show first.
function firstWeight(data) {
	WEIGHTS.push(...data.weights.filter(w => !WEIGHTS.includes(w)));
	return data.weight;
}

class FileFlame extends Flame {
	constructor(data) {
		// A snapshot consists of calls that wait.
		super($("panel-flame"), firstWeight(data), !data.snapshot);
		this.data = data;
		// For each weight of the graph, its position in the data.
		this.columns = WEIGHTS.map(w => data.weights.indexOf(w));
	}

	// Returns a frame of the data, in the form of trace.frame().
	frameAt(name, number) {
		const {frames, names} = this.data, at = 6 * number, text = i => i ? names[i - 1] : "";
		return {symbol: frames[at] ? names[name] : "", name: names[name], module: text(frames[at + 1]), file: text(frames[at + 2]), line: frames[at + 3],
			address: frames[at + 4], language: text(frames[at + 5])};
	}

	gather(tree) {
		const {nodes, names} = this.data, step = 3 + WEIGHTS.length, places = [{at: 0, run: 1}];
		// Adds the stack that ends at node i, which is not a call. Returns its place (see FlameTree.below).
		const place = i => {
			const path = [];
			for (; !places[i]; i = nodes[i * step])
				path.push(i);
			let at = places[i];
			while (path.length) {
				const n = path.pop(), name = nodes[n * step + 1], frame = nodes[n * step + 2];
				at = places[n] = frame ? tree.below(at, this.frameAt(name, frame - 1)) :
					{at: tree.child(at.at, names[name], at.at ? ROLE.OTHER : ROLE.THREAD), run: 1};
			}
			return at;
		};
		for (let i = 1; i * step < nodes.length; i++) {
			const at = i * step, name = names[nodes[at + 1]], isCall = nodes[at + 2] < 0, sums = this.columns.map(c => nodes[at + 3 + c]);
			if (!sums.some(n => n))
				continue;
			if (isCall && this.hide.checked && WAITS.has(name)) {
				sums.forEach((n, w) => this.hidden[w] += n);
				continue;
			}
			const leaf = tree.call(place(nodes[at]), name, isCall ? ROLE.CALL : ROLE.MERGED);
			sums.forEach((n, w) => tree.total[w][leaf] += n);
		}
	}

	scope() {
		return "";
	}

	zoomed() {}

	// Stores the view in the fragment of the page's address.
	changed() {
		const at = new URLSearchParams();
		for (const [name, value] of Object.entries(this.state()))
			if (value)
				at.set(name, value);
		this.written = at.size ? "#" + at : "";
		try {
			history.replaceState(null, "", this.written || "#");
		} catch (error) {
			// Browsers refuse frequent changes of the address.
		}
	}

	// Shows the view that the address describes.
	follow() {
		this.restore(new URLSearchParams(location.hash.slice(1)));
		this.written = location.hash;
		this.update();
	}

	escape() {
		if (!$("help").hidden) {
			$("keys").click();
		} else if (this.search.value || document.activeElement === this.search) {
			this.search.value = "";
			this.search.blur();
			this.search.oninput();
		} else {
			this.zoom(0);
		}
	}
}

function startFlame() {
	const data = JSON.parse($("data").textContent), flame = new FileFlame(data);
	theme.redraw = () => flame.draw();
	theme.start();
	document.title = $("title").textContent = $("title").title = clean(data.title);
	$("warning").hidden = !data.lost;
	$("warning").textContent = `${plural(data.lost, "event")} lost`;
	showKeys(FLAME_KEYS);
	document.addEventListener("keydown", e => {
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		const typing = /^(INPUT|SELECT)$/.test(e.target.tagName) && e.target.type !== "checkbox";
		const keys = {
			Backspace: () => flame.root && flame.zoom(flame.tree.parent[flame.root]),
			"/": () => flame.search.focus(), n: () => flame.step(1), N: () => flame.step(-1),
			i: () => flame.turn(!flame.upwards), w: () => flame.weigh((flame.weight + 1) % WEIGHTS.length),
			h: () => flame.hide.click(), v: () => flame.invert.click(), e: () => flame.expand.click(),
			"[": () => theme.resize(-1), "]": () => theme.resize(1), "?": () => $("keys").click(),
		};
		for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"])
			keys[key] = () => flame.focusOn(flame.focus);
		if (e.key === "Escape")
			flame.escape();
		else if (!typing && keys[e.key]) {
			e.preventDefault();
			keys[e.key]();
		}
	});
	addEventListener("hashchange", () => location.hash !== flame.written && flame.follow());
	flame.follow();
	// For tests, and for use in the browser's console.
	window.flame = flame;
	document.documentElement.dataset.ready = "yes";
}

document.addEventListener("DOMContentLoaded", startFlame);
