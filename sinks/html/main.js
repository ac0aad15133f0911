// SPDX-License-Identifier: LGPL-2.1-or-later
// Connects the parts of the page: the selection, the time range, and global keys.

const KEYS = [["w s", "zoom in or out"], ["a d", "pan"], ["← → ↑ ↓", "in the timeline: next call, next lane; in the list: next row"],
	["f", "zoom to the selected call or time range"], ["0", "show the whole run"], ["/", "filter"], ["n p", "next or previous row of the list"],
	["m", "select the time range of the current call, or the visible range"], ["Esc", "clear filter, then time range, then selection"],
	["t", "collapse or expand the process (or click its triangle)"], ["r", "let processes share rows, or give each process a row"], ["i", "show or hide idle lanes"], ["c x", "show or hide the critical path, arrows"], ["1 2 3 4 5", "calls, call, flame graph, summary, processes"], ["[ ]", "text size"],
	["ctrl+wheel", "zoom"], ["shift+wheel", "pan"], ["drag", "pan"], ["shift+drag", "select a time range (also on the ruler)"], ["double-click", "zoom to the call"],
	["Enter", "process tree: show only that process; flame graph: zoom (Backspace zooms out)"],
	["h v e", "in the flame graph: hide waiting calls, inverted view, expand unnamed frames"]];

class App {
	constructor(trace) {
		this.trace = trace;
		this.selected = -1;
		this.fresh = {}; // which of the flame graph and the summary are up to date
		this.timeline = new Timeline(this);
		this.calls = new Calls(this);
		this.details = new Details(this);
		this.flame = new PageFlame(this);
		this.summary = new Summary(this);
		this.processes = new Processes(this);
		this.address = {write() {}};
		this.tabs = new Tabs($("tabs"), [{id: "calls", title: "Calls"}, {id: "call", title: "Call"},
			{id: "flame", title: "Flame graph"}, {id: "summary", title: "Summary"}, {id: "processes", title: "Processes"}], id => this.tabShown(id));
		this.narrow = matchMedia("(max-width: 60em)");
		this.narrow.onchange = () => this.arrange();
		this.arrange();
		this.head();
		this.listen();
		this.address = new Address(this);
	}

	// On narrow windows the list is one tab among the others.
	arrange() {
		const {narrow} = this;
		$("tab-calls").hidden = !narrow.matches;
		if (narrow.matches)
			$("panel-calls").append($("calls"));
		else
			$("lower").prepend($("calls"));
		this.tabs.show(narrow.matches ? "calls" : this.tabs.shown && this.tabs.shown !== "calls" ? this.tabs.shown : "call");
	}

	head() {
		const {trace} = this, lost = trace.names.some(n => n.text === "lost");
		const counts = new Uint32Array(256);
		for (const k of trace.kind)
			counts[k]++;
		const calls = counts[KIND.CALL] + counts[KIND.FAILED] + counts[KIND.RESTART] + counts[KIND.UNFINISHED];
		const others = [[KIND.REQUEST, "io_uring request"], [KIND.OTHER, "other event"]].filter(o => counts[o[0]]);
		$("title").textContent = clean(trace.title);
		$("title").title = clean(trace.title);
		document.title = clean(trace.title);
		$("sum").textContent = [plural(calls, "call"), ...others.map(o => plural(counts[o[0]], o[1]))].join(", ") + `, ${plural(trace.threads.filter(t => t.process).length, "thread")} of ` +
			`${plural(trace.processes.length, "process").replace("processs", "processes")}, ${span(trace.to - trace.from)}`;
		const warnings = [];
		if (trace.broken || !trace.complete)
			warnings.push("This page is incomplete, because tracer ended before it had written everything.");
		if (lost)
			warnings.push("Some events were lost: the list shows them in the class “events”.");
		$("warning").hidden = !warnings.length;
		$("warning").textContent = warnings.join(" ");
		for (const c of COLORS) {
			const item = make("button", "", ""), dot = make("span", "dot");
			dot.style.background = `var(--${c})`;
			item.append(dot, c);
			item.title = "Show only this class in the list";
			item.value = c;
			item.onclick = () => {
				$("class").value = $("class").value === c ? "" : c;
				this.calls.filter();
			};
			$("classes").append(item);
		}
		const failed = make("button"), dot = make("span", "dot");
		failed.onclick = () => $("failed").click();
		dot.style.cssText = "background: var(--bad); height: 0.25em; vertical-align: middle";
		failed.append(dot, "failed");
		$("classes").append(failed);
		this.markLegend();
		showKeys(KEYS);
	}

	// Marks the class that the filter selects in the legend.
	markLegend() {
		for (const button of $("classes").children)
			button.setAttribute("aria-pressed", button.value ? button.value === $("class").value : $("failed").checked);
	}

