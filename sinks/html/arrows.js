// SPDX-License-Identifier: LGPL-2.1-or-later
// Arrows between lanes: from a fork to the new thread, from the end of a child to the call that waited for it, and from
// the call that ended a wait to the call that waited (--wakers). The critical path follows them backwards.

const FORKS = new Set(["fork", "vfork", "clone", "clone3"]);
// Maximum number of arrows that are drawn for all threads. If more of them are visible, only those of the selected
// thread or process are drawn.
const ARROWS_MAX = 400;

class Arrows {
	constructor(trace) {
		this.trace = trace;
		// Arrows, sorted by the time at which they end.
		this.list = []; // {cause, inferred, from: thread, at, to: thread, end, row: the record at which the arrow ends}
		this.ofRow = new Map(); // the end of each record's wait: {cause, inferred, from: thread or null, at}
		this.born = new Map(); // the arrow that created a thread
		const byTid = new Map();
		for (const t of trace.threads)
			for (const tid of t.rows.length ? t.tids : [])
				byTid.set(tid, [...byTid.get(tid) || [], t]);
		for (const w of trace.wakes)
			this.addWake(w, byTid.get(w.tid) || []);
		for (const t of trace.threads)
			if (t.parent >= 0 && t.rows.length && t.process)
				this.addFork(trace.threads[t.parent], t);
		this.list.sort((a, b) => a.end - b.end);
	}

	addWake({row, cause, tid, at, inferred}, threads) {
		const {trace} = this, to = trace.threadOf(row), end = trace.start[row] + trace.duration[row];
		// Thread ids can be reused. Take the last thread with this id that began before the wake-up.
		const from = tid && threads.filter(t => t.first <= at && t !== to).sort((a, b) => a.first - b.first).pop() || null;
		if (from && (cause === "child" || cause === "thread"))
			at = Math.min(at, from.last);
		this.ofRow.set(row, {cause, inferred, from, at});
		if (from)
			this.list.push({cause, inferred, from, at, to, end, row});
	}

	addFork(from, to) {
		const {trace} = this, {rows} = from, [row] = to.rows;
		let at = to.first;
		for (let i = firstIndex(rows.length, k => trace.start[rows[k]] > at) - 1, left = 8; i >= 0 && left; i--, left--)
			if (FORKS.has(trace.names[trace.nameOf[rows[i]]].text)) {
				at = Math.min(at, trace.start[rows[i]] + trace.duration[rows[i]]);
				break;
			}
		const arrow = {cause: "fork", from, at, to, end: to.first, row};
		this.list.push(arrow);
		this.born.set(to, arrow);
	}

	// Returns the critical path: {parts, sums, wakers, inferred}. `parts` lists {thread, from, to}, starting at the end
	// of the run. `sums` lists the time that each thread spent in calls with the same name, as
	// {thread, name, time, longest: [from, to]}. The name "running" stands for the time between calls. `wakers` is the
	// number of waits on the path that another thread ended, and `inferred` is the number of those waits whose waker
	// was inferred from the order of calls. Uses the same rules as sinks/path/walk.c.
	path() {
		const {trace} = this, parts = [], sums = new Map();
		let thread = trace.threads.reduce((best, t) => t.rows.length && (!best || t.last > best.last) ? t : best, null);
		let time = trace.to, arrived = false, wakers = 0, inferred = 0;
		const step = (from, row) => {
			arrived = false;
			from = Math.max(from, trace.from);
			if (from >= time)
				return;
			const last = parts[parts.length - 1], name = row < 0 ? "running" : trace.names[trace.nameOf[row]].text;
			const key = thread.number + " " + name, sum = sums.get(key) || {thread, name, time: 0, longest: [time, time]};
			if (last && last.thread === thread)
				last.from = from;
			else
				parts.push({thread, from, to: time});
			sum.time += time - from;
			if (time - from > sum.longest[1] - sum.longest[0])
				sum.longest = [from, time];
			sums.set(key, sum);
			time = from;
		};
		const move = to => {
			thread = to;
			arrived = true;
		};
		for (let idle = 0; thread && time > trace.from && idle < 64; idle++) {
			const before = time, row = this.callBefore(thread, time), end = row < 0 ? 0 : trace.start[row] + trace.duration[row];
			const wake = row >= 0 && !arrived && this.ofRow.get(row), born = this.born.get(thread);
			if (row < 0) {
				step(born ? born.at : thread.first, -1);
				if (!born)
					break;
				move(born.from);
			} else if (end < time) {
				step(end, -1);
			} else if (wake && wake.from && Math.min(wake.at, time) > trace.start[row]) {
				step(Math.min(wake.at, time), row);
				move(wake.from);
				wakers++;
				inferred += wake.inferred;
			} else {
				step(trace.start[row], row);
			}
			if (time < before)
				idle = 0;
		}
		if (thread)
			step(trace.from, -1);
		return {parts, wakers, inferred, sums: [...sums.values()].sort((a, b) => b.time - a.time)};
	}

