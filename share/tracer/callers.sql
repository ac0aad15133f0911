-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The functions that cause the calls. A function that occurs several times in a stack counts once.
SELECT f.symbol AS symbol, f.module AS module, count(*) AS calls, sum(c.duration) AS seconds
FROM (SELECT DISTINCT run, stack_id, symbol, module FROM names WHERE symbol IS NOT NULL) AS f
JOIN calls AS c ON c.run = f.run AND c.stack_id = f.stack_id
GROUP BY f.symbol, f.module ORDER BY seconds DESC, symbol, module LIMIT 20;
