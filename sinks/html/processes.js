// SPDX-License-Identifier: LGPL-2.1-or-later
// Shows the tree of processes, with the name, the command line and the end of each process.

// Returns a command line without the folder of its program.
const shortCommand = text => text.replace(/^[^ ']*\/(?=[^ '/])/, "");

class Processes {
	constructor(app) {
		const {trace} = app;
		this.app = app;
		this.trace = trace;
		this.folded = new Set();
		this.box = $("panel-processes");
		const list = make("div");
		list.id = "tree";
		const columns = make("div", "columns");
		columns.append(make("span", "tree", "process"), make("span", "count", "rows"), make("span", "took", "lived"), make("span", "state", "end"));
		this.box.append(columns, list);
		this.list = new LongList(list, "Processes", (row, i) => this.fill(row, i), (i, e) => this.pick(i, e));
		this.update();
		list.addEventListener("keydown", e => {
			const p = this.rows[this.list.picked] && this.rows[this.list.picked].process;
			if (!p || e.ctrlKey || e.metaKey || e.altKey)
				return;
			if (e.key === "Enter")
				app.onlyProcess(p);
			else if (e.key === "ArrowLeft" && p.children.length && !this.folded.has(p) ||
				e.key === "ArrowRight" && this.folded.has(p))
				this.fold(p);
			else
				return;
			e.preventDefault();
			e.stopPropagation();
		});
	}

	update() {
		const rows = [], waiting = this.trace.processes.filter(p => !p.parent).map(p => [p, 0]).reverse();
		while (waiting.length) {
			const [process, depth] = waiting.pop();
			rows.push({process, depth});
			if (!this.folded.has(process))
				for (let i = process.children.length - 1; i >= 0; i--)
					waiting.push([process.children[i], depth + 1]);
		}
		this.rows = rows;
		this.list.setLength(rows.length);
	}

	fold(p) {
		const {picked} = this.list;
		if (!this.folded.delete(p))
			this.folded.add(p);
		this.update();
		this.list.show(picked);
	}

	pick(i, e) {
		const p = this.rows[i].process;
		if (e && e.target.closest && e.target.closest(".twist") && p.children.length)
			this.fold(p);
		this.app.timeline.lit = p.main;
		this.app.timeline.showThread(p.main);
		this.app.timeline.draw();
	}

	fill(row, i) {
		const {process: p, depth} = this.rows[i], {trace} = this, tree = make("span", "tree"), commands = p.commands.map(c => c.text);
		const twist = make("span", "twist", p.children.length ? this.folded.has(p) ? "▸" : "▾" : "");
		const end = p.end !== null ? trace.names[trace.nameOf[p.end]].text : trace.complete ? "left running" : "";
		tree.style.paddingLeft = Math.min(depth, 20) * 1.2 + "em";
		tree.append(twist, make("b", "", String(p.pid)), " ", make("span", commands.length ? "what" : "", commands.length ? shortCommand(commands[commands.length - 1]) : p.name));
		if (p.threads.length > 1)
			tree.append(make("span", "soft", "  " + plural(p.threads.length, "thread")));
		row.title = clean([...commands.map((c, k) => `${moment(p.commands[k].time)} s: ${c}`), `${p.name}: from ${moment(p.first)} s to ${moment(p.last)} s`].join("\n"));
		row.append(tree, make("span", "count", count(p.calls)), make("span", "took", span(p.last - p.first)),
			make("span", "state" + (end && end !== "exited with 0" && end !== "detached" && end !== "left running" ? " bad" : ""), end));
	}
}