	callBefore(thread, time) {
		const {trace} = this, {rows} = thread;
		let i = firstIndex(rows.length, k => trace.start[rows[k]] >= time) - 1;
		while (i >= 0 && !trace.isCall(rows[i]))
			i--;
		return i < 0 ? -1 : rows[i];
	}
}

// Draws arrows and the critical path over the lanes of a timeline.
class ArrowPainter {
	constructor(timeline) {
		this.timeline = timeline;
		this.arrows = new Arrows(timeline.trace);
		this.shown = true;
		this.path = null; // the critical path, or null if it is not shown
		this.note = "";
	}

	showPath(on) {
		this.path = on ? this.arrows.path() : null;
		this.timeline.draw();
	}

	x(time) {
		const {timeline: t} = this, most = t.gutter + t.width;
		return Math.max(t.gutter - 9, Math.min(most + 9, t.gutter + (time - t.from) / (t.to - t.from) * t.width));
	}

	// Returns the middle of a thread's lane, or undefined if the lane is hidden.
	y(thread) {
		const {timeline: t} = this, i = t.laneOf.get(thread);
		return i === undefined ? undefined : t.ruler + i * t.laneHeight - t.top + t.strip + (t.laneHeight - t.strip) / 2;
	}

	visible() {
		const {timeline: t, arrows: {list}} = this, some = [];
		for (let i = firstIndex(list.length, k => list[k].end >= t.from); i < list.length; i++)
			if (list[i].at <= t.to && t.laneOf.has(list[i].from) && t.laneOf.has(list[i].to) &&
				t.laneOf.get(list[i].from) !== t.laneOf.get(list[i].to))
				some.push(list[i]);
		return some;
	}

	render(ctx) {
		const {timeline: t} = this, all = this.shown ? this.visible() : [], lit = t.lit && t.lit.process;
		const some = all.length <= ARROWS_MAX ? all : all.filter(a => lit && (a.from.process === lit || a.to.process === lit)).slice(0, ARROWS_MAX);
		const note = some.length < all.length ? `(${count(some.length)} of ${count(all.length)}: zoom in)` : "";
		if (note !== this.note)
			$("arrow-note").textContent = this.note = note;
		ctx.save();
		ctx.beginPath();
		ctx.rect(t.gutter, t.ruler, t.width, t.canvas.clientHeight);
		ctx.clip();
		for (const a of some)
			this.arrow(ctx, this.x(a.at), this.y(a.from), this.x(a.end), this.y(a.to), theme.colors[
				a.cause === "fork" ? "fork" : a.cause === "child" || a.cause === "thread" ? "soft" : "accent"], a.inferred);
		if (this.path)
			this.renderPath(ctx);
		ctx.restore();
	}

	// Draws an arrow, with a dashed line if `inferred` is set.
	arrow(ctx, x, y, to, below, color, inferred) {
		const side = below > y ? 1 : -1, end = below - side * (this.timeline.laneHeight - this.timeline.strip) * 0.4;
		ctx.strokeStyle = ctx.fillStyle = color;
		ctx.lineWidth = 1.5;
		ctx.beginPath();
		ctx.moveTo(x, y);
		ctx.bezierCurveTo(x, (y + end) / 2, to, (y + end) / 2, to, end - side * 5);
		ctx.setLineDash(inferred ? [4, 3] : []);
		ctx.stroke();
		ctx.setLineDash([]);
		ctx.beginPath();
		ctx.moveTo(to, end);
		ctx.lineTo(to - 3.5, end - side * 6);
		ctx.lineTo(to + 3.5, end - side * 6);
		ctx.fill();
	}

	// Draws at most one part of the path in each pixel column.
	renderPath(ctx) {
		const {timeline: t, path: {parts}} = this, half = (t.laneHeight - t.strip) / 2 - 1, pixel = (t.to - t.from) / t.width;
		let last, i = firstIndex(parts.length, k => parts[k].from <= t.to);
		ctx.fillStyle = theme.colors.path;
		while (i < parts.length && parts[i].to >= t.from) {
			const {thread, from, to} = parts[i], y = this.y(thread), right = this.x(to), left = this.x(from);
			if (y !== undefined) {
				if (last !== undefined && last !== y)
					ctx.fillRect(right - 1, Math.min(y, last) + half - 2, 2, Math.abs(y - last) + 3);
				ctx.fillRect(left, y + half - 2, Math.max(1, right - left), 3);
				last = y;
			}
			const rest = Math.min(from, to - pixel);
			i = Math.max(i + 1, firstIndex(parts.length, k => parts[k].from < rest));
		}
	}
}
