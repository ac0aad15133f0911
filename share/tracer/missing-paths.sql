-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Files that were looked for and are not there, and on how many hosts.
SELECT c.path AS path, count(*) AS calls, count(DISTINCT r.host) AS hosts
FROM calls AS c JOIN runs AS r ON r.run = c.run WHERE c.error = 'ENOENT' AND c.path <> ''
GROUP BY c.path ORDER BY calls DESC, path LIMIT 20;
