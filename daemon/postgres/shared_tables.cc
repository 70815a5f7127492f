#include "daemon/postgres/postgres_schema.h"

namespace wb {

// Jobs of daemons that share the database lie beside those of one that is alone; blocks of results,
// blobs and the registry are of both.
//
// A transaction that writes begins with hold_host: it fails (WB002) if the host was dropped, and
// keeps it from being dropped until it ends. The lock is an advisory one: it writes nothing, and
// shows which sessions have it. Those of a host that was paused in a transaction are ended.
//
// A chunk's id is its host's id times 2^32 and a number that the host gives: so a host finds what a
// claim has made whose answer was lost. One that has ended stays for some minutes, for commits that
// come again.
//
// A claim, and that a host was heard, are not waited for until they are on the disk: if the server
// loses a claim, its instances lie in their range, and the chunk's commits find no chunk.
//
// Locks are taken in this order: host, ranges of a claim, job, chunks. A claim does not lock its
// job: how many instances are open and claimed is counted when it is read, so that claims do not
// wait for commits, which may be long. Ranges and chunks of a job change under its lock otherwise.
const char* const kSharedTables = R"(
CREATE TABLE hosts(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  facts bytea NOT NULL,
  entered timestamptz NOT NULL,
  heard timestamptz NOT NULL,
  dropped timestamptz);
CREATE TABLE shared_jobs(
  id text COLLATE "C" PRIMARY KEY,
  tenant text NOT NULL,
  request_key text NOT NULL,
  state bigint NOT NULL,
  ended boolean NOT NULL,
  closed boolean NOT NULL,
  version bigint NOT NULL,
  oldest bigint NOT NULL,
  next bigint NOT NULL,
  bytes bigint NOT NULL,
  expires timestamptz,
  request bytea,
  shown bytea NOT NULL,
  record bytea NOT NULL) WITH (fillfactor = 70);
CREATE UNIQUE INDEX shared_requests ON shared_jobs(tenant, request_key) WHERE request_key <> '';
CREATE INDEX shared_of_tenants ON shared_jobs(tenant, id);
CREATE INDEX shared_expiries ON shared_jobs(expires) WHERE expires IS NOT NULL;
CREATE INDEX shared_running ON shared_jobs(id) WHERE NOT ended;
CREATE TABLE ranges(
  job text COLLATE "C" NOT NULL,
  first bigint NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  attempt bigint NOT NULL,
  PRIMARY KEY(job, first));
CREATE TABLE chunks(
  id bigint PRIMARY KEY,
  job text COLLATE "C" NOT NULL,
  attempt bigint NOT NULL,
  lacks bigint NOT NULL,
  remaining int8multirange NOT NULL,
  commits bigint NOT NULL,
  ended boolean NOT NULL,
  since timestamptz NOT NULL) WITH (fillfactor = 70);
CREATE INDEX chunks_of_jobs ON chunks(job) WHERE NOT ended;
CREATE INDEX chunks_ended ON chunks(since) WHERE ended;
CREATE VIEW standing AS SELECT id, tenant, shown, record, state, ended, version,
  (SELECT coalesce(sum(r.count), 0)::bigint FROM ranges r WHERE r.job = j.id) AS open,
  (SELECT coalesce(sum(c.lacks), 0)::bigint FROM chunks c WHERE c.job = j.id AND NOT c.ended)
    AS claimed,
  oldest, next, bytes FROM shared_jobs j;

CREATE FUNCTION hold_host(mine bigint) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(6297, mine::int);
  PERFORM 1 FROM hosts WHERE id = mine AND dropped IS NULL;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'host [%] [%] since [%]', mine,
      coalesce((SELECT name FROM hosts WHERE id = mine), ''),
      (SELECT dropped FROM hosts WHERE id = mine) USING ERRCODE = 'WB002';
  END IF;
END $body$;

CREATE FUNCTION beat(mine bigint, said bytea) RETURNS bigint LANGUAGE plpgsql AS $body$
BEGIN
  SET LOCAL synchronous_commit = off;
  PERFORM hold_host(mine);
  UPDATE hosts SET heard = now(), facts = said WHERE id = mine;
  RETURN extract(epoch FROM now()) * 1000000;
END $body$;

CREATE FUNCTION count_of(these int8multirange) RETURNS bigint LANGUAGE sql IMMUTABLE AS $body$
  SELECT coalesce(sum(upper(part) - lower(part)), 0)::bigint FROM unnest(these) AS part
$body$;

CREATE FUNCTION free_chunks(low bigint, high bigint, more bigint) RETURNS void
LANGUAGE sql AS $body$
  WITH gone AS (DELETE FROM chunks WHERE id BETWEEN low AND high AND NOT ended
                RETURNING job, attempt, remaining)
  INSERT INTO ranges(job, first, count, attempt)
    SELECT gone.job, lower(part), upper(part) - lower(part), gone.attempt + more
    FROM gone JOIN shared_jobs ON shared_jobs.id = gone.job AND NOT closed,
      unnest(gone.remaining) AS part
$body$;

CREATE FUNCTION drop_hosts(these bigint[], more bigint) RETURNS SETOF text
LANGUAGE plpgsql AS $body$
DECLARE theirs text[] := ARRAY(
  SELECT DISTINCT c.job FROM unnest(these) AS h
  JOIN chunks c ON c.id >= h << 32 AND c.id < (h + 1) << 32 AND NOT c.ended);
BEGIN
  PERFORM 1 FROM shared_jobs WHERE id = ANY(theirs) ORDER BY id FOR UPDATE;
  UPDATE shared_jobs SET version = version + 1 WHERE id = ANY(theirs);
  PERFORM free_chunks(h << 32, ((h + 1) << 32) - 1, more) FROM unnest(these) AS h;
  UPDATE hosts SET dropped = now() WHERE id = ANY(these) AND dropped IS NULL;
  RETURN QUERY SELECT unnest(theirs);
END $body$;

CREATE FUNCTION drop_silent(mine bigint, lease interval)
RETURNS TABLE(hosts_gone bigint, their_jobs text) LANGUAGE plpgsql AS $body$
DECLARE which bigint; silent bigint[] := '{}';
BEGIN
  IF pg_postmaster_start_time() + lease >= now() OR NOT EXISTS(
      SELECT 1 FROM hosts WHERE id = mine AND dropped IS NULL AND heard >= now() - lease) THEN
    RETURN;
  END IF;
  FOR which IN SELECT id FROM hosts WHERE dropped IS NULL AND heard < now() - lease LOOP
    IF NOT pg_try_advisory_xact_lock(6297, which::int) THEN
      PERFORM pg_terminate_backend(pid) FROM pg_locks JOIN hosts ON id = which
        WHERE locktype = 'advisory' AND classid = 6297 AND objid::bigint = which AND granted AND
          mode = 'ShareLock' AND database = (
            SELECT oid FROM pg_database WHERE datname = current_database()) AND
          heard < now() - 2 * lease;
    ELSIF EXISTS(SELECT 1 FROM hosts WHERE id = which AND dropped IS NULL AND
                 heard < now() - lease) THEN
      silent := silent || which;
    END IF;
  END LOOP;
  IF cardinality(silent) = 0 THEN RETURN; END IF;
  RETURN QUERY SELECT cardinality(silent)::bigint, ''::text;
  RETURN QUERY SELECT 0::bigint, dropped_from FROM drop_hosts(silent, 1) AS dropped_from;
END $body$;

CREATE FUNCTION leave(mine bigint) RETURNS SETOF text LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM pg_advisory_xact_lock(6297, mine::int);
  RETURN QUERY SELECT drop_hosts(ARRAY[mine], 0);
END $body$;

CREATE FUNCTION create_job(mine bigint, made text, of_tenant text, key text, new_state bigint,
  new_request bytea, new_shown bytea, new_record bytea, has_ended boolean, total bigint,
  step bigint) RETURNS text LANGUAGE plpgsql AS $body$
DECLARE found_id text;
BEGIN
  PERFORM hold_host(mine);
  LOOP
    INSERT INTO shared_jobs(id, tenant, request_key, state, ended, closed, version, oldest, next,
                            bytes, request, shown, record)
      VALUES(made, of_tenant, key, new_state, has_ended, has_ended, 1, 0, 0, 0, new_request,
             new_shown, new_record) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      INSERT INTO ranges(job, first, count, attempt)
        SELECT made, begins, least(step, total - begins), 1
        FROM generate_series(0, total - 1, step) AS begins;
      RETURN made;
    END IF;
    SELECT id INTO found_id FROM shared_jobs
      WHERE id = made OR (key <> '' AND tenant = of_tenant AND request_key = key)
      ORDER BY id = made DESC LIMIT 1;
    IF FOUND THEN RETURN found_id; END IF;
  END LOOP;
END $body$;

CREATE FUNCTION claim(mine bigint, which bigint, of_job text, most bigint, together bigint)
RETURNS TABLE(begins bigint, taken bigint, tries bigint) LANGUAGE plpgsql AS $body$
DECLARE part ranges;
BEGIN
  SET LOCAL synchronous_commit = off;
  PERFORM hold_host(mine);
  SELECT * INTO part FROM ranges WHERE job = of_job ORDER BY first LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  begins := part.first;
  taken := least(part.count, greatest(most / together, 1) * together);
  tries := part.attempt;
  IF taken = part.count THEN
    DELETE FROM ranges WHERE job = of_job AND first = begins;
  ELSE
    UPDATE ranges SET first = first + taken, count = count - taken
      WHERE job = of_job AND first = begins;
  END IF;
  INSERT INTO chunks(id, job, attempt, lacks, remaining, commits, ended, since)
    VALUES(which, of_job, tries, taken, int8multirange(int8range(begins, begins + taken)), 0,
           false, now());
  RETURN NEXT;
END $body$;

CREATE FUNCTION give_back(mine bigint, which bigint) RETURNS SETOF text
LANGUAGE plpgsql AS $body$
DECLARE of_job text;
BEGIN
  PERFORM hold_host(mine);
  SELECT job INTO of_job FROM chunks WHERE id = which AND id >> 32 = mine AND NOT ended;
  IF NOT FOUND THEN RETURN; END IF;
  UPDATE shared_jobs SET version = version + 1 WHERE id = of_job;
  PERFORM free_chunks(which, which, 0);
  RETURN NEXT of_job;
END $body$;

CREATE FUNCTION settle_claim(mine bigint, which bigint) RETURNS SETOF text
LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM hold_host(mine);
  INSERT INTO chunks(id, job, attempt, lacks, remaining, commits, ended, since)
    VALUES(which, '', 0, 0, '{}', 0, true, now()) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN QUERY SELECT give_back(mine, which); END IF;
END $body$;

CREATE FUNCTION take_results(mine bigint, of_job text, ids bigint[], numbers bigint[],
  lefts int8multirange[]) RETURNS TABLE(outcome text, done bigint) LANGUAGE plpgsql AS $body$
DECLARE fresh bigint; again bigint;
BEGIN
  PERFORM hold_host(mine);
  PERFORM 1 FROM shared_jobs WHERE id = of_job FOR UPDATE;
  IF NOT FOUND THEN RETURN QUERY SELECT 'no job', 0::bigint; RETURN; END IF;
  SELECT count(*) FILTER (WHERE NOT c.ended AND c.commits + 1 = w.number AND w.rest <@ c.remaining),
      count(*) FILTER (WHERE c.commits = w.number), coalesce(sum(c.lacks - count_of(w.rest)), 0)
    INTO fresh, again, done
    FROM unnest(ids, numbers, lefts) AS w(id, number, rest)
    JOIN chunks c ON c.id = w.id AND c.job = of_job AND c.id >> 32 = mine;
  outcome := CASE WHEN fresh = cardinality(ids) THEN 'new'
                  WHEN again = cardinality(ids) THEN 'again' ELSE 'no chunk' END;
  IF outcome = 'new' THEN
    UPDATE chunks SET commits = w.number, remaining = w.rest, lacks = count_of(w.rest),
        ended = isempty(w.rest), since = CASE WHEN isempty(w.rest) THEN now() ELSE since END
      FROM unnest(ids, numbers, lefts) AS w(id, number, rest) WHERE chunks.id = w.id;
  END IF;
  RETURN NEXT;
END $body$;

CREATE FUNCTION change_job(of_job text, results bigint, more bigint, has_record boolean,
  new_record bytea, new_state bigint, closes boolean, ends boolean, kept_us bigint,
  most_request bigint) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  UPDATE shared_jobs SET next = next + results, bytes = bytes + more, version = version + 1,
      record = CASE WHEN has_record THEN new_record ELSE record END,
      state = CASE WHEN new_state >= 0 THEN new_state ELSE state END,
      closed = closed OR closes OR ends, ended = ended OR ends,
      expires = CASE WHEN kept_us >= 0 THEN now() + kept_us * interval '1 microsecond'
                ELSE expires END,
      request = CASE WHEN ends AND length(request) > most_request THEN NULL ELSE request END
    WHERE id = of_job;
  IF closes OR ends THEN DELETE FROM ranges WHERE job = of_job; END IF;
  IF ends THEN
    UPDATE chunks SET ended = true, lacks = 0, remaining = '{}', since = now()
      WHERE job = of_job AND NOT ended;
  END IF;
END $body$;

CREATE FUNCTION drop_results(mine bigint, of_job text, bound bigint) RETURNS void
LANGUAGE plpgsql AS $body$
DECLARE begins bigint; gone bigint;
BEGIN
  PERFORM hold_host(mine);
  SELECT oldest INTO begins FROM shared_jobs WHERE id = of_job FOR UPDATE;
  SELECT sum(b.bytes) INTO gone FROM blocks b WHERE job = of_job AND first >= begins AND first < bound;
  IF gone IS NULL THEN RETURN; END IF;
  DELETE FROM bodies WHERE job = of_job AND first >= begins AND first < bound;
  UPDATE blocks SET bytes = 0 WHERE job = of_job AND first >= begins AND first < bound;
  UPDATE shared_jobs SET bytes = bytes - gone, version = version + 1,
      oldest = coalesce((SELECT min(first) FROM blocks WHERE job = of_job AND first >= bound), next)
    WHERE id = of_job;
END $body$;

CREATE FUNCTION forget_job(of_job text) RETURNS void LANGUAGE sql AS $body$
  DELETE FROM ranges WHERE job = of_job;
  DELETE FROM chunks WHERE job = of_job AND NOT ended;
  INSERT INTO trash(job) SELECT id FROM shared_jobs WHERE id = of_job ON CONFLICT DO NOTHING;
  DELETE FROM shared_jobs WHERE id = of_job;
$body$;

CREATE FUNCTION forget_one(mine bigint, of_job text) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM hold_host(mine);
  PERFORM 1 FROM shared_jobs WHERE id = of_job FOR UPDATE;
  PERFORM forget_job(of_job);
END $body$;

CREATE FUNCTION forget_expired(mine bigint, most bigint) RETURNS SETOF text
LANGUAGE plpgsql AS $body$
DECLARE these text[];
BEGIN
  PERFORM hold_host(mine);
  these := ARRAY(SELECT id FROM shared_jobs WHERE expires < now() AND ended ORDER BY expires
                 LIMIT most FOR UPDATE SKIP LOCKED);
  PERFORM forget_job(of_job) FROM unnest(these) AS of_job;
  RETURN QUERY SELECT unnest(these);
END $body$;
)";

