// SPDX-License-Identifier: LGPL-2.1-or-later
// The lanes of the timeline: chooses the lanes, and draws any number of calls in a lane.

// Number of rows that are combined when the view is too wide to show single rows.
const BLOCK = 64;

// Returns arrays with an element for each block of BLOCK rows of a thread: where the block begins and ends, the
// colour in which most of its time was spent, the time in calls, and whether a call failed.
function blocksOf(trace, rows) {
	const n = Math.ceil(rows.length / BLOCK), time = new Float64Array(COLORS.length);
	const b = {n, from: new Float64Array(n), to: new Float64Array(n), busy: new Float64Array(n), color: new Uint8Array(n),
		failed: new Uint8Array(n)};
	for (let i = 0; i < n; i++) {
		const end = Math.min(rows.length, (i + 1) * BLOCK);
		time.fill(0);
		b.from[i] = trace.start[rows[i * BLOCK]];
		for (let k = i * BLOCK; k < end; k++) {
			const r = rows[k];
			b.to[i] = Math.max(b.to[i], trace.start[r] + trace.duration[r]);
			if (trace.kind[r] > KIND.UNFINISHED)
				continue;
			time[trace.names[trace.nameOf[r]].color] += trace.duration[r] + 1;
			b.busy[i] += trace.duration[r];
			b.failed[i] |= trace.kind[r] === KIND.FAILED;
		}
		for (let c = 0; c < time.length; c++)
			if (time[c] > time[b.color[i]])
				b.color[i] = c;
	}
	return b;
}

// If a trace has more processes than this, lanes are packed by default: several processes share a lane.
const PACK_FROM = 24;

// Distributes items to rows so that they do not overlap in time. An item lasts from item.first to item.last. It is
// placed in the first row that is free at that time.
function packedRows(items) {
	const rows = [];
	for (const item of [...items].sort((a, b) => a.first - b.first)) {
		let row = rows.find(r => r.last <= item.first);
		if (!row)
			rows.push(row = {items: [], last: -Infinity});
		row.items.push(item);
		row.last = Math.max(row.last, item.last);
	}
	return rows.map(r => r.items);
}

// Returns the lanes of the timeline. Each process is followed by its other threads, and then by its child processes. If
// `packs` is set, threads that do not overlap in time share a lane, in chronological order. The lanes below a process
// in `folded` are omitted. The `process` of a lane is its first process, and identifies the lane. If key() is given,
// sibling lanes are sorted by the sum of key(process or thread), largest first.
function lanesOf(trace, folded, packs, key) {
	const lanes = [];
	const rowsOf = items => {
		const rows = packs ? packedRows(items) : items.map(i => [i]);
		const sum = row => row.reduce((all, item) => all + key(item), 0);
		return key ? rows.map(row => [sum(row), row]).sort((a, b) => b[0] - a[0]).map(r => r[1]) : rows;
	};
	const add = (processes, depth) => {
		const [process] = processes;
		const hides = processes.some(p => p.threads.length > 1 || p.children.length > 0);
		lanes.push({process, threads: processes.map(p => p.main), depth, hides, leads: true});
		if (folded.has(process))
			return false;
		for (const row of rowsOf(processes.flatMap(p => p.threads.filter(t => t !== p.main))))
			lanes.push({process, threads: row, depth: depth + 1, hides: false, leads: false});
		return true;
	};
	// Not recursive, because processes can be nested very deeply.
	const waiting = rowsOf(trace.processes.filter(p => !p.parent)).map(row => [row, 0]).reverse();
	while (waiting.length) {
		const [processes, depth] = waiting.pop();
		if (add(processes, depth))
			for (const row of rowsOf(processes.flatMap(p => p.children)).reverse())
				waiting.push([row, depth + 1]);
	}
	return lanes;
}

// Returns the totals of a process or thread: {calls, failed, bytes, time, waiting, busy}. `time` is the time in calls,
// and `waiting` the part of it in calls that wait. `busy` is the lifetime of the threads minus `waiting`. It stands in
// for CPU time, which the page does not contain.
function totalsOf(trace, of) {
	const t = {calls: 0, failed: 0, bytes: 0, time: 0, waiting: 0, busy: 0};
	if (of.totals)
		return of.totals;
	for (const thread of of.threads || [of]) {
		for (const r of thread.rows) {
			if (!trace.isCall(r))
				continue;
			t.calls++;
			t.failed += trace.kind[r] === KIND.FAILED;
			t.bytes += trace.bytes[r];
			t.time += trace.duration[r];
			if (COLORS[trace.names[trace.nameOf[r]].color] === "wait")
				t.waiting += trace.duration[r];
		}
		if (thread.rows.length)
			t.busy += thread.last - thread.first;
	}
	t.busy = Math.max(0, t.busy - t.waiting);
	return of.totals = t;
}

