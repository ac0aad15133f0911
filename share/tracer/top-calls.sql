-- SPDX-License-Identifier: LGPL-2.1-or-later
-- The syscalls that took the most time on all hosts together.
SELECT name, count(*) AS calls, count(error) AS errors, sum(duration) AS seconds, max(duration) AS longest
FROM calls GROUP BY name ORDER BY seconds DESC, name LIMIT 20;
