// SPDX-License-Identifier: LGPL-2.1-or-later
// The list of calls and other rows, and the filter above it.

const SLOW = [[0, "Any duration"], [1e4, "≥ 10 µs"], [1e5, "≥ 100 µs"], [1e6, "≥ 1 ms"], [1e7, "≥ 10 ms"], [1e8, "≥ 100 ms"],
	[1e9, "≥ 1 s"]];

class Calls {
	constructor(app) {
		const {trace} = app;
		this.app = app;
		this.trace = trace;
		this.base = this.shown = trace.order; // records, sorted by start time; `base` ignores the selected frame
		this.process = null; // the process whose rows are shown, or null for all
		this.run = 0; // number of the current filter run
		this.settled = true; // the current filter run has finished
		this.longest = false; // sorted by duration, not by time
		this.list = new LongList($("list"), "Calls", (row, i) => this.fill(row, i), i => app.pick(this.shown[i], this));
		for (const c of [...trace.classes, "wait", "other", "events"])
			$("class").add(new Option(c === "wait" ? "wait" : c === "other" ? "other" : c, c));
		for (const [ns, text] of SLOW)
			$("slow").add(new Option(text, ns));
		let typing = 0;
		$("text").oninput = () => {
			clearTimeout(typing);
			this.settled = false;
			typing = setTimeout(() => this.filter(), 150);
		};
		for (const id of ["class", "slow", "failed", "within"])
			$(id).onchange = () => this.filter();
		$("previous").onclick = () => app.stepList(-1);
		$("next").onclick = () => app.stepList(1);
		$("only").onclick = () => this.showOnly(null);
		$("frame").onclick = () => app.flame.zoom(0);
		for (const button of document.querySelectorAll("#columns button"))
			button.onclick = () => this.sort(button.className === "took");
		this.sort(false);
		this.report();
	}

	// Sorts the list by duration if `longest` is set, otherwise by time.
	sort(longest) {
		this.longest = longest;
		for (const button of document.querySelectorAll("#columns button"))
			button.setAttribute("aria-pressed", (button.className === "took") === longest);
		this.arrange(this.inTime || this.trace.order);
	}

	// Shows these records in the list. They must be sorted by time.
	arrange(records) {
		this.inTime = this.shown = records;
		if (this.longest) {
			const order = sortedBy(Float64Array.from(records, r => -this.trace.duration[r]));
			this.shown = order.map(i => records[i]);
		}
		this.list.top = 0;
		this.list.setLength(this.shown.length);
		this.select(this.app.selected);
	}

	// Sets the text of the filter, as if it had been typed.
	look(text) {
		$("text").value = text;
		this.filter();
	}

	showOnly(process) {
		this.process = process;
		$("only").hidden = !process;
		if (process)
			$("only").textContent = clean(`Process: ${process.name} ${process.pid} ×`);
		this.filter();
	}

	// Limits the list to calls of one frame of the flame graph, for which is(record) is true. If name is "",
	// removes this limit. The limit does not affect the flame graph.
	showFrame(name, is) {
		if (!name && $("frame").hidden)
			return;
		$("frame").hidden = !name;
		$("frame").textContent = clean(`Frame: ${name} ×`);
		this.arrange(name ? this.base.filter(is) : this.base);
		this.app.timeline.light(this.inTime === this.trace.order ? null : this.inTime);
		this.report();
	}

	// Returns a function that tests a record against all filter controls except the text. Returns null if these
	// controls select everything.
	test() {
		const {trace} = this, chosen = $("class").value, slow = +$("slow").value, failed = $("failed").checked;
		const within = $("within").checked && this.app.range(), tests = [];
		if (chosen) {
			const bit = trace.classes.indexOf(chosen), color = COLORS.indexOf(chosen);
			const named = trace.names.map(n => bit >= 0 ? n.classes >> bit & 1 : n.color === color);
			if (chosen === "events")
				tests.push(r => trace.kind[r] > KIND.UNFINISHED);
			else
				tests.push(r => named[trace.nameOf[r]] && trace.kind[r] <= KIND.UNFINISHED);
		}
		if (slow)
			tests.push(r => trace.duration[r] >= slow);
		if (failed)
			tests.push(r => trace.kind[r] === KIND.FAILED);
		if (this.process) {
			const mine = trace.who.map(w => trace.threads[w.thread].process === this.process);
			tests.push(r => mine[trace.whoOf[r]]);
		}
		if (within)
			tests.push(r => trace.start[r] <= within[1] && trace.start[r] + trace.duration[r] >= within[0]);
		return tests.length ? r => tests.every(t => t(r)) : null;
	}

