-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Tables for DuckDB of logs written by tracer --format=json --json-stacks=once. First select the logs:
--     SET VARIABLE log = 'logs/*.json';
CREATE TEMP VIEW log AS SELECT * FROM read_json(getvariable('log'), format = 'newline_delimited', columns = {
	type: 'VARCHAR', time: 'DOUBLE', run: 'UBIGINT', pid: 'BIGINT', tid: 'BIGINT', comm: 'VARCHAR', nr: 'BIGINT',
	name: 'VARCHAR', abi: 'VARCHAR', args: 'JSON', ret: 'BIGINT', error: 'VARCHAR', status: 'VARCHAR', detail: 'JSON',
	duration: 'DOUBLE', stack_id: 'UBIGINT', module_id: 'UBIGINT', module: 'VARCHAR', build_id: 'VARCHAR',
	stack: 'STRUCT(module_id UBIGINT, addr VARCHAR, symbol VARCHAR, "offset" UBIGINT, file VARCHAR, line UBIGINT)[]',
	stack_status: 'VARCHAR', count: 'UBIGINT', cause: 'VARCHAR', run_id: 'VARCHAR', host: 'VARCHAR', boot: 'VARCHAR',
	kernel: 'VARCHAR', machine: 'VARCHAR', tracer: 'VARCHAR', command: 'VARCHAR[]'});

CREATE TABLE runs AS SELECT run, run_id, time, host, boot, kernel, machine, tracer, command FROM log WHERE type = 'run';
-- path is the first argument that names a file.
CREATE TABLE calls AS
	SELECT run, time, pid, tid, comm, name, abi, ret, error, status, duration, stack_id, args,
		coalesce(args ->> '$.pathname.text', args ->> '$.pathname', args ->> '$.filename', args ->> '$.path',
			args ->> '$.oldpath', args ->> '$.oldname', args ->> '$.target', '') AS path
	FROM log WHERE type = 'syscall';
CREATE TABLE stacks AS
	SELECT run, stack_id, stack_status AS status, len(stack) AS depth,
		array_to_string([coalesce(f.symbol, '?') FOR f IN stack], ';') AS line
	FROM log WHERE type = 'stack';
-- The frames of stacks with their names; depth 0 is the innermost.
CREATE TABLE names AS
	SELECT f.run, f.stack_id, f.depth, m.module, m.build_id, f.frame.addr AS addr, f.frame.symbol AS symbol,
		f.frame."offset" AS "offset", f.frame.file AS file, f.frame.line AS line
	FROM (SELECT run, stack_id, generate_subscripts(stack, 1) - 1 AS depth, unnest(stack) AS frame FROM log WHERE type = 'stack') AS f
	LEFT JOIN (SELECT run, module_id, module, build_id FROM log WHERE type = 'module') AS m
		ON m.run = f.run AND m.module_id = f.frame.module_id;
CREATE TABLE lost AS SELECT run, time, tid, count AS events, cause FROM log WHERE type = 'lost';