// Returns how a process ended.
const endOf = (trace, p) => p.end !== null ? trace.names[trace.nameOf[p.end]].text : trace.complete ? "left running" : "end not seen";

// Returns true if a thread has a row between the times from and to.
function isActive(trace, thread, from, to) {
	const {rows} = thread;
	if (!rows.length || thread.first > to || thread.last < from)
		return false;
	const next = firstIndex(rows.length, i => trace.start[rows[i]] >= from);
	return next < rows.length && trace.start[rows[next]] <= to ||
		next > 0 && trace.start[rows[next - 1]] + trace.duration[rows[next - 1]] >= from;
}

// Returns the threads of a lane that exist at some time between from and to.
function threadsWithin(lane, from, to) {
	const {threads} = lane, low = firstIndex(threads.length, i => threads[i].last >= from);
	let high = low;
	while (high < threads.length && threads[high].first <= to)
		high++;
	return threads.slice(low, high);
}

const commandOf = process => process.commands.length ? shortCommand(process.commands[process.commands.length - 1].text) : process.name;

// Returns the label of a command's bar, such as "cc1 chunk.c": the program and one argument. Prefers an argument that
// distinguishes similar commands: the first one that neither is an option nor follows an option. If there is none,
// takes the first one that neither is an option nor follows -o.
function labelOf(process) {
	const [program, ...args] = commandOf(process).match(/'[^']*'|\S+/g) || [process.name];
	const names = args.filter(a => !a.startsWith("-")), follows = (a, option) => option.test(args[args.indexOf(a) - 1] || "");
	const name = names.find(a => !follows(a, /^-/)) || names.find(a => !follows(a, /^-o$/));
	return program + (name ? " " + (name.startsWith("'") ? name : name.replace(/^.*\/(?=.)/, "")) : "");
}

// Returns the label of a lane as [name, id]. For a lane with several threads or processes, returns [all their names,
// their number].
function laneName(lane, threads) {
	if (threads.length === 1)
		return lane.leads ? [threads[0].process.name, threads[0].process.pid] : [threads[0].name, threads[0].tid];
	const names = [...new Set(threads.slice(0, 200).map(t => lane.leads ? t.process.name : t.name))];
	return [names.join(", ") || lane.process.name, "× " + threads.length];
}

// Returns a name and an id that fit into `room` pixels. The name is shortened if necessary.
function shortened(ctx, [name, id], room) {
	let text = clean(name), end = " " + id;
	while (text.length > 1 && ctx.measureText(text + end).width > room) {
		text = text.slice(0, -1);
		end = "… " + id;
	}
	return text + end;
}

// Returns the longest beginning of a text that fits into `room` pixels, with an ellipsis if it was cut.
function fitted(ctx, text, room) {
	if (ctx.measureText(text).width <= room)
		return text;
	const n = firstIndex(text.length, i => ctx.measureText(text.slice(0, i + 1) + "…").width > room);
	return n ? text.slice(0, n) + "…" : "";
}

// Draws the rows of a thread between the times from and to into a box of a canvas.
class LanePainter {
	constructor(trace, ctx, from, to, x, width) {
		this.trace = trace;
		this.ctx = ctx;
		this.from = from;
		this.to = to;
		this.x = x;
		this.scale = width / (to - from);
		this.right = x + width;
		this.time = new Float64Array(COLORS.length);
		this.marks = [];
		this.alpha = 1;
	}

	// Draws {rows, blocks}: all rows of a thread, or those that pass the filter.
	paint(thread, y, height, alpha = 1) {
		const {trace, from, to, ctx} = this, rows = thread.rows;
		this.alpha = ctx.globalAlpha = alpha;
		this.y = y;
		this.h = height;
		this.column = -1;
		this.marks.length = 0;
		const low = Math.max(0, firstIndex(rows.length, i => trace.start[rows[i]] >= from) - 2);
		const high = firstIndex(rows.length, i => trace.start[rows[i]] > to);
		if (high - low < 4 * BLOCK)
			for (let i = low; i < high; i++)
				this.addRow(rows[i]);
		else
			this.addBlocks(thread, low, high);
		this.flush();
		this.paintMarks();
		ctx.globalAlpha = 1;
	}

