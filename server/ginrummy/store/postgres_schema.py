"""The PostgreSQL database: its tables, and what they refuse by themselves.

As in SQLite the log defends itself: its triggers refuse, whoever writes and with whatever program,
every change of a stored line, and every new line that does not continue its stream in number and
in hash. They also give each line its position.

**The order of all lines.** A number from a sequence is given before the commit, so a higher one can
become visible before a lower one, and a reader that has gone past would never see the late line.
Here a line's position is one more than that of the last line that its own transaction can see, and
it can see committed lines only; two that take the same number are kept apart by the primary key. So
a position becomes visible after all lower ones, and none is ever left out. That writers also queue
for one lock, which each holds to the end of its transaction, only saves them from colliding.

In the scripts `{schema}` is the schema, named in full where a function refers to a table, since the
function may be called from anywhere.
"""

__all__ = ["CACHE", "LOG", "READABLE", "ROWS", "TREE", "WRITABLE"]

LOG = """
CREATE FUNCTION line_field(line text, field text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    -- A text of PostgreSQL's cannot hold U+0000: it is shown as a character that is missing.
    SELECT replace(line, '\\u0000', '\\ufffd')::json ->> field
$$;

CREATE TABLE events (
    position bigint PRIMARY KEY CHECK (position >= 1),
    stream text COLLATE "C" NOT NULL,
    seq bigint NOT NULL CHECK (seq >= 1),
    hash text COLLATE "C" NOT NULL,
    line text COLLATE "C" NOT NULL,
    -- For whoever looks with SQL.
    at text COLLATE "C" GENERATED ALWAYS AS (line_field(line, 'at')) STORED,
    by text COLLATE "C" GENERATED ALWAYS AS (line_field(line, 'by')) STORED,
    cmd text COLLATE "C" GENERATED ALWAYS AS (line_field(line, 'cmd')) STORED,
    type text COLLATE "C" GENERATED ALWAYS AS (line_field(line, 'type')) STORED,
    UNIQUE (stream, seq)
);

CREATE FUNCTION lock_log() RETURNS void LANGUAGE sql AS $$
    -- The table's own number, since one database may have logs in several schemas.
    SELECT pg_advisory_xact_lock(1198091858, '{schema}.events'::regclass::oid::int)
$$;

CREATE FUNCTION events_continue() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last bigint;
    before text;
BEGIN
    -- The same lock: a call of the function above would take longer than all the rest.
    PERFORM pg_advisory_xact_lock(1198091858, TG_RELID::int);
    -- After the lock, and by a statement of its own: it sees what the last holder has committed.
    SELECT (SELECT max(position) FROM {schema}.events),
        (SELECT hash FROM {schema}.events WHERE stream = NEW.stream AND seq = NEW.seq - 1)
        INTO last, before;
    IF NEW.position <> 1 + coalesce(last, 0) THEN
        RAISE 'a line goes at the end of the log' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    NEW.position := 1 + coalesce(last, 0);
    IF before IS NULL THEN
        IF NEW.seq <> 1 THEN
            RAISE 'not the next line of its stream'
                USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        before := repeat('0', 64);
    END IF;
    -- That a number is not taken yet, the table's own constraint says.
    IF right(NEW.line, 74) <> '"prev":"' || before || '"}}' THEN
        RAISE 'not linked to the line before' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF NEW.hash <> encode(sha256(convert_to(NEW.line, 'UTF8')), 'hex') THEN
        RAISE 'not the hash of the line' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE FUNCTION stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE '% is only ever added to', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER events_continue BEFORE INSERT ON events
    FOR EACH ROW EXECUTE FUNCTION events_continue();
CREATE TRIGGER events_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    EXECUTE FUNCTION stays();
-- Also for a session that says it only copies from elsewhere.
ALTER TABLE events ENABLE ALWAYS TRIGGER events_continue;
ALTER TABLE events ENABLE ALWAYS TRIGGER events_stay;

CREATE TABLE secrets (
    stream text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    secret bytea NOT NULL,
    PRIMARY KEY (stream, name)
);
CREATE TRIGGER secrets_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON secrets
    EXECUTE FUNCTION stays();
ALTER TABLE secrets ENABLE ALWAYS TRIGGER secrets_stay;

CREATE TABLE credentials (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player text COLLATE "C" NOT NULL UNIQUE,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('player', 'director', 'auditor')),
    token_hash text COLLATE "C" NOT NULL UNIQUE,
    created text NOT NULL
);
"""

