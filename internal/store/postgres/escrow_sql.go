package postgres

// The statements of a replica's round trip, in their order. Each is sent apart, since one statement reads what stood before it waited for a lock. What is
// stated comes as a list for each column. Those after the number do something only if that was taken.

// Time by the database's clock.
const sqlNow = `CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)`

// How long the transaction may take, in the database.
const sqlLimitTime = `SELECT set_config('statement_timeout', $1, true), set_config('idle_in_transaction_session_timeout', $1, true)`

// A whole statement makes the replica's row. It is of no epoch yet.
const sqlMakeReplica = `
	INSERT INTO escrow_replicas (id, began, process, number, outcome, seen_at, replicas, forgotten)
	VALUES ($1, 0, -9223372036854775808, 0, 2, 0, 1, FALSE) ON CONFLICT (id) DO NOTHING`

// As escrow.Outcome numbers them. The row is locked from here on, and remembers what was decided for this transaction.
const sqlDecide = `
	UPDATE escrow_replicas SET outcome = CASE
		WHEN began > $2::BIGINT OR began = $2::BIGINT AND process > $3::BIGINT THEN 3
		WHEN began < $2::BIGINT OR process < $3::BIGINT THEN CASE WHEN $6::BOOLEAN THEN 0 ELSE 2 END
		WHEN number >= $4::BIGINT THEN 1
		WHEN number < $5::BIGINT AND NOT $6::BOOLEAN THEN 2
		ELSE 0 END
	WHERE id = $1 RETURNING outcome, began, process`

// sqlOthers is how many other replicas are there.
const sqlOthers = `(SELECT count(*) FROM escrow_replicas AS o WHERE o.id <> $1 AND NOT o.forgotten AND o.seen_at >= ` + sqlNow + ` - 10000000)`

// sqlThereSince is since when a replica has been there that is now.
const sqlThereSince = `CASE WHEN seen_at < ` + sqlNow + ` - 10000000 THEN ` + sqlNow + ` ELSE there_since END`

// seen_at is what the statements that follow have for the time, and replicas for how many are there.
const sqlTakeNumber = `
	UPDATE escrow_replicas SET began = $2, process = $3, number = $4, forgotten = FALSE, left_at = 0, seen_at = ` + sqlNow + `,
		there_since = ` + sqlThereSince + `, replicas = 1 + ` + sqlOthers + `
	WHERE id = $1 AND outcome = 0 RETURNING replicas, there_since`

// A whole statement says which program it comes from.
const sqlAnnounce = `UPDATE escrow_replicas SET program = $2, steps = $3 WHERE id = $1 AND outcome = 0`

// executed is the replica's row, if the statement took its number.
const executed = `WITH r AS (SELECT id, seen_at AS now, replicas FROM escrow_replicas WHERE id = $1 AND outcome = 0)`

// Which of some budgets are there.
const sqlSpans = `
	SELECT s.budget, s.period FROM escrow_spans AS s
	WHERE (s.budget, s.period) IN (SELECT l.budget, l.period FROM unnest($1::TEXT[], $2::BIGINT[]) AS l (budget, period))`

const sqlMakeSpans = executed + `
	INSERT INTO escrow_spans (budget, period, most, version, earlier, granted, used, wanted_until, wanted_by)
	SELECT l.budget, l.period, 0, -1, 0, 0, 0, 0, '' FROM r CROSS JOIN unnest($2::TEXT[], $3::BIGINT[]) AS l (budget, period)
	ORDER BY l.budget COLLATE "C", l.period
	ON CONFLICT (budget, period) DO NOTHING`

// The same apart from a round trip, with what was spent before. Nothing is granted of such a budget before a statement says its limit.
const sqlPrepare = `
	INSERT INTO escrow_spans (budget, period, most, version, earlier, granted, used, wanted_until, wanted_by)
	SELECT l.budget, l.period, 0, -1, l.earlier, 0, 0, 0, '' FROM unnest($1::TEXT[], $2::BIGINT[], $3::BIGINT[]) AS l (budget, period, earlier)
	ORDER BY l.budget COLLATE "C", l.period
	ON CONFLICT (budget, period) DO NOTHING`

const sqlLockSpans = executed + `
	SELECT count(*) FROM (
		SELECT s.budget FROM escrow_spans AS s
		WHERE EXISTS (SELECT 1 FROM r) AND (s.budget, s.period) IN (SELECT l.budget, l.period FROM unnest($2::TEXT[], $3::BIGINT[]) AS l (budget, period))
		ORDER BY s.budget, s.period FOR UPDATE OF s) AS locked`

