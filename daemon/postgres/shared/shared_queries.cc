#include "daemon/postgres/shared/shared_queries.h"

#include <algorithm>
#include <utility>

#include "daemon/postgres/store_queries.h"

namespace wb {
namespace {

// "{1,2}".
template <typename TextOf>
std::string ArrayText(const std::vector<ChunkResults>& results, TextOf text_of) {
  std::string text = "{";
  for (const ChunkResults& result : results) {
    if (text.size() > 1) text += ',';
    text += text_of(result);
  }
  return text + '}';
}

}  // namespace

std::string RangesText(const std::vector<InstanceRange>& ranges) {
  std::string text = "{";
  for (const InstanceRange& range : ranges) {
    if (text.size() > 1) text += ',';
    text +=
        '[' + std::to_string(range.first) + ',' + std::to_string(range.first + range.count) + ')';
  }
  return text + '}';
}

uint64_t RangeLength(const NewSharedJob& job) {
  const uint64_t group = std::max<uint64_t>(job.group, 1);
  const uint64_t ranges = std::max<uint64_t>(job.ranges, 1);
  const uint64_t groups = job.instances / group + (job.instances % group != 0 ? 1 : 0);
  const uint64_t of_each = groups / ranges + (groups % ranges != 0 ? 1 : 0);
  return std::max<uint64_t>(of_each, 1) * group;
}

SharedJob SharedJobIn(const PostgresRows& rows, int row) {
  const auto number = [&rows, row](int column) {
    return static_cast<uint64_t>(rows.Number(row, column));
  };
  SharedJob job;
  job.id = rows.Text(row, 0);
  job.tenant = rows.Text(row, 1);
  job.shown = rows.Text(row, 2);
  job.record = rows.Text(row, 3);
  job.state = static_cast<uint32_t>(number(4));
  job.ended = number(5) != 0;
  job.version = number(6);
  job.open = number(7);
  job.claimed = number(8);
  job.oldest = number(9);
  job.next = number(10);
  job.bytes = number(11);
  job.changed_unix_ns = rows.Number(row, 12) * 1000;
  return job;
}

PostgresQuery CreateJob(int64_t host, const NewSharedJob& job) {
  return PostgresQuery("SELECT create_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)")
      .Number(host)
      .Text(job.row.id)
      .Text(job.tenant)
      .Text(job.request_key)
      .Number(job.state)
      .Blob(AsBytes(job.row.request))
      .Blob(AsBytes(job.row.shown))
      .Blob(AsBytes(job.row.record))
      .Flag(job.row.ended)
      .Number(Signed(job.instances))
      .Number(Signed(RangeLength(job)));
}

PostgresQuery ClaimOf(int64_t chunk, const std::string& job, uint64_t count, uint32_t group) {
  PostgresQuery query("SELECT begins, taken, tries FROM claim($1, $2, $3, $4, $5)");
  query.Number(HostOfChunk(chunk)).Number(chunk).Text(job).Number(static_cast<int64_t>(count));
  query.Number(std::max<int64_t>(group, 1));
  return query;
}

PostgresQuery TakeResults(int64_t host, const std::string& job,
                          const std::vector<ChunkResults>& results) {
  return PostgresQuery(
             "SELECT outcome, done FROM take_results($1, $2, $3::bigint[], $4::bigint[], "
             "$5::int8multirange[])")
      .Number(host)
      .Text(job)
      .Text(ArrayText(results, [](const ChunkResults& r) { return std::to_string(r.chunk); }))
      .Text(ArrayText(results, [](const ChunkResults& r) { return std::to_string(r.number); }))
      .Text(
          ArrayText(results, [](const ChunkResults& r) { return '"' + RangesText(r.left) + '"'; }));
}

PostgresQuery TakeBack(int64_t host, const std::string& job, int64_t chunk) {
  return PostgresQuery("SELECT outcome, done FROM take_back($1, $2, $3)")
      .Number(host)
      .Text(job)
      .Number(chunk);
}

PostgresQuery ChangeJob(const std::string& job, const SharedChange& change, uint64_t results,
                        uint64_t bytes) {
  const auto kept = change.kept_for.value_or(std::chrono::microseconds(-1));
  return PostgresQuery("SELECT change_job($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)")
      .Text(job)
      .Number(Signed(results))
      .Number(Signed(bytes))
      .Flag(change.record.has_value())
      .Blob(AsBytes(change.record.value_or("")))
      .Number(change.state ? int64_t{*change.state} : -1)
      .Flag(change.closes_ranges)
      .Flag(change.ends)
      .Number(std::chrono::duration_cast<std::chrono::microseconds>(kept).count())
      .Number(Signed(DurableStore::kMostKeptRequest));
}

PostgresQuery ReadersOf(int64_t host, const std::vector<std::string>& jobs,
                        std::chrono::nanoseconds time) {
  std::string ids = "{";
  for (const std::string& job : jobs) ids += (ids.size() > 1 ? "," : "") + job;
  return PostgresQuery("SELECT note_readers($1, $2::text[], $3)")
      .Number(host)
      .Text(ids + "}")
      .Number(std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

// Ids have no commas: they are letters and digits.
PostgresQuery NewsOf(const std::set<std::string>& jobs) {
  std::string ids;
  for (const std::string& job : jobs) ids += (ids.empty() ? "" : ",") + job;
  return PostgresQuery(
             "SELECT pg_notify('wasmburst_jobs', job) FROM string_to_table($1, ',') AS job")
      .Text(ids);
}

}  // namespace wb
