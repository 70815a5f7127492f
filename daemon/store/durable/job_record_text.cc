#include "daemon/store/durable/job_record_text.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace wb {
namespace {

using Json = nlohmann::json;

struct StateName {
  JobState state;
  const char* name;
};
constexpr StateName kStates[] = {
    {JobState::kQueued, "QUEUED"},       {JobState::kCompiling, "COMPILING"},
    {JobState::kRunning, "RUNNING"},     {JobState::kCancelling, "CANCELLING"},
    {JobState::kSucceeded, "SUCCEEDED"}, {JobState::kFailed, "FAILED"},
    {JobState::kCancelled, "CANCELLED"}, {JobState::kCheckpointed, "CHECKPOINTED"},
};

const char* NameOf(JobState state) {
  const auto* at = std::find_if(std::begin(kStates), std::end(kStates),
                                [state](const StateName& row) { return row.state == state; });
  return at == std::end(kStates) ? "QUEUED" : at->name;
}

std::optional<JobState> StateOf(const std::string& name) {
  const auto* at = std::find_if(std::begin(kStates), std::end(kStates),
                                [&name](const StateName& row) { return row.name == name; });
  if (at == std::end(kStates)) return std::nullopt;
  return at->state;
}

// nullopt: the record says nothing of it.
std::optional<Placement> PlacementOf(const std::string& name) {
  for (const Placement placement :
       {Placement::kAuto, Placement::kCpu, Placement::kInterpreter, Placement::kGpu}) {
    if (name == PlacementName(placement)) return placement;
  }
  return std::nullopt;
}

// By name, since numbers of reasons change from version to version.
Reason ReasonNamed(const std::string& name) {
#define WB_ERROR(id, text, code, advice) \
  if (name == (text)) return Reason::k##id;
#include "compiler/base/errors.def"
#undef WB_ERROR
  return Reason::kInternal;
}

Json ErrorToJson(const Status& error) {
  if (error.ok()) return nullptr;
  Json details = Json::array();
  for (const Detail& detail : error.details()) details.push_back({detail.key, detail.value});
  return {{"reason", ReasonName(error.reason())},
          {"message", error.message()},
          {"details", std::move(details)}};
}

Status ErrorOf(const Json& json) {
  if (json.is_null()) return {};
  std::vector<Detail> details;
  for (const Json& detail : json.at("details")) {
    details.push_back({detail.at(0).get<std::string>(), detail.at(1).get<std::string>()});
  }
  return Status(ReasonNamed(json.at("reason").get<std::string>()),
                json.at("message").get<std::string>(), std::move(details));
}

Json UsageToJson(const JobUsage& usage) {
  return {{"fuel", usage.fuel},
          {"bursts", usage.bursts},
          {"carried", usage.carried},
          {"device_ns", usage.device_time.count()},
          {"quick_compile_ns", usage.quick_compile_time.count()},
          {"full_compile_ns", usage.full_compile_time.count()},
          {"pipeline_cached", usage.pipeline_cached},
          {"failures", usage.failures},
          {"limit", usage.limit},
          {"lost_states", usage.lost_states},
          {"useful_fuel", usage.lane_fuel.useful},
          {"resident_fuel", usage.lane_fuel.resident},
          {"joules", usage.joules ? Json(*usage.joules) : Json()}};
}

std::chrono::nanoseconds TimeOf(const Json& json) {
  return std::chrono::nanoseconds(json.get<int64_t>());
}

JobUsage UsageOf(const Json& json) {
  JobUsage usage;
  usage.fuel = json.at("fuel").get<uint64_t>();
  usage.bursts = json.at("bursts").get<uint64_t>();
  usage.device_time = TimeOf(json.at("device_ns"));
  usage.quick_compile_time = TimeOf(json.at("quick_compile_ns"));
  usage.full_compile_time = TimeOf(json.at("full_compile_ns"));
  usage.pipeline_cached = json.at("pipeline_cached").get<bool>();
  usage.failures = json.at("failures").get<std::string>();
  usage.limit = json.at("limit").get<std::string>();
  // Records of earlier daemons have none of these.
  usage.carried = json.value("carried", uint64_t{0});
  usage.lost_states = json.value("lost_states", uint64_t{0});
  usage.lane_fuel.useful = json.value("useful_fuel", uint64_t{0});
  usage.lane_fuel.resident = json.value("resident_fuel", uint64_t{0});
  const auto joules = json.find("joules");
  if (joules != json.end() && joules->is_number()) usage.joules = joules->get<double>();
  return usage;
}

Json HistoryToJson(const std::vector<JobStateChange>& history) {
  Json changes = Json::array();
  for (const JobStateChange& change : history) {
    changes.push_back({NameOf(change.state), change.unix_ns});
  }
  return changes;
}

// Bytes that are no UTF-8 (a request id, words of an engine) are shown as such.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Status Damaged(const std::string& why) {
  return Status(Reason::kIoError, "The record of a stored job is damaged: " + why + ".");
}