// Of a whole statement: with those of which the replica has a lease.
const sqlLockAllSpans = executed + `
	SELECT count(*) FROM (
		SELECT s.budget FROM escrow_spans AS s
		WHERE EXISTS (SELECT 1 FROM r) AND (s.budget, s.period) IN (
			SELECT l.budget, l.period FROM unnest($2::TEXT[], $3::BIGINT[]) AS l (budget, period)
			UNION SELECT e.budget, e.period FROM escrow_leases AS e WHERE e.replica = $1)
		ORDER BY s.budget, s.period FOR UPDATE OF s) AS locked`

// Of a whole statement: leases that it does not name become what was used.
const sqlSettle = executed + `, rest AS (
		SELECT e.budget, e.period, e.granted, e.used, e.doubt FROM r JOIN escrow_leases AS e ON e.replica = r.id
		WHERE (e.granted <> e.used OR e.doubt <> 0)
			AND NOT EXISTS (SELECT 1 FROM unnest($2::TEXT[], $3::BIGINT[]) AS l (budget, period) WHERE l.budget = e.budget AND l.period = e.period)
	), sums AS (
		UPDATE escrow_spans AS s SET granted = s.granted - (rest.granted - rest.used), used = s.used - rest.doubt
		FROM rest WHERE s.budget = rest.budget AND s.period = rest.period RETURNING 1
	)
	UPDATE escrow_leases AS e SET granted = e.used, doubt = 0
	FROM rest WHERE e.replica = $1 AND e.budget = rest.budget AND e.period = rest.period`

// It gives what escrow.Share says. Each step is computed once, since it is materialized: where the planner puts steps into one another, expressions and
// queries that are named often become many, and planning takes three times as long.
const sqlGrant = executed + `, l AS (
		SELECT * FROM unnest($2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], $8::BIGINT[], $9::BIGINT[], $10::BIGINT[],
				$11::BOOLEAN[], $12::BOOLEAN[])
			AS l (budget, period, most, version, used, keep, need, smallest, demand, wants, final)
	), known AS MATERIALIZED (
		SELECT r.now, r.replicas, l.budget, l.period, l.used, l.keep, l.need, l.smallest, l.demand, l.wants, l.final,
			CASE WHEN l.most > 0 AND l.version >= s.version THEN l.most ELSE s.most END AS most,
			CASE WHEN l.most > 0 AND l.version >= s.version THEN l.version ELSE s.version END AS version,
			s.earlier, s.granted AS all_granted, s.used AS all_used, s.now_contested,
			coalesce(own.granted, 0) AS own_granted, coalesce(own.used + own.doubt, 0) AS own_used,
			1 + (SELECT count(*) FROM escrow_leases AS o
				WHERE o.budget = l.budget AND o.period = l.period AND o.replica <> $1 AND o.granted - o.used - o.doubt > 0) AS holders
		FROM r CROSS JOIN l
		JOIN (SELECT s.*, s.wanted_by <> $1 AND s.wanted_until > (SELECT now FROM r) AS now_contested FROM escrow_spans AS s) AS s
			ON s.budget = l.budget AND s.period = l.period
		LEFT JOIN escrow_leases AS own ON own.budget = l.budget AND own.period = l.period AND own.replica = $1
	), rooms AS (
		SELECT *, most - earlier - (all_granted - own_granted) - keep AS room FROM known
	), shares AS MATERIALIZED (
		SELECT *, CASE
			WHEN NOT wants OR room <= 0 OR room < smallest THEN 0
			WHEN room < need THEN room
			WHEN now_contested THEN need
			ELSE greatest(need, least(greatest(demand, room / (4 * replicas)), room / (2 * holders))) END AS share
		FROM rooms
	), given AS (
		SELECT *, keep + CASE
			WHEN final AND share < smallest AND holders = 1 AND keep = used AND all_used - own_used + used + earlier < most THEN smallest
			ELSE share END AS granted
		FROM shares
	), leases AS (
		INSERT INTO escrow_leases (budget, period, replica, granted, used, doubt, shipped)
		SELECT budget, period, $1, granted, used, 0, 0 FROM given
		ON CONFLICT (budget, period, replica) DO UPDATE SET granted = excluded.granted, used = excluded.used, doubt = 0 RETURNING 1
	)
	UPDATE escrow_spans AS s SET most = g.most, version = g.version, granted = s.granted + (g.granted - g.own_granted), used = s.used + (g.used - g.own_used),
		wanted_until = CASE WHEN g.granted - g.keep < g.need THEN g.now + 2000000 ELSE s.wanted_until END,
		wanted_by = CASE WHEN g.granted - g.keep < g.need THEN $1 ELSE s.wanted_by END
	FROM given AS g WHERE s.budget = g.budget AND s.period = g.period
	RETURNING s.budget, s.period, g.granted, s.most - s.earlier - s.granted, s.used + s.earlier, s.most, s.version`

