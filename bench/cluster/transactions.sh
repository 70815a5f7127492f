# Sourced by cluster_database.sh behind own_postgres.sh: the tables and functions of the shared store
# (daemon/postgres), its transactions as scripts for pgbench, and how one is measured.
jobs_made=64 hosts_made=1000
# Characters that PostgreSQL takes for bytes as they are, and cannot compress.
body_64k="$(head -c 49152 /dev/urandom | base64 -w0)"  # 65,536 of them
body_1k="${body_64k:0:1024}"

# statements FILE: what the file holds as raw strings.
statements() { awk '/R"\($/ { on = 1; next } /^\)";/ { on = 0 } on' "$1"; }
make_tables() {
  {
    echo "CREATE SCHEMA wasmburst; ALTER ROLE wasmburst SET search_path = wasmburst; SET search_path = wasmburst;"
    statements daemon/postgres/postgres_schema.cc
    statements daemon/postgres/shared_tables.cc
  } | "$programs/psql" -X -q -v ON_ERROR_STOP=1 -f -
  pgbench_script claim "\\set which :host * 4294967296 + random(1000, 4294967295)
SELECT begins, taken, tries FROM claim(:host, :which, :job, 100, 1);"
  pgbench_script beat "SELECT beat(:host, :record::bytea);"
  pgbench_script look "SELECT id, tenant, shown, record, state, ended, version, open, claimed, oldest, next, bytes FROM standing
    WHERE NOT ended AND EXISTS(SELECT 1 FROM ranges WHERE ranges.job = standing.id) ORDER BY id LIMIT 64;"
  pgbench_script read "SELECT id, tenant, shown, record, state, ended, version, open, claimed, oldest, next, bytes FROM standing
    WHERE id = :job;"
  pgbench_script notify "SELECT pg_notify('wasmburst_jobs', :job);"
  pgbench_script hosts "SELECT id, name, facts, now() - heard, dropped FROM hosts ORDER BY id;"
  for size in 1k 64k; do
    commit_script commit_$size body_$size
  done
  # Not the store's: those who wait for a job stand in a queue before its row; news in the commit itself.
  commit_script queued_1k body_1k "SELECT pg_advisory_xact_lock(7, :job::int);"
  commit_script within_1k body_1k "" "SELECT pg_notify('wasmburst_jobs', :job);"
}

# pgbench_script NAME STATEMENTS: of a client that is a host, and has a chunk of a job.
pgbench_script() {
  printf '%s\n' "\\set host :client_id + 1" "\\set job (:client_id % :jobs) + 1" \
    "\\set chunk :host * 4294967296 + :job" "$2" >"$work/$1.pgbench"
}
# commit_script NAME BODY [BEFORE [WITHIN]]: the two round trips of SharedCommit, and statements before the job is
# locked and before the end.
commit_script() {
  pgbench_script "$1" "\\set number :number + 1
\\startpipeline
BEGIN;
${3:-}
SELECT outcome, done FROM take_results(:host, :job, ARRAY[:chunk]::bigint[], ARRAY[:number]::bigint[],
  ARRAY[int8multirange(int8range(:number * 100, 1000000000000))]);
SELECT id, tenant, shown, record, state, ended, version, open, claimed, oldest, next, bytes FROM standing WHERE id = :job;
\\endpipeline
\\startpipeline
INSERT INTO blocks(job, first, count, bytes, instances) SELECT id, next, 100, 1000, '\\x0064' FROM shared_jobs WHERE id = :job;
INSERT INTO bodies(job, first, checksum, data) SELECT id, next, 1, :$2::bytea FROM shared_jobs WHERE id = :job;
SELECT change_job(:job, 100, 1000, true, :record::bytea, -1, false, false, -1, 65536);
${4:-}
COMMIT;
\\endpipeline"
}

# Jobs without results, each with ranges enough for all hosts. A host has chunks of the first job and of the one that
# has its number.
fill_tables() {
  statement "TRUNCATE hosts, shared_jobs, ranges, chunks, blocks, bodies RESTART IDENTITY;
    INSERT INTO hosts(name, facts, entered, heard) SELECT 'node' || i, decode(repeat('ab', 200), 'hex'), now(), now()
      FROM generate_series(1, $hosts_made) AS i;
    INSERT INTO shared_jobs SELECT i::text, 'tenant', '', 2, false, false, 1, 0, 0, 0, null, '\\x00', decode(repeat('cd', 500), 'hex'),
      decode(repeat('ef', 300), 'hex') FROM generate_series(1, $jobs_made) AS i;
    INSERT INTO ranges SELECT j::text, (r + 1) * 1000000000000::bigint, 1000000000000, 1
      FROM generate_series(1, $jobs_made) AS j, generate_series(0, 63) AS r;
    INSERT INTO chunks SELECT (h << 32) + j, j::text, 1, 1000000000000, int8multirange(int8range(0, 1000000000000)), 0, false, now()
      FROM generate_series(1::bigint, 256) AS h, generate_series(1, $jobs_made) AS j WHERE j IN (1, h);
    ANALYZE; CHECKPOINT"
}

# measure TRANSACTION CLIENTS JOBS LISTENERS SECONDS: "A_SECOND MILLISECONDS"
measure() {
  local listeners=() i
  fill_tables
  for ((i = 0; i < $4; ++i)); do
    { echo "LISTEN wasmburst_jobs;"; sleep "$(($5 + 1))"; } | "$programs/psql" -X -q >"$work/heard" 2>&1 &
    listeners+=($!)
  done
  [ "$4" = 0 ] || sleep 1
  "$programs/pgbench" -n -M prepared -c "$2" -j 1 -T "$5" -D jobs="$3" -D number=0 -D record="${body_1k:0:300}" \
    -D body_1k="$body_1k" -D body_64k="$body_64k" -f "$work/$1.pgbench" >"$work/said" 2>&1 || { cat "$work/said" >&2; exit 1; }
  ((${#listeners[@]} == 0)) || wait "${listeners[@]}"
  awk '/^latency average/ { ms = $4 } /^tps/ { tps = $3 } END { print tps, ms }' "$work/said"
}
