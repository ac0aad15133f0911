-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Errors of the last day that were not there before: the day ends with the newest call.
SELECT name, error, path, count(*) AS calls FROM calls
WHERE error IS NOT NULL AND time >= (SELECT max(time) FROM calls) - 86400
	AND (name, error, path) NOT IN (SELECT name, error, path FROM calls
		WHERE error IS NOT NULL AND time < (SELECT max(time) FROM calls) - 86400)
GROUP BY name, error, path ORDER BY calls DESC, name, error, path LIMIT 50;