const sqlMakeBuckets = executed + `
	INSERT INTO escrow_buckets (subject, full_at)
	SELECT l.subject, 0 FROM r CROSS JOIN unnest($2::TEXT[]) AS l (subject) ORDER BY l.subject COLLATE "C"
	ON CONFLICT (subject) DO NOTHING`

const sqlLockBuckets = executed + `
	SELECT count(*) FROM (
		SELECT b.subject FROM escrow_buckets AS b WHERE EXISTS (SELECT 1 FROM r) AND b.subject = ANY ($2::TEXT[])
		ORDER BY b.subject FOR UPDATE OF b) AS locked`

// It does what the bucket of escrow does, in nanoseconds. No time is longer than 2^61 of them. Its steps
// are materialized for the same reason.
const sqlExchangeRates = executed + `, l AS (
		SELECT l.*, (60000000000 + l.most - 1) / l.most AS unit
		FROM unnest($2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[], $7::BIGINT[], $8::BIGINT[], $9::BIGINT[])
			AS l (subject, most, back, since, debt, need, smallest, spare)
	), worth AS MATERIALIZED (
		SELECT b.subject, b.since, l.most, l.debt, l.need, l.smallest, l.spare, l.unit, r.now * 1000 AS now, r.replicas,
			b.full_at - CASE WHEN l.since = b.since AND b.full_at > r.now * 1000 THEN least(l.back, 2305843009213693952 / l.unit) * l.unit ELSE 0 END AS full_at,
			least(l.debt, 2305843009213693952 / l.unit) * l.unit AS debt_time,
			least(l.need, 2305843009213693952 / l.unit) * l.unit AS need_time, least(l.smallest, 2305843009213693952 / l.unit) * l.unit AS smallest_time,
			least(l.most, 2305843009213693952 / l.unit) * l.unit AS most_time
		FROM r CROSS JOIN l JOIN escrow_buckets AS b ON b.subject = l.subject
	), owed AS MATERIALIZED (
		SELECT *, CASE WHEN full_at <= now THEN now ELSE since END AS now_since,
			CASE WHEN debt > 0 THEN least(greatest(full_at, now) + debt_time, now + 2305843009213693952) ELSE full_at END AS owed
		FROM worth
	), rooms AS MATERIALIZED (
		SELECT *, most_time - greatest(owed - now, 0) AS room FROM owed
	), given AS MATERIALIZED (
		SELECT *, CASE
			WHEN smallest_time > room THEN 0
			WHEN need_time > room THEN room / unit
			ELSE need + least(spare, most / (80 * replicas), (room - need_time) / unit / (4 * replicas)) END AS given
		FROM rooms
	)
	UPDATE escrow_buckets AS b SET since = g.now_since, full_at = CASE WHEN g.given > 0 THEN greatest(g.owed, g.now) + g.given * g.unit ELSE g.owed END
	FROM given AS g WHERE b.subject = g.subject
	RETURNING b.subject, g.given, CASE WHEN g.need > 0 AND g.given = 0 THEN g.smallest_time - g.room ELSE 0 END, greatest(b.full_at - g.now, 0), b.since`

const sqlMakePlaces = executed + `
	INSERT INTO escrow_places (subject)
	SELECT l.subject FROM r CROSS JOIN unnest($2::TEXT[]) AS l (subject) ORDER BY l.subject COLLATE "C"
	ON CONFLICT (subject) DO NOTHING`

const sqlLockPlaces = executed + `
	SELECT count(*) FROM (
		SELECT p.subject FROM escrow_places AS p WHERE EXISTS (SELECT 1 FROM r) AND p.subject = ANY ($2::TEXT[])
		ORDER BY p.subject FOR UPDATE OF p) AS locked`

// A whole statement names all places that its process has. Others are an earlier one's.
const sqlLeavePlaces = executed + `
	DELETE FROM escrow_slots AS s USING r WHERE s.replica = r.id AND NOT s.subject = ANY ($2::TEXT[])`

