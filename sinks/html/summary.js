// SPDX-License-Identifier: LGPL-2.1-or-later
// A table, by name, of the calls in the list that are in the time range.

class Summary {
	constructor(app) {
		this.app = app;
		this.trace = app.trace;
		this.by = 2;
	}

	update() {
		const {trace} = this, range = this.app.range(), rows = new Map();
		for (const r of this.app.calls.base) {
			const begin = Math.max(range[0], trace.start[r]), end = Math.min(range[1], trace.start[r] + trace.duration[r]);
			if (trace.kind[r] > KIND.UNFINISHED || end < begin)
				continue;
			const name = trace.names[trace.nameOf[r]].text;
			let row = rows.get(name);
			if (!row)
				rows.set(name, row = [name, 0, 0, 0, 0, 0]);
			row[1]++;
			row[2] += end - begin;
			row[3] = Math.max(row[3], end - begin);
			row[4] += trace.kind[r] === KIND.FAILED;
			row[5] += trace.bytes[r];
		}
		this.rows = [...rows.values()];
		this.render();
	}

	render() {
		const table = make("table"), head = make("thead"), body = make("tbody"), titles = make("tr"), {by} = this, range = this.app.range();
		table.append(make("caption", "", (this.app.timeline.span ? "Selected range, " : "Visible range, ") + span(range[1] - range[0])), head, body);
		head.append(titles);
		["call", "calls", "time", "longest", "failed", "bytes"].forEach((title, i) => {
			const th = make("th"), button = make("button", "", title);
			button.onclick = () => {
				this.by = i;
				this.render();
				$("panel-summary").querySelectorAll("th button")[i].focus();
			};
			if (i === by)
				th.setAttribute("aria-sort", i ? "descending" : "ascending");
			th.scope = "col";
			th.append(button);
			titles.append(th);
		});
		this.rows.sort((a, b) => by ? b[by] - a[by] : a[0] < b[0] ? -1 : 1);
		// Limit the number of rows, because a program can create any number of names.
		for (const [name, calls, time, longest, failed, bytes] of this.rows.slice(0, 1000)) {
			const row = make("tr"), first = make("td"), link = make("button", "link", name);
			link.title = "show only these calls";
			link.onclick = () => this.app.onlyCalls(name);
			first.append(link);
			row.append(first, make("td", "", count(calls)), make("td", "", span(time)), make("td", "", span(longest)),
				make("td", failed ? "bad" : "", failed ? count(failed) : ""), make("td", "", bytes ? size(bytes) : ""));
			body.append(row);
		}
		$("panel-summary").replaceChildren(table);
	}
}
