// SPDX-License-Identifier: LGPL-2.1-or-later
// What many rows cost (doc/fleet.md): loads a log of tracer --format=json --json-stacks=once into DuckDB, makes as many
// runs of it, on 16 hosts and one after the other, as give so many calls, keeps them as Parquet, and runs the queries of
// share/tracer over that; with "tables", over tables that it was loaded into. Prints a line for each step: seconds that passed, seconds of CPU.
//     node bench/fleet.mjs SHARE LOG CALLS FOLDER [tables]
// from a folder with node_modules/@duckdb/node-api. FOLDER is for the database; it takes 10 GB for 100 million calls.
import { createRequire } from "node:module";
import { readFileSync, readdirSync, rmSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";

const { DuckDBInstance } = createRequire(join(process.cwd(), "x.js"))("@duckdb/node-api");
const [share, log, wanted, folder, tables] = process.argv.slice(2);
const statements = (name) => readFileSync(join(share, name), "utf8").replace(/^--.*$/gm, "").split(/;\s*$/m)
	.map((s) => s.trim()).filter(Boolean);
let db = null;

async function open(name) {
	const instance = await DuckDBInstance.create(join(folder, name));
	db = await instance.connect();
	for (const s of ["SET memory_limit = '10GB'", `SET temp_directory = '${folder}/tmp'`, "SET preserve_insertion_order = false"])
		await db.run(s);
}

async function step(what, act) {
	const cpu = process.cpuUsage(), from = performance.now();
	let said = "";
	try {
		said = (await act()) ?? "";
	} catch (e) {
		said = String(e.message).split("\n")[0];
	}
	const used = process.cpuUsage(cpu);
	console.log(`${what}: ${((performance.now() - from) / 1000).toFixed(1)} s, CPU ${((used.user + used.system) / 1e6).toFixed(1)} s ${said}`);
}

async function one(sql) {
	return (await (await db.run(sql)).getRows())[0][0];
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await open("one.db");
await db.run(`SET VARIABLE log = '${log}'`);
await step("load the log", async () => {
	for (const s of statements("duckdb.sql"))
		await db.run(s);
	return `(${await one("SELECT count(*) FROM calls")} calls, ${statSync(log).size} bytes)`;
});
const copies = Math.ceil(Number(wanted) / Number(await one("SELECT count(*) FROM calls")));
// A run is five minutes after the one before, and has another number; its host is one of 16.
const shifted = { runs: "time + 300 * k AS time, 'host' || k % 16 AS host", calls: "time + 300 * k AS time", stacks: "", names: "",
	lost: "time + 300 * k AS time" };
await step("multiply into Parquet", async () => {
	for (const [table, change] of Object.entries(shifted))
		await db.run(`COPY (SELECT * REPLACE (run + k AS run${change && ", " + change}) FROM ${table},
			(SELECT unnest(range(${copies})) AS k)) TO '${folder}/${table}.parquet' (COMPRESSION zstd)`);
	return `(${copies} runs, ${Object.keys(shifted).reduce((n, t) => n + statSync(`${folder}/${t}.parquet`).size, 0)} bytes)`;
});
db.closeSync();
await open("all.db");
await step(tables ? "load the Parquet" : "open the Parquet", async () => {
	for (const table of Object.keys(shifted))
		await db.run(`CREATE ${tables ? "TABLE" : "VIEW"} ${table} AS SELECT * FROM '${folder}/${table}.parquet'`);
	await db.run("CHECKPOINT");
	return `(${await one("SELECT count(*) FROM calls")} calls, ${await one("SELECT count(*) FROM stacks")} stacks, ` +
		`${await one("SELECT count(*) FROM names")} frames, ${statSync(join(folder, "all.db")).size} bytes)`;
});
for (const file of readdirSync(share).filter((f) => f.endsWith(".sql") && !/^(duckdb|clickhouse)/.test(f)))
	await step(file, async () => {
		for (const s of statements(file))
			await (await db.run(s)).getRows();
	});
db.closeSync();