	// Shows the records that pass the filter. Searches the texts chunk by chunk, so that the page stays responsive.
	async filter() {
		const run = ++this.run, typed = $("text").value;
		let test = this.test(), query = null, wanted = null;
		let wrong = "not a regular expression";
		try {
			query = Query.is(typed) ? new Query(this.trace, typed) : null;
			wanted = query || typed && pattern(typed);
		} catch (error) {
			wrong = error.message;
		}
		$("text").classList.toggle("bad", wanted === null);
		this.settled = wanted === null;
		if (wanted === null) {
			$("found").textContent = wrong;
			return;
		}
		let found = null;
		if (query && !query.reads) {
			const other = test;
			test = r => query.matches(r) && (!other || other(r));
		} else if (typed) {
			found = await this.search(wanted, run);
			if (run !== this.run)
				return;
		}
		const {order} = this.trace;
		$("frame").hidden = true;
		if (!test && !found) {
			this.arrange(this.base = order);
		} else {
			const some = new Uint32Array(order.length);
			let n = 0;
			for (const r of order)
				if ((!found || found[r]) && (!test || test(r)))
					some[n++] = r;
			this.arrange(this.base = some.slice(0, n));
		}
		this.app.timeline.light(this.inTime === order ? null : this.inTime);
		this.app.markLegend();
		this.app.address.write();
		this.report();
		this.settled = true;
		this.app.filtered();
	}

	async search(wanted, run) {
		const {trace} = this, found = new Uint8Array(trace.count);
		let shown = performance.now();
		for (let c = 0; c < trace.chunks.length; c++) {
			const text = await trace.textOf(c);
			if (run !== this.run)
				return null;
			if (wanted instanceof Query)
				this.searchQuery(wanted, text, trace.chunks[c], found);
			else
				this.searchText(wanted, text, trace.chunks[c].first, found);
			if (performance.now() - shown > 50) {
				$("found").textContent = "searching… " + percent(c, trace.chunks.length);
				await new Promise(done => setTimeout(done));
				shown = performance.now();
			}
		}
		return found;
	}

	// Sets found[] of a chunk's records that match a query.
	searchQuery(query, text, chunk, found) {
		const lines = text.split("\n");
		for (let i = 0; i < chunk.rows; i++)
			found[chunk.first + i] = query.matches(chunk.first + i, lines[i]);
	}

	// `text` contains one line for each record of a chunk. Sets found[] of the records whose lines match. `first`
	// is the chunk's first record.
	searchText(wanted, text, first, found) {
		const {regex} = wanted, lower = regex ? text : text.toLowerCase();
		let record = first, line = 0; // the record whose line begins at `line`
		for (let at = 0; at < lower.length;) {
			if (regex) {
				regex.lastIndex = at;
				const match = regex.exec(lower);
				at = match ? match.index : -1;
			} else {
				at = lower.indexOf(wanted.text, at);
			}
			if (at < 0 || at >= lower.length)
				return;
			for (let end = lower.indexOf("\n", line); end >= 0 && end < at; end = lower.indexOf("\n", line)) {
				line = end + 1;
				record++;
			}
			found[record] = 1;
			at = lower.indexOf("\n", at) + 1;
			if (!at)
				return;
			line = at;
			record++;
		}
	}

	report() {
		const n = this.shown.length, all = this.trace.count;
		const range = !$("within").checked ? "the whole run" : this.app.timeline.span ? "the selected time" : "the visible time";
		$("found").textContent = (n === all ? plural(n, "row") : count(n) + " of " + plural(all, "row")) + " in " + range;
		$("previous").disabled = $("next").disabled = !n;
	}

	// Selects a record in the list if it is shown.
	select(record) {
		const {start} = this.trace, {shown} = this;
		if (record < 0) {
			this.list.show(-1);
			return;
		}
		if (this.longest) {
			this.list.show(shown.indexOf(record), true);
			return;
		}
		let i = firstIndex(shown.length, k => start[shown[k]] >= start[record]);
		while (i < shown.length && shown[i] !== record && start[shown[i]] === start[record])
			i++;
		this.list.show(shown[i] === record ? i : -1, true);
	}

	fill(row, i) {
		const {trace} = this, r = this.shown[i], kind = trace.kind[r], name = trace.names[trace.nameOf[r]];
		const mark = make("span", "mark"), text = trace.text(r);
		const what = make("span", "what" + (kind > KIND.UNFINISHED ? " event" : ""), typeof text === "string" ? text : name.text + "…");
		if (trace.isCall(r))
			mark.style.background = `var(--${COLORS[name.color]})`;
		if (kind === KIND.FAILED || kind === KIND.KILLED || kind === KIND.LOST)
			what.classList.add("bad");
		if (typeof text !== "string")
			text.then(t => what.textContent = clean(t));
		row.append(mark, make("span", "time", moment(trace.start[r])), make("span", "whom", whom(trace, r)), what,
			make("span", "took", trace.took(r, "…")));
	}
}