	// Shows these processes in the panel of the call.
	pickProcesses(processes) {
		if (!processes.length)
			return;
		this.drop();
		this.timeline.lit = processes[0].main;
		this.details.showProcesses(processes);
		this.tabs.show("call");
	}

	// Shows or hides the critical path. If it is shown, also lists its threads and calls.
	showPath(on) {
		const {arrows} = this.timeline;
		arrows.showPath(on);
		$("path").setAttribute("aria-pressed", on);
		if (on) {
			this.drop();
			this.details.showPath(arrows.path);
			this.tabs.show("call");
		} else if (this.selected < 0) {
			this.details.show(-1);
		}
		this.address.write();
	}

	// Returns the selected time range or, without a selection, the visible time range.
	range() {
		return this.timeline.span || [this.timeline.from, this.timeline.to];
	}

	// Selects a record and shows it in all parts of the page except `by`. The user has selected the record in that
	// part, so it is already visible there.
	pick(record, by) {
		this.selected = record;
		this.timeline.lit = this.trace.threadOf(record);
		if (by !== this.calls)
			this.calls.select(record);
		this.timeline.showRecord(record);
		this.details.show(record);
		if (this.tabs.shown !== "call" && !(this.narrow.matches && by === this.calls))
			this.tabs.show("call");
		this.address.write();
	}

	drop() {
		this.selected = -1;
		this.timeline.lit = null;
		this.calls.select(-1);
		this.details.show(-1);
		this.timeline.draw();
		this.address.write();
	}

	onlyProcess(process) {
		this.calls.showOnly(process);
		this.timeline.showThread(process.main);
		if (this.narrow.matches)
			this.tabs.show("calls");
	}

	onlyCalls(name) {
		this.calls.look("/^" + name.replace(/[^\w]/g, "\\$&") + "\\(/");
		if (this.narrow.matches)
			this.tabs.show("calls");
	}

	// Updates the flame graph and the summary once the view has stopped changing.
	changed() {
		clearTimeout(this.resting);
		this.resting = setTimeout(() => {
			if ($("within").checked)
				this.calls.filter();
			else
				this.filtered();
		}, 250);
	}

	viewed() {
		if (this.address)
			this.address.write();
		if (this.calls)
			this.followView();
		if (this.tabs && !this.timeline.span)
			this.changed();
	}

	// Scrolls the list to the beginning of the visible range. Does nothing if the list is sorted by duration or
	// limited to the range, or if the selected row is in the range.
	followView() {
		const {calls, timeline, trace, selected} = this;
		if (calls.longest || $("within").checked)
			return;
		if (selected >= 0 && trace.start[selected] <= timeline.to && trace.start[selected] + trace.duration[selected] >= timeline.from)
			return;
		calls.list.moveTo(firstIndex(calls.shown.length, i => trace.start[calls.shown[i]] >= timeline.from) * theme.row);
	}

	spanned() {
		this.address.write();
		this.calls.report();
		this.changed();
	}

	filtered() {
		this.fresh = {};
		if (this.tabs)
			this.tabShown(this.tabs.shown);
	}

	tabShown(id) {
		if (this.address)
			this.address.write();
		if ((id === "flame" || id === "summary") && !this.fresh[id]) {
			this.fresh[id] = true;
			this[id].update();
		}
		if (id === "processes")
			this.processes.list.refresh();
		if (id === "calls")
			this.calls.list.refresh();
	}

	redraw() {
		this.timeline.draw();
		this.calls.list.refresh();
		this.processes.list.refresh();
		this.flame.draw();
	}

	fitSelection() {
		const {timeline} = this;
		if (timeline.span)
			timeline.view(timeline.span[0], timeline.span[1]);
		else if (this.selected >= 0)
			timeline.zoomToRecord(this.selected);
	}

	markSelection() {
		const {timeline, trace, selected: r} = this;
		timeline.mark(r >= 0 ? [trace.start[r], trace.start[r] + Math.max(1, trace.duration[r])] : [timeline.from, timeline.to]);
	}

	listen() {
		const {timeline} = this;
		$("zoom-in").onclick = () => timeline.zoom(0.5);
		$("zoom-out").onclick = () => timeline.zoom(2);
		$("zoom-all").onclick = () => timeline.view(timeline.least, timeline.most);
		$("zoom-call").onclick = () => this.fitSelection();
		$("sort").onchange = () => timeline.order();
		$("path").onclick = () => this.showPath(!timeline.arrows.path);
		$("arrows").onchange = () => {
			timeline.arrows.shown = $("arrows").checked;
			timeline.draw();
		};
		this.split();
		this.splitSide();
		document.addEventListener("keydown", e => this.key(e));
		theme.redraw = () => this.redraw();
	}

