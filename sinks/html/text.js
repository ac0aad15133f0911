// SPDX-License-Identifier: LGPL-2.1-or-later
// Formats numbers, times and names.

const $ = id => document.getElementById(id);

// Returns an element with a class and text. This is the only function that puts text from the trace into the page.
function make(tag, className, text) {
	const e = document.createElement(tag);
	if (className)
		e.className = className;
	if (text !== undefined)
		e.textContent = clean(text);
	return e;
}

// Escapes characters that are invisible or change the direction of text. Names come from traced programs, which could
// use such characters to mislead the reader.
function clean(text) {
	return String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
		c => "\\u{" + c.codePointAt(0).toString(16) + "}");
}

const count = n => n.toLocaleString("en-US");
const plural = (n, what) => count(n) + " " + what + (n === 1 ? "" : "s");
const percent = (n, of) => of ? (100 * n / of).toFixed(n && n / of < 0.001 ? 3 : 1) + "%" : "0%";

const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];

// Formats a duration of ns nanoseconds with three or four significant digits.
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

// Formats a time as seconds since time 0, with enough digits to show differences of `step` nanoseconds.
function moment(ns, step) {
	const digits = Math.min(9, Math.max(0, Math.ceil(9 - Math.log10(step || 1000) - 1e-9)));
	return (ns / 1e9).toFixed(digits);
}

function size(n) {
	return n >= 1 << 30 ? (n / (1 << 30)).toFixed(1) + " GiB" : n >= 1 << 20 ? (n / (1 << 20)).toFixed(1) + " MiB" :
		n >= 1024 ? (n / 1024).toFixed(1) + " KiB" : n + " B";
}

// Formats a time as date and time of day, in the time zone of the browser.
function clockTime(trace, ns) {
	const seconds = trace.clock + ns / 1e9, date = new Date(seconds * 1000);
	const two = n => String(n).padStart(2, "0");
	const fraction = String(Math.floor((seconds - Math.floor(seconds)) * 1e6)).padStart(6, "0");
	return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
		`${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${fraction}`;
}

const baseName = path => path.slice(path.lastIndexOf("/") + 1) || path;

// The name of a frame in flame graphs. Some modules, such as [vdso], have brackets already.
const moduleName = f => f.module.startsWith("[") ? f.module : "[" + (baseName(f.module) || "unknown") + "]";
// A frame without a symbol is named after the start of its function, if this is known.
const frameName = f => f.symbol || f.name ||
	(f.offset && f.module && !f.module.startsWith("[") ? baseName(f.module) + "+0x" + (BigInt(f.address) - BigInt(f.offset)).toString(16) : moduleName(f));

// Returns the thread of a record for lists: its name at that time, and its id.
function whom(trace, record) {
	const who = trace.who[trace.whoOf[record]];
	return who.name + " " + trace.threads[who.thread].tid;
}

// Parses the text of the filter: /regex/, /regex/i, or a plain text, whose case is ignored. A path that begins and ends
// with a slash is parsed as a regular expression, which also matches that path. Returns null if the regular expression
// is invalid.
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
