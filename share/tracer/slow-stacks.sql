-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The stacks whose calls took the most time on all hosts together.
SELECT s.line AS line, count(DISTINCT r.host) AS hosts, count(*) AS calls, sum(c.duration) AS seconds
FROM calls AS c JOIN stacks AS s ON s.run = c.run AND s.stack_id = c.stack_id JOIN runs AS r ON r.run = c.run
GROUP BY s.line ORDER BY seconds DESC, line LIMIT 20;
