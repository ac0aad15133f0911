-- SPDX-License-Identifier: LGPL-2.1-or-later
-- Errors that occurred in the last 24 hours before the newest call, but not earlier.
SELECT name, error, path, count(*) AS calls FROM calls
WHERE error IS NOT NULL AND time >= (SELECT max(time) FROM calls) - 86400
	AND (name, error, path) NOT IN (SELECT name, error, path FROM calls
		WHERE error IS NOT NULL AND time < (SELECT max(time) FROM calls) - 86400)
GROUP BY name, error, path ORDER BY calls DESC, name, error, path LIMIT 50;