	addBlocks(thread, low, high) {
		const b = thread.blocks = thread.blocks || blocksOf(this.trace, thread.rows);
		const first = Math.floor(low / BLOCK), last = Math.ceil(high / BLOCK);
		for (let i = first; i < last; i++) {
			if ((b.to[i] - b.from[i]) * this.scale > 2) {
				// The block is wide enough to show its single rows.
				const end = Math.min(thread.rows.length, (i + 1) * BLOCK);
				for (let k = i * BLOCK; k < end; k++)
					this.addRow(thread.rows[k]);
				continue;
			}
			this.addToColumn((b.from[i] - this.from) * this.scale, b.color[i], b.busy[i] + BLOCK, b.failed[i]);
		}
	}

	addRow(r) {
		const {trace} = this, kind = trace.kind[r], begin = (trace.start[r] - this.from) * this.scale;
		if (kind > KIND.UNFINISHED) {
			this.marks.push(r);
			return;
		}
		const width = trace.duration[r] * this.scale, color = trace.names[trace.nameOf[r]].color;
		if (width < 2) {
			this.addToColumn(begin, color, trace.duration[r] + 1, kind === KIND.FAILED);
			return;
		}
		this.flush();
		const left = Math.max(this.x, this.x + begin), right = Math.min(this.right, this.x + begin + width);
		if (right > left)
			this.bar(r, left, right - left - (width > 6 ? 1 : 0), kind, color);
	}

	bar(r, x, width, kind, color) {
		const {ctx, y, h} = this;
		ctx.fillStyle = theme.colors[COLORS[color]];
		ctx.fillRect(x, y, width, h);
		if (kind === KIND.FAILED) {
			ctx.fillStyle = theme.colors.bad;
			ctx.fillRect(x, y + h - 3, width, 3);
		}
		if (width < 26)
			return;
		ctx.fillStyle = theme.colors.ink;
		ctx.font = theme.mono;
		ctx.fillText(fitted(ctx, clean(this.trace.names[this.trace.nameOf[r]].text), width - 6), x + 4, y + h / 2 + 0.5);
	}

	// Adds a call narrower than a pixel. The column gets the colour in which most of its time was spent.
	addToColumn(begin, color, time, failed) {
		const column = Math.floor(begin);
		if (column !== this.column) {
			this.flush();
			this.column = column;
		}
		this.time[color] += time;
		this.failed = this.failed || failed;
	}

	flush() {
		if (this.column < 0) {
			this.column = -1;
			this.time.fill(0);
			this.failed = false;
			return;
		}
		let best = 0, sum = 0;
		for (let c = 0; c < this.time.length; c++) {
			sum += this.time[c];
			if (this.time[c] > this.time[best])
				best = c;
		}
		const {ctx, y, h} = this, x = this.x + this.column;
		if (x < this.right) {
			ctx.globalAlpha = this.alpha * Math.min(1, 0.45 + 0.55 * sum * this.scale);
			ctx.fillStyle = theme.colors[COLORS[best]];
			ctx.fillRect(x, y, 1, h);
			ctx.globalAlpha = this.alpha;
			if (this.failed) {
				ctx.fillStyle = theme.colors.bad;
				ctx.fillRect(x, y + h - 3, 1, 3);
			}
		}
		this.column = -1;
		this.time.fill(0);
		this.failed = false;
	}

	// Draws the marks of signals and ends of threads.
	paintMarks() {
		const {ctx, trace, y, h} = this;
		let last = -9;
		for (const r of this.marks) {
			const x = this.x + (trace.start[r] - this.from) * this.scale, kind = trace.kind[r];
			if (x < this.x || x > this.right || x - last < 1)
				continue;
			last = x;
			const bad = kind === KIND.KILLED || kind === KIND.LOST;
			ctx.fillStyle = bad ? theme.colors.bad : kind === KIND.SIGNAL ? theme.colors.signal : theme.colors.fg;
			if (kind === KIND.SIGNAL || kind === KIND.BLOCKED || kind === KIND.STOPPED) {
				ctx.beginPath();
				ctx.moveTo(x - 4, y);
				ctx.lineTo(x + 4, y);
				ctx.lineTo(x, y + 7);
				ctx.fill();
			} else {
				ctx.fillRect(x - 1, y - 1, 2, h + 2);
			}
		}
	}
}