// Places of replicas that are not there are free. When they were stated last matters to nothing but their end. A limit whose row was pruned in this moment is not answered; the next statement makes it again.
const sqlExchangePlaces = executed + `, l AS (
		SELECT * FROM unnest($2::TEXT[], $3::BIGINT[], $4::BIGINT[], $5::BIGINT[], $6::BIGINT[]) AS l (subject, most, running, keep, need)
	), rooms AS (
		SELECT l.subject, l.running, l.keep + l.need + CASE WHEN l.need > 0 THEN l.most / (8 * r.replicas) ELSE 0 END AS wants, r.now,
			l.most - (SELECT coalesce(sum(s.n), 0)::BIGINT FROM escrow_slots AS s JOIN escrow_replicas AS o ON o.id = s.replica
				WHERE s.subject = l.subject AND s.replica <> $1 AND NOT o.forgotten AND o.seen_at >= r.now - 10000000) AS room
		FROM r CROSS JOIN l JOIN escrow_places AS p ON p.subject = l.subject
	), slots AS (
		INSERT INTO escrow_slots (subject, replica, n, until)
		SELECT subject, $1, greatest(running, least(wants, room)), now + 10000000 FROM rooms
		ON CONFLICT (subject, replica) DO UPDATE SET n = excluded.n, until = excluded.until RETURNING 1
	)
	SELECT subject, greatest(running, least(wants, room)), room - greatest(running, least(wants, room)) FROM rooms`

// A question, with what is wanted of the replica's budgets.
const (
	sqlSee = `
	UPDATE escrow_replicas SET seen_at = CASE WHEN began = $2 AND process = $3 AND number >= $4 THEN ` + sqlNow + ` ELSE seen_at END,
		there_since = CASE WHEN began = $2 AND process = $3 AND number >= $4 THEN ` + sqlThereSince + ` ELSE there_since END
	WHERE id = $1 RETURNING began, process, number, there_since, 1 + ` + sqlOthers

	sqlWanted = `
	SELECT e.budget, e.period, e.granted FROM escrow_spans AS s JOIN escrow_leases AS e ON e.budget = s.budget AND e.period = s.period AND e.replica = $1
	WHERE s.wanted_until > ` + sqlNow + ` AND s.wanted_by <> $1 ORDER BY e.budget, e.period`
)

// What is done with a replica that is gone. Its row is locked first, then those of its budgets.
const (
	sqlForget = `
	UPDATE escrow_replicas SET began = began + 1, process = -9223372036854775808, number = 0, forgotten = TRUE, seen_at = 0
	WHERE id = $1 AND began > 0`

	sqlLockLeased = `
	SELECT count(*) FROM (
		SELECT s.budget FROM escrow_spans AS s WHERE (s.budget, s.period) IN (SELECT e.budget, e.period FROM escrow_leases AS e WHERE e.replica = $1)
		ORDER BY s.budget, s.period FOR UPDATE OF s) AS locked`

	// Of the requests that it ran, a repeat may run.
	sqlFreeClaims = `DELETE FROM idempotent WHERE size = 0 AND instance = $1`

	// What it has outstanding is back, or in doubt. What its rows in the ledger say that it used, it used, though it did not come to say so.
	sqlFree = `
	WITH mine AS (
		SELECT e.budget, e.period, e.used, e.granted, e.doubt, greatest(e.used, e.shipped) AS now_used
		FROM escrow_leases AS e JOIN escrow_replicas AS r ON r.id = e.replica WHERE e.replica = $1 AND r.began > 0
	), left_over AS (
		SELECT *, CASE WHEN $2::BOOLEAN THEN 0 ELSE greatest(granted - now_used, 0) END AS now_doubt FROM mine
	), sums AS (
		UPDATE escrow_spans AS s SET granted = s.granted + (m.now_used + m.now_doubt - m.granted), used = s.used + (m.now_used + m.now_doubt - m.used - m.doubt)
		FROM left_over AS m WHERE s.budget = m.budget AND s.period = m.period RETURNING 1
	)
	UPDATE escrow_leases AS e SET granted = m.now_used + m.now_doubt, used = m.now_used, doubt = m.now_doubt
	FROM left_over AS m WHERE e.replica = $1 AND e.budget = m.budget AND e.period = m.period`
)

// What replicas have outstanding that were not seen for long is back. What their rows in the ledger say that they used, they used. The rows of the budgets are
// locked.
const sqlReclaim = `
	WITH lost AS (
		SELECT e.budget, e.period, e.replica, e.granted, e.used, greatest(e.used, e.shipped) AS now_used
		FROM escrow_leases AS e JOIN escrow_replicas AS r ON r.id = e.replica
		JOIN unnest($1::TEXT[], $2::BIGINT[]) AS l (budget, period) ON e.budget = l.budget AND e.period = l.period
		WHERE NOT r.forgotten AND r.seen_at < ` + sqlNow + ` - $3::BIGINT AND e.granted > e.used + e.doubt
	), sums AS (
		UPDATE escrow_spans AS s SET granted = s.granted - d.back, used = s.used + d.more
		FROM (SELECT budget, period, sum(granted - now_used)::BIGINT AS back, sum(now_used - used)::BIGINT AS more FROM lost GROUP BY budget, period) AS d
		WHERE s.budget = d.budget AND s.period = d.period RETURNING 1
	)
	UPDATE escrow_leases AS e SET granted = l.now_used, used = l.now_used
	FROM lost AS l WHERE e.budget = l.budget AND e.period = l.period AND e.replica = l.replica`

