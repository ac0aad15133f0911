// A program that records its own stack. At each marked call, it tries to open a file whose name contains the stack.
'use strict';
const fs = require('fs');
Error.stackTraceLimit = 200;

function mark(label) {
	const keep = Error.prepareStackTrace;
	Error.prepareStackTrace = (e, sites) => sites;
	const sites = new Error().stack;
	Error.prepareStackTrace = keep;
	const frames = sites.slice(1).filter((s) => s.getFileName()).map((s) =>
		`${s.getFileName()}(${s.getFunctionName() || '(anonymous)'}:${s.getLineNumber()}:${s.getColumnNumber()})`);
	try {
		fs.accessSync('/nonexistent/' + Buffer.from([label, ...frames].join('\n')).toString('hex'));
	} catch (e) { }
	if (process.env.TRUTH_SLEEP)
		Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, process.env.TRUTH_SLEEP / 1000);
}

class Store {
	load(n) {
		if (n) return this.load(n - 1);
		mark('recursion');
	}
	static still(x) { mark('static'); return x; }
	get value() { mark('getter'); return 1; }
	constructor() { mark('constructor'); }
}

function* numbers() {
	mark('generator');
	yield 1;
}

async function later() {
	mark('async');
	await null;
	mark('async again');
}

function failing() {
	try {
		throw new Error('x');
	} catch (e) {
		mark('catch');
	} finally {
		mark('finally');
	}
}

const assigned = function () { mark('assigned'); };
const arrow = (x) => { mark('arrow'); return x; };
const object = { method() { mark('method'); }, property: () => mark('property') };
// The calling function has a name in a two-byte string.
function größe() { mark('name'); } function 名() { größe(); }

function deep(n) {
	if (n) deep(n - 1); else mark('deep');
}

function main() {
	const s = new Store();
	s.load(5);
	s.value;
	Store.still(1);
	for (const x of numbers()) mark('loop');
	failing();
	assigned();
	arrow(1);
	object.method();
	object.property();
	名();
	[1, 2].map((x) => Store.still(x));
	[2, 1].sort((a, b) => { mark('compare'); return a - b; });
	JSON.parse('[1]', (k, v) => { mark('reviver'); return v; });
	'a'.replace(/a/, () => { mark('replace'); return ''; });
	for (let i = 0; i < 10; i++)
		new Function('mark', '\n'.repeat(i % 3) + 'mark("generated")')(mark);
	deep(12);
	later();
}
main();
setTimeout(() => mark('timer'), 1);
process.nextTick(() => mark('tick'));