// A job's change has a time by which its speed is told; it never goes back, because changes of a
// job are one at a time. Results of an ended job may give way to others once nobody reads them: its
// readers' hosts say until when somebody does.
const char* const kSharedTimes = R"(
ALTER TABLE shared_jobs ADD COLUMN changed timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN read_until timestamptz NOT NULL DEFAULT '-infinity';
CREATE OR REPLACE VIEW standing AS SELECT id, tenant, shown, record, state, ended, version,
  (SELECT coalesce(sum(r.count), 0)::bigint FROM ranges r WHERE r.job = j.id) AS open,
  (SELECT coalesce(sum(c.lacks), 0)::bigint FROM chunks c WHERE c.job = j.id AND NOT c.ended)
    AS claimed,
  oldest, next, bytes, (extract(epoch FROM changed) * 1000000)::bigint AS changed_us
  FROM shared_jobs j;

CREATE FUNCTION take_back(mine bigint, of_job text, which bigint)
RETURNS TABLE(outcome text, done bigint) LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM hold_host(mine);
  done := 0;
  PERFORM 1 FROM shared_jobs WHERE id = of_job FOR UPDATE;
  outcome := CASE WHEN FOUND THEN 'no chunk' ELSE 'no job' END;
  IF EXISTS(SELECT 1 FROM chunks WHERE id = which AND job = of_job AND id >> 32 = mine AND
            NOT ended) THEN
    PERFORM free_chunks(which, which, 0);
    outcome := 'new';
  END IF;
  RETURN NEXT;