// Rows of a replica came into the ledger. What a forgotten one had in doubt becomes what they say.
const (
	sqlLockReplica = `SELECT forgotten FROM escrow_replicas WHERE id = $1 FOR UPDATE`

	// Of one that is not forgotten. What it used it states itself.
	sqlShippedOf = `
	UPDATE escrow_leases AS e SET shipped = e.shipped + l.took FROM unnest($2::TEXT[], $3::BIGINT[], $4::BIGINT[]) AS l (budget, period, took)
	WHERE e.replica = $1 AND e.budget = l.budget AND e.period = l.period`

	sqlLockArrived = `
	SELECT count(*) FROM (
		SELECT s.budget FROM escrow_spans AS s
		WHERE (s.budget, s.period) IN (SELECT l.budget, l.period FROM unnest($1::TEXT[], $2::BIGINT[]) AS l (budget, period))
		ORDER BY s.budget, s.period FOR UPDATE OF s) AS locked`

	sqlArrive = `
	WITH came AS (
		SELECT e.budget, e.period, e.granted, e.used, e.doubt, e.shipped + l.took AS shipped,
			greatest(e.used, e.shipped + l.took) AS now_used
		FROM unnest($2::TEXT[], $3::BIGINT[], $4::BIGINT[]) AS l (budget, period, took)
		JOIN escrow_leases AS e ON e.budget = l.budget AND e.period = l.period AND e.replica = $1
	), become AS (
		SELECT budget, period, granted, used, doubt, shipped, now_used, greatest(doubt - (now_used - used), 0) AS now_doubt FROM came
	), leases AS (
		SELECT budget, period, granted, used, doubt, shipped, now_used, now_doubt, greatest(granted, now_used + now_doubt) AS now_granted FROM become
	), sums AS (
		UPDATE escrow_spans AS s SET granted = s.granted + (c.now_granted - c.granted), used = s.used + (c.now_used + c.now_doubt - c.used - c.doubt)
		FROM leases AS c WHERE s.budget = c.budget AND s.period = c.period RETURNING 1
	)
	UPDATE escrow_leases AS e SET granted = c.now_granted, used = c.now_used, doubt = c.now_doubt, shipped = c.shipped
	FROM leases AS c WHERE e.replica = $1 AND e.budget = c.budget AND e.period = c.period`

	sqlKept = `SELECT budget, period, shipped FROM escrow_leases WHERE replica = $1 ORDER BY budget, period`
)

// What is left of periods that ended long ago, of limits that were not used since, and of replicas that were not seen since and have nothing.
const (
	sqlPruneReplicas = `
	DELETE FROM escrow_replicas AS r WHERE r.seen_at < $1 AND NOT EXISTS (SELECT 1 FROM escrow_leases AS e WHERE e.replica = r.id)`

	sqlPruneLeases = `DELETE FROM escrow_leases WHERE period <> 0 AND period < $1`

	sqlPruneSpans = `
	DELETE FROM escrow_spans AS s WHERE s.period <> 0 AND s.period < $1
		AND NOT EXISTS (SELECT 1 FROM escrow_leases AS e WHERE e.budget = s.budget AND e.period = s.period)`

	sqlPruneBuckets = `DELETE FROM escrow_buckets WHERE full_at < $1`

	sqlPruneSlots = `
	DELETE FROM escrow_slots AS s WHERE s.until < $1
		AND (s.n = 0 OR NOT EXISTS (SELECT 1 FROM escrow_replicas AS o WHERE o.id = s.replica AND o.seen_at >= $1))`

	sqlPrunePlaces = `DELETE FROM escrow_places AS p WHERE NOT EXISTS (SELECT 1 FROM escrow_slots AS s WHERE s.subject = p.subject)`
)

const sqlBooks = `
	SELECT s.granted, s.used, coalesce(sum(e.granted), 0)::BIGINT, coalesce(sum(e.used + e.doubt), 0)::BIGINT
	FROM escrow_spans AS s LEFT JOIN escrow_leases AS e ON e.budget = s.budget AND e.period = s.period
	WHERE s.budget = $1 AND s.period = $2 GROUP BY s.granted, s.used`
