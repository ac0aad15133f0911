// SPDX-License-Identifier: LGPL-2.1-or-later
// How numbers, times and names look.

const $ = id => document.getElementById(id);

// An element with a class and text. Text from the trace gets into the page here, and by no other way.
function make(tag, className, text) {
	const e = document.createElement(tag);
	if (className)
		e.className = className;
	if (text !== undefined)
		e.textContent = clean(text);
	return e;
}

// Names are what a traced program chose: what would be invisible, or turn other text around, is shown.
function clean(text) {
	return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
		c => "\\u{" + c.codePointAt(0).toString(16) + "}");
}

const count = n => n.toLocaleString("en-US");
const plural = (n, what) => count(n) + " " + what + (n === 1 ? "" : "s");
const percent = (n, of) => of ? (100 * n / of).toFixed(n && n / of < 0.001 ? 3 : 1) + "%" : "0%";

const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];

// A duration of ns nanoseconds, with three or four digits that count.
function span(ns) {
	if (!ns)
		return "0";
	if (ns >= 60e9) {
		const s = Math.round(ns / 1e9);
		const hours = Math.floor(s / 3600), minutes = Math.floor(s / 60) % 60;
		return (hours ? hours + " h " : "") + minutes + " min " + s % 60 + " s";
	}
	const [unit, size] = UNITS.find(u => ns >= u[1]) || UNITS[3], v = ns / size;
	return (size === 1 ? Math.round(v) : v.toFixed(v < 10 ? 3 : v < 100 ? 2 : 1)) + " " + unit;
}

// A moment as seconds since time 0, with so many digits that step nanoseconds can be told.
function moment(ns, step) {
	const digits = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(step || 1000) - 1e-9)));
	return (ns / 1e9).toFixed(digits);
}

function size(n) {
	return n >= 1 << 30 ? (n / (1 << 30)).toFixed(1) + " GiB" : n >= 1 << 20 ? (n / (1 << 20)).toFixed(1) + " MiB" :
		n >= 1024 ? (n / 1024).toFixed(1) + " KiB" : n + " B";
}

// The time of day of a moment, where the page is looked at.
function clockTime(trace, ns) {
	const seconds = trace.clock + ns / 1e9, date = new Date(seconds * 1000);
	const two = n => String(n).padStart(2, "0");
	const fraction = String(Math.floor((seconds - Math.floor(seconds)) * 1e6)).padStart(6, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
		`${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${fraction}`;
}

const baseName = path => path.slice(path.lastIndexOf("/") + 1) || path;

// A frame as a flame graph calls it.
const frameName = f => f.symbol || "[" + (baseName(f.module) || "unknown") + "]";

// A thread as lists call it: its name then, and its id.
function whom(trace, record) {
	const who = trace.who[trace.whoOf[record]];
	return who.name + " " + trace.threads[who.thread].tid;
}

// What was typed into the filter: text in any case, or /regex/, perhaps with the flag i. A path that
// ends with a slash would be taken for a regex, which finds it as well. null: it is no regular expression.
function pattern(typed) {
	const regex = /^\/(.+)\/(i?)$/.exec(typed);
	if (!regex)
		return {text: typed.toLowerCase()};
	try {
		return {regex: new RegExp(regex[1], "gm" + regex[2])};
	} catch (error) {
		return null;
	}
}