	// Makes the bar below the timeline draggable.
	split() {
		const bar = $("split"), lanes = $("lanes");
		const set = height => {
			lanes.style.height = Math.max(80, Math.min(height, innerHeight - 220)) + "px";
			remember("lanes", height);
		};
		if (remembered("lanes"))
			set(remembered("lanes"));
		bar.addEventListener("pointerdown", e => bar.setPointerCapture(e.pointerId));
		bar.addEventListener("pointermove", e => e.buttons && set(e.clientY - lanes.getBoundingClientRect().top));
		bar.addEventListener("keydown", e => {
			const by = {ArrowUp: -20, ArrowDown: 20}[e.key];
			if (!by)
				return;
			e.preventDefault();
			e.stopPropagation();
			set(lanes.clientHeight + by);
		});
	}

	// Makes the bar between the list and the panels draggable.
	splitSide() {
		const bar = $("split-side"), side = $("side");
		const set = share => {
			const now = Math.max(0.15, Math.min(0.85, share));
			side.style.flex = `0 0 ${100 * now}%`;
			remember("side", now);
		};
		if (remembered("side"))
			set(remembered("side"));
		bar.addEventListener("pointerdown", e => bar.setPointerCapture(e.pointerId));
		bar.addEventListener("pointermove", e => e.buttons && set(1 - e.clientX / innerWidth));
		bar.addEventListener("keydown", e => {
			const by = {ArrowLeft: 0.02, ArrowRight: -0.02}[e.key];
			if (!by)
				return;
			e.preventDefault();
			e.stopPropagation();
			set(side.clientWidth / innerWidth + by);
		});
	}

	escape() {
		if (!$("help").hidden) {
			$("keys").click();
			$("keys").focus();
		} else if ($("text").value || document.activeElement === $("text")) {
			$("text").value = "";
			$("text").blur();
			this.calls.filter();
		} else if (this.timeline.span) {
			this.timeline.mark(null);
		} else if (this.calls.process) {
			this.calls.showOnly(null);
		} else {
			this.drop();
		}
	}

	stepList(by) {
		const {list, shown, longest} = this.calls, {start} = this.trace;
		// Without a selected row, the search begins in the visible range.
		const first = longest ? 0 : firstIndex(shown.length, i => start[shown[i]] >= this.timeline.from);
		const to = list.picked >= 0 ? list.picked + by : by > 0 ? first : first - 1;
		if (to >= 0 && to < list.length)
			list.choose(to);
	}

	key(e) {
		if (e.ctrlKey || e.metaKey || e.altKey)
			return;
		if (e.key === "Escape") {
			this.escape();
			return;
		}
		if (/^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) && e.target.type !== "checkbox")
			return;
		const {timeline} = this, keys = {
			w: () => timeline.zoom(0.7), "+": () => timeline.zoom(0.7), "=": () => timeline.zoom(0.7),
			s: () => timeline.zoom(1 / 0.7), "-": () => timeline.zoom(1 / 0.7),
			a: () => timeline.pan(-0.15), d: () => timeline.pan(0.15),
			f: () => this.fitSelection(), m: () => this.markSelection(),
			0: () => timeline.view(timeline.least, timeline.most),
			t: () => this.selected >= 0 && timeline.fold(this.trace.threadOf(this.selected).process),
			r: () => timeline.togglePacked(), i: () => timeline.toggleIdle(),
			c: () => $("path").click(), x: () => $("arrows").click(),
			n: () => this.stepList(1), p: () => this.stepList(-1),
			"/": () => {
				if (this.narrow.matches)
					this.tabs.show("calls");
				$("text").focus();
				$("text").select();
			},
			1: () => this.narrow.matches ? this.tabs.show("calls") : $("list").focus(),
			2: () => this.tabs.show("call"), 3: () => this.tabs.show("flame"), 4: () => this.tabs.show("summary"),
			5: () => this.tabs.show("processes"),
			h: () => this.tabs.shown === "flame" && this.flame.hide.click(),
			v: () => this.tabs.shown === "flame" && this.flame.invert.click(),
			e: () => this.tabs.shown === "flame" && this.flame.expand.click(),
			"[": () => theme.resize(-1), "]": () => theme.resize(1), "?": () => $("keys").click(),
		};
		if (!keys[e.key])
			return;
		e.preventDefault();
		keys[e.key]();
	}
}

async function start() {
	theme.start();
	if (typeof DecompressionStream === "undefined") {
		$("sum").textContent = "This page needs a browser of 2023 or later (with DecompressionStream).";
		return;
	}
	try {
		const trace = await Trace.load(document.querySelectorAll("script.chunk"),
			share => $("sum").textContent = "Opening… " + Math.round(share * 100) + "%");
		// For tests, and for use in the browser's console.
		window.app = new App(trace);
		document.documentElement.dataset.ready = "yes";
	} catch (error) {
		$("sum").textContent = "This page cannot be read: " + error.message;
		throw error;
	}
}

document.addEventListener("DOMContentLoaded", start);