TREE = """
CREATE TABLE tiles (
    level integer NOT NULL CHECK (level >= 0),
    number bigint NOT NULL CHECK (number >= 0),
    position bigint NOT NULL,
    root bytea NOT NULL CHECK (length(root) = 32),
    hashes bytea NOT NULL CHECK (length(hashes) = 256 * 32),
    PRIMARY KEY (level, number)
);
CREATE INDEX tiles_by_position ON tiles (level, position);

CREATE FUNCTION tiles_continue() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.number <> 1 + coalesce((
        SELECT max(number) FROM {schema}.tiles WHERE level = NEW.level
    ), -1) THEN
        RAISE 'not the next tile of its level' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER tiles_continue BEFORE INSERT ON tiles
    FOR EACH ROW EXECUTE FUNCTION tiles_continue();
CREATE TRIGGER tiles_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON tiles EXECUTE FUNCTION stays();
ALTER TABLE tiles ENABLE ALWAYS TRIGGER tiles_continue;
ALTER TABLE tiles ENABLE ALWAYS TRIGGER tiles_stay;

CREATE TABLE checkpoints (
    size bigint PRIMARY KEY CHECK (size >= 0),
    note text NOT NULL
);
CREATE TRIGGER checkpoints_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON checkpoints
    EXECUTE FUNCTION stays();
ALTER TABLE checkpoints ENABLE ALWAYS TRIGGER checkpoints_stay;
"""

ROWS = """
CREATE TABLE matches (
    id text COLLATE "C" PRIMARY KEY,
    -- The number of the last line that changed the row.
    seq bigint NOT NULL,
    position bigint NOT NULL UNIQUE,
    name text NOT NULL,
    created text NOT NULL,
    stage text NOT NULL,
    players0 text COLLATE "C",
    players1 text COLLATE "C",
    names0 text,
    names1 text,
    hands integer NOT NULL,
    points0 integer NOT NULL,
    points1 integer NOT NULL,
    hands_won0 integer NOT NULL,
    hands_won1 integer NOT NULL,
    totals0 integer NOT NULL,
    totals1 integer NOT NULL,
    ended text,
    reason text,
    winner integer,
    practice boolean NOT NULL,
    replay_of text COLLATE "C",
    disputes integer NOT NULL,
    open_disputes integer NOT NULL,
    replaying bigint NOT NULL,
    adjusted integer NOT NULL
);
CREATE INDEX matches_by_stage ON matches (stage, position);
CREATE INDEX matches_by_player0 ON matches (players0, position);
CREATE INDEX matches_by_player1 ON matches (players1, position);
CREATE INDEX matches_disputed ON matches (position) WHERE disputes > 0;

CREATE TABLE results (
    match text COLLATE "C" PRIMARY KEY REFERENCES matches (id),
    position bigint NOT NULL UNIQUE,
    ended text NOT NULL,
    players0 text COLLATE "C" NOT NULL,
    players1 text COLLATE "C" NOT NULL,
    names0 text NOT NULL,
    names1 text NOT NULL,
    hands integer NOT NULL,
    points0 integer NOT NULL,
    points1 integer NOT NULL,
    hands_won0 integer NOT NULL,
    hands_won1 integer NOT NULL,
    totals0 integer NOT NULL,
    totals1 integer NOT NULL,
    reason text NOT NULL,
    winner integer
);
CREATE INDEX results_by_player0 ON results (players0, position);
CREATE INDEX results_by_player1 ON results (players1, position);

CREATE TABLE players (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    matches bigint NOT NULL,
    won bigint NOT NULL,
    lost bigint NOT NULL,
    drawn bigint NOT NULL,
    hands_won bigint NOT NULL,
    points bigint NOT NULL
);

-- Put a match's row in the place of the one that it was folded from, and count a result.
CREATE FUNCTION keep_rows(change jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    found {schema}.matches;
    ended {schema}.results;
    record {schema}.players;
BEGIN
    found := jsonb_populate_record(NULL::{schema}.matches, change -> 'match');
    IF (change ->> 'seen')::bigint
        <> coalesce((SELECT seq FROM {schema}.matches WHERE id = found.id), 0) THEN
        RAISE 'the row of % has changed', found.id USING ERRCODE = 'GR001';
    END IF;
    -- A line that is being stored has no position before it is: its number, negative, stands there.
    IF found.position < 0 THEN
        found.position := (
            SELECT position FROM {schema}.events WHERE stream = found.id AND seq = -found.position
        );
    END IF;
    INSERT INTO {schema}.matches VALUES (found.*) ON CONFLICT (id) DO UPDATE SET
        seq = excluded.seq, stage = excluded.stage,
        players0 = excluded.players0, players1 = excluded.players1,
        names0 = excluded.names0, names1 = excluded.names1,
        hands = excluded.hands, points0 = excluded.points0, points1 = excluded.points1,
        hands_won0 = excluded.hands_won0, hands_won1 = excluded.hands_won1,
        totals0 = excluded.totals0, totals1 = excluded.totals1,
        ended = excluded.ended, reason = excluded.reason, winner = excluded.winner,
        position = excluded.position, name = excluded.name, created = excluded.created,
        practice = excluded.practice, replay_of = excluded.replay_of,
        disputes = excluded.disputes, open_disputes = excluded.open_disputes,
        replaying = excluded.replaying, adjusted = excluded.adjusted;
    IF change -> 'result' = 'null' THEN
        RETURN;
    END IF;
    ended := jsonb_populate_record(NULL::{schema}.results, change -> 'result');
    IF ended.position < 0 THEN
        ended.position := (
            SELECT position FROM {schema}.events
            WHERE stream = ended.match AND seq = -ended.position
        );
    END IF;
    INSERT INTO {schema}.results VALUES (ended.*) ON CONFLICT (match) DO UPDATE SET
        position = excluded.position, points0 = excluded.points0, points1 = excluded.points1,
        hands_won0 = excluded.hands_won0, hands_won1 = excluded.hands_won1,
        totals0 = excluded.totals0, totals1 = excluded.totals1,
        reason = excluded.reason, winner = excluded.winner;
    FOR record IN
        SELECT * FROM jsonb_populate_recordset(NULL::{schema}.players, change -> 'records')
    LOOP
        INSERT INTO {schema}.players AS known VALUES (record.*) ON CONFLICT (id) DO UPDATE SET
            name = excluded.name,
            matches = known.matches + excluded.matches,
            won = known.won + excluded.won,
            lost = known.lost + excluded.lost,
            drawn = known.drawn + excluded.drawn,
            hands_won = known.hands_won + excluded.hands_won,
            points = known.points + excluded.points;
    END LOOP;
END
$$;

-- Store the appends in their order; return those that did not meet their stream's head: which, and
-- where the stream stands. One call is a whole transaction, so nobody ever waits for a lock whose
-- holder is waiting for the network.
CREATE FUNCTION append_lines(
    node text,
    streams text[], expected bigint[], prevs text[], ends integer[], changes jsonb[],
    line_streams text[], seqs bigint[], hashes text[], lines text[]
) RETURNS TABLE (conflict integer, actual_seq bigint, actual_hash text) LANGUAGE plpgsql AS $$
DECLARE
    first integer := 1;
    stored boolean := cardinality(lines) > 0;
BEGIN
    PERFORM {schema}.lock_log();
    BEGIN
        INSERT INTO {schema}.events (stream, seq, hash, line)
            SELECT * FROM unnest(line_streams, seqs, hashes, lines);
        PERFORM {schema}.keep_rows(change)
            FROM unnest(changes) WITH ORDINALITY AS made (change, place)
            WHERE change IS NOT NULL ORDER BY place;
    EXCEPTION WHEN integrity_constraint_violation THEN
        -- One of them at least does not continue its stream: now each by itself.
        stored := false;
        FOR each IN 1 .. cardinality(streams) LOOP
            SELECT seq, hash INTO actual_seq, actual_hash FROM {schema}.events
                WHERE stream = streams[each] ORDER BY seq DESC LIMIT 1;
            actual_seq := coalesce(actual_seq, 0);
            actual_hash := coalesce(actual_hash, repeat('0', 64));
            IF actual_seq = expected[each] AND actual_hash = prevs[each] THEN
                INSERT INTO {schema}.events (stream, seq, hash, line)
                    SELECT streams[each], *
                    FROM unnest(seqs[first:ends[each]], hashes[first:ends[each]],
                        lines[first:ends[each]]);
                IF changes[each] IS NOT NULL THEN
                    PERFORM {schema}.keep_rows(changes[each]);
                END IF;
                stored := true;
            ELSE
                conflict := each;
                RETURN NEXT;
            END IF;
            first := ends[each] + 1;
        END LOOP;
    END;
    IF stored THEN
        PERFORM pg_notify('ginrummy_' || '{schema}.events'::regclass::oid, node);
    END IF;
END
$$;
"""