END $body$;

CREATE OR REPLACE FUNCTION change_job(of_job text, results bigint, more bigint, has_record boolean,
  new_record bytea, new_state bigint, closes boolean, ends boolean, kept_us bigint,
  most_request bigint) RETURNS void LANGUAGE plpgsql AS $body$
BEGIN
  UPDATE shared_jobs SET next = next + results, bytes = bytes + more, version = version + 1,
      changed = greatest(changed, clock_timestamp()),
      record = CASE WHEN has_record THEN new_record ELSE record END,
      state = CASE WHEN new_state >= 0 THEN new_state ELSE state END,
      closed = closed OR closes OR ends, ended = ended OR ends,
      expires = CASE WHEN kept_us >= 0 THEN now() + kept_us * interval '1 microsecond'
                ELSE expires END,
      read_until = CASE WHEN ends THEN now() + interval '30 seconds' ELSE read_until END,
      request = CASE WHEN ends AND length(request) > most_request THEN NULL ELSE request END
    WHERE id = of_job;
  IF closes OR ends THEN DELETE FROM ranges WHERE job = of_job; END IF;
  IF ends THEN
    UPDATE chunks SET ended = true, lacks = 0, remaining = '{}', since = now()
      WHERE job = of_job AND NOT ended;
  END IF;
END $body$;

CREATE FUNCTION note_readers(mine bigint, these text[], for_us bigint) RETURNS void
LANGUAGE plpgsql AS $body$
BEGIN
  PERFORM hold_host(mine);
  PERFORM 1 FROM shared_jobs WHERE id = ANY(these) ORDER BY id FOR UPDATE;
  UPDATE shared_jobs SET read_until = greatest(read_until, now() + for_us * interval '1 microsecond')
    WHERE id = ANY(these);
END $body$;

CREATE FUNCTION drop_unread(mine bigint, of_job text) RETURNS boolean LANGUAGE plpgsql AS $body$
DECLARE bound bigint;
BEGIN
  PERFORM hold_host(mine);
  SELECT next INTO bound FROM shared_jobs
    WHERE id = of_job AND ended AND read_until < now() FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  PERFORM drop_results(mine, of_job, bound);
  RETURN true;
END $body$;
)";

}  // namespace wb