Result<DurableRecord> RecordOf(const Json& json) {
  DurableRecord record;
  JobInfo& info = record.info;
  const std::optional<JobState> state = StateOf(json.at("state").get<std::string>());
  if (!state) return Damaged("it has an unknown state");
  info.state = *state;
  info.error = ErrorOf(json.at("error"));
  info.usage = UsageOf(json.at("usage"));
  info.device = json.at("device").get<std::string>();
  info.placement_reason = json.at("placement_reason").get<std::string>();
  info.expire_unix_ns = json.at("expire_ns").get<int64_t>();
  info.results_dropped = json.at("results_dropped").get<uint64_t>();
  info.version = json.at("version").get<uint64_t>();
  for (const Json& change : json.at("history")) {
    const std::optional<JobState> past = StateOf(change.at(0).get<std::string>());
    if (past) info.history.push_back({*past, change.at(1).get<int64_t>()});
  }
  JobCounts& counts = record.totals.counts;
  counts.finished = json.at("finished").get<uint64_t>();
  const Json& by_end = json.at("by_end");
  for (size_t end = 0; end < std::min<size_t>(kEnds, by_end.size()); ++end) {
    counts.by_end[end] = by_end.at(end).get<uint64_t>();
  }
  info.counts = counts;
  record.totals.fuel = json.at("fuel").get<uint64_t>();
  record.totals.fuel_squares = json.value("fuel_squares", 0.0);
  record.totals.longest_fuel = json.value("longest_fuel", uint64_t{0});
  record.totals.result_bytes = json.at("result_bytes").get<uint64_t>();
  const std::optional<Digest> body = Digest::FromHex(json.at("body").get<std::string>());
  if (!body) return Damaged("it has no digest of its request");
  record.body = *body;
  record.request_id = json.at("request_id").get<std::string>();
  record.attempt = json.at("attempt").get<uint32_t>();
  record.first_turn_unix_ns = json.at("first_turn_ns").get<int64_t>();
  record.placement = PlacementOf(json.value("placement", ""));
  return record;
}

}  // namespace

std::string EncodeRecord(const DurableRecord& record) {
  const JobInfo& info = record.info;
  const JobCounts& counts = record.totals.counts;
  return Dump(
      {{"state", NameOf(info.state)},
       {"error", ErrorToJson(info.error)},
       {"usage", UsageToJson(info.usage)},
       {"device", info.device},
       {"placement_reason", info.placement_reason},
       {"expire_ns", info.expire_unix_ns},
       {"results_dropped", info.results_dropped},
       {"version", info.version},
       {"history", HistoryToJson(info.history)},
       {"finished", counts.finished},
       {"by_end", std::vector<uint64_t>(std::begin(counts.by_end), std::end(counts.by_end))},
       {"fuel", record.totals.fuel},
       {"fuel_squares", record.totals.fuel_squares},
       {"longest_fuel", record.totals.longest_fuel},
       {"result_bytes", record.totals.result_bytes},
       {"body", record.body.Hex()},
       {"request_id", record.request_id},
       {"attempt", record.attempt},
       {"first_turn_ns", record.first_turn_unix_ns},
       {"placement", record.placement ? std::string(PlacementName(*record.placement)) : ""}});
}

// The library throws where a field is missing or has another type; no exception leaves here.
Result<DurableRecord> DecodeRecord(std::string_view text) {
  try {
    return RecordOf(Json::parse(text));
  } catch (const Json::exception& error) {
    return Damaged(error.what());
  }
}

}  // namespace wb