CACHE = """
-- Matches as they were folded: what only saves work, and is made again from the log. The hidden
-- cards are in it, as they are in the secrets.
CREATE TABLE snapshots (
    stream text COLLATE "C" PRIMARY KEY,
    seq bigint NOT NULL,
    hash text COLLATE "C" NOT NULL,
    code text COLLATE "C" NOT NULL,
    body bytea NOT NULL
);

-- One row: since when, in microseconds since 1970 UTC, a server has been there without a gap.
CREATE TABLE presence (id integer PRIMARY KEY CHECK (id = 1), since bigint NOT NULL);
INSERT INTO presence VALUES (1, 0);
"""

READABLE = ("migrations",)
"""What a server only reads."""

WRITABLE = {
    "events": "SELECT, INSERT",
    "secrets": "SELECT, INSERT",
    "credentials": "SELECT, INSERT",
    "tiles": "SELECT, INSERT",
    "checkpoints": "SELECT, INSERT",
    "matches": "SELECT, INSERT, UPDATE, DELETE",
    "results": "SELECT, INSERT, UPDATE, DELETE",
    "players": "SELECT, INSERT, UPDATE, DELETE",
    "snapshots": "SELECT, INSERT, UPDATE, DELETE",
    "presence": "SELECT, UPDATE",
}
"""What a server may do with each table, and no more."""
