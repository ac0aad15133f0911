// A program that records its own stack in compiled code. Each function is called so often that V8 compiles it. With
// --allow-natives-syntax, the argument "sparkplug", "maglev" or "turbofan" selects a compiler. As in truth.js, each marked
// call tries to open a file whose name contains the stack.
'use strict';
const fs = require('fs');
Error.stackTraceLimit = 200;
const [tier, rounds] = [process.argv[2], +process.argv[3] || 6000];
const natives = process.execArgv.includes('--allow-natives-syntax');
const compile = natives && {
	sparkplug: new Function('f', '%CompileBaseline(f)'),
	maglev: new Function('f', '%PrepareFunctionForOptimization(f); return () => %OptimizeMaglevOnNextCall(f)'),
	turbofan: new Function('f', '%PrepareFunctionForOptimization(f); return () => %OptimizeFunctionOnNextCall(f)'),
}[tier];
const statusOf = natives ? new Function('f', 'return %GetOptimizationStatus(f)') : () => 0;

// Returns the name of the compiler that has compiled a function.
function tierOf(f) {
	const s = statusOf(f);
	return s & 64 ? 'turbofan' : s & 32 ? 'maglev' : s & 32768 ? 'sparkplug' : 'interpreter';
}

let current = '', collect = false;
function mark(wanted) {
	if (!wanted) return;
	if (collect) global.gc();
	const keep = Error.prepareStackTrace;
	Error.prepareStackTrace = (e, sites) => sites;
	const sites = new Error().stack;
	Error.prepareStackTrace = keep;
	const frames = sites.slice(1).filter((s) => s.getFileName() && !s.isAsync()).map((s) =>
		`${s.getFileName()}(${s.getFunctionName() || '(anonymous)'}:${s.getLineNumber()}:${s.getColumnNumber()})`);
	try {
		fs.accessSync('/nonexistent/' + Buffer.from([current, ...frames].join('\n')).toString('hex'));
	} catch (e) { }
}

// Three levels of small functions, which V8 inlines.
function third(x, m) {
	mark(m);
	return x + 1;
}
function second(x, m) { return third(x, m) * 2; }
const first = (x, m) => {
	const y = x + 1;
	return second(y, m) + 1;
};
function inlined(x, m) {
	let sum = 0;
	for (let i = 0; i < 3; i++)
		sum += first(i + x, m && i == 1);
	return sum;
}

class Account {
	constructor(n, m) {
		this.n = n;
		mark(m);
	}
	get balance() {
		mark(this.marked);
		return this.n;
	}
	add(n, m) {
		this.n += n; mark(m);
		return this;
	}
	static open(n, m) {
		return new Account(n, m);
	}
}
class Savings extends Account {
	constructor(n, m) { super(n + 1, m); }
	add(n, m) { return super.add(n * 2, m); }
}
function methods(x, m) {
	const a = Account.open(x, m), s = new Savings(x, m);
	a.marked = m;
	return a.add(1, m).balance + s.add(2, m).n;
}

function closures(x, m) {
	const outer = (y) => {
		const inner = (z) => {
			mark(m);
			return z + x;
		};
		return inner(y) + 1;
	};
	return outer(x) + outer(x + 1);
}

function recursion(n, m) {
	if (n > 0)
		return recursion(n - 1, m) + 1;
	mark(m);
	return 0;
}

function even(n, m) { if (n) return odd(n - 1, m); mark(m); return true; }
function odd(n, m) { if (n) return even(n - 1, m); mark(m); return false; }

function callbacks(x, m) {
	const values = [x, x + 1, x + 2];
	let sum = 0;
	values.forEach((v) => { sum += v; mark(m); });
	return sum + values.map((v) => { mark(m); return v * 2; })
		.filter((v) => { mark(m); return v > 0; })
		.reduce((a, b) => { mark(m); return a + b; }, 0);
}

function failing(x, m) {
	try {
		if (x >= 0) throw new Error('x');
		return 0;
	} catch (e) {
		mark(m);
		return 1;
	} finally {
		mark(m);
	}
}

function* numbers(m) {
	for (let i = 0; i < 3; i++) {
		mark(m);
		yield i;
	}
}
function generators(x, m) {
	let sum = 0;
	for (const n of numbers(m)) sum += n + x;
	return sum;
}

const object = {
	plain(x, m) { mark(m); return x; },
	set value(v) { mark(v); },
};
function spread(...args) { mark(args[1]); return args.length; }
function several(x, m) {
	object.value = m;
	spread.apply(null, [x, m]);
	spread(...[x, m], 1);
	return object.plain.call(object, x, m)
		+ Reflect.apply(object.plain, object, [x, m])
		+ object.plain.bind(object, x)(m);
}

// A loop that is so long that it is replaced while it runs.
function loop(x, m) {
	let sum = 0;
	for (let i = 0; i < 60; i++) {
		sum += third(i, m && i % 20 == 0);
		if (i == 30)
			mark(m);
	}
	return sum + x;
}

async function later(m) {
	mark(m);
	await null;
	mark(m);
}

const functions = [first, second, third, inlined, methods, Account.open, Account.prototype.add, Savings.prototype.add, closures, recursion, even, odd,
	callbacks, failing, generators, several, object.plain, loop];
const shapes = { inlined, methods, closures, recursion: (x, m) => recursion(6, m), mutual: (x, m) => even(5, m), callbacks, failing, generators, several, loop };

function main() {
	const ready = compile && tier != 'sparkplug' ? functions.map(compile) : [];
	for (const [name, f] of Object.entries(shapes)) {
		for (let i = 0; i < rounds; i++) {
			const m = i % Math.floor(rounds / 12) == Math.floor(rounds / 12) - 1;
			if (m)
				current = `${name} ${tierOf(shapes[name].name == name ? f : recursion)}`;
			if (i == Math.floor(rounds / 3))
				ready.forEach((r) => r());
			f(i & 7, m);
		}
	}
}
if (compile && tier == 'sparkplug')
	functions.forEach(compile);
collect = !!global.gc;
main();
current = 'single loop';
// Functions that are called only once run in code that replaced the interpreter's code in the middle of a loop.
(function once() {
	for (let i = 0; i < rounds * 40; i++)
		third(i, i % (rounds * 10) == rounds * 10 - 1);
})();
(async function () {
	current = 'async';
	for (let i = 0; i < rounds; i++)
		await later(i % 500 == 499);
})();
