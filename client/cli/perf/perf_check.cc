#include "client/cli/perf/perf_check.h"

#include <algorithm>
#include <utility>

#include "client/cli/output/print.h"
#include "client/services/devices.h"
#include "client/services/jobs.h"
#include "client/services/server.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using Clock = std::chrono::steady_clock;

constexpr size_t kMostRuns = 200;
constexpr size_t kJobsOfARun = 20;
constexpr uint64_t kResultsOfARun = 50'000;
constexpr uint64_t kGpuLanes = 1 << 16;
// Rounds grow until a run takes so long: what surrounds the work is then little of it.
constexpr double kLongEnough = 0.3;  // seconds
constexpr int64_t kFirstRounds = 1000;
constexpr int64_t kMostRounds = int64_t{1} << 32;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double SecondsOf(const google::protobuf::Timestamp& time) {
  return static_cast<double>(time.seconds()) + time.nanos() / 1e9;
}

// From its first turn on a device to its end, by the daemon's clock.
Result<double> RunSeconds(const v1::Job& job) {
  const double seconds = SecondsOf(job.end_time()) - SecondsOf(job.start_time());
  if (job.has_start_time() && job.has_end_time() && seconds > 0) return seconds;
  return Status(Reason::kInternal, "The job [" + job.name() + "] does not say when it ran.");
}

}  // namespace

std::vector<PerfCheck::Place> PerfCheck::PlacesOf(const v1::ListDevicesResponse& devices) {
  std::vector<Place> places;
  for (const v1::Device& device : devices.devices()) {
    if (!device.healthy() || (!device.gate().empty() && device.gate() != "open")) continue;
    Place place{device.name().substr(device.name().find('/') + 1), v1::GPU, kGpuLanes};
    if (device.engine() == "cpu") place.placement = v1::CPU;
    if (device.engine() == "interpreter") place.placement = v1::INTERPRETER;
    if (place.placement != v1::GPU) place.lanes = std::max<uint64_t>(64, 4 * device.threads());
    const auto same = std::find_if(places.begin(), places.end(), [&](const Place& other) {
      return other.placement == place.placement;
    });
    if (same == places.end()) {
      places.push_back(place);
    } else {
      same->device += ", " + place.device;  // a job is placed on a kind, and uses all of it
    }
  }
  return places;
}

Status PerfCheck::Measure(Measurement measurement, const OneRun& run) {
  told_(measurement.what);
  const auto begin = Clock::now();
  do {
    const Result<double> figure = run();
    if (!figure.ok()) {
      if (figure.status().code() == Code::kCancelled) return figure.status();
      measurement.failure = figure.status();
      break;
    }
    measurement.runs.push_back(*figure);
  } while (Clock::now() - begin < share_ && measurement.runs.size() < kMostRuns);
  measurements_.push_back(std::move(measurement));
  return {};
}

Result<std::vector<Measurement>> PerfCheck::Run() {
  WB_ASSIGN(const v1::ListDevicesResponse devices, ListDevices(client_));
  const std::vector<Place> places = PlacesOf(devices);
  if (places.empty()) {
    return Status(Reason::kNoDeviceFits, "The daemon has no device that is well and open.");
  }
  const bool has_interpreter = places.back().placement == v1::INTERPRETER;
  const size_t compilers = places.size() - (has_interpreter ? 1 : 0);
  share_ = time_ / static_cast<int64_t>(4 + compilers + places.size());
  WB_ASSIGN(module_, jobs_.PushFreshModule());
  WB_TRY(Measure({"round_trip", "round trip of a call", "ms"}, [this] { return RoundTrip(); }));
  WB_TRY(Measure({"jobs_accepted", "jobs accepted, on one connection", "/s"},
                 [this] { return AcceptJobs(); }));
  for (const Place& place : places) {
    if (place.placement == v1::INTERPRETER) continue;
    WB_TRY(Measure({"compile", "a small new module compiles", "s", place.device},
                   [&] { return Compile(place); }));
  }
  WB_TRY(MeasureResults(places.front()));
  for (const Place& place : places) WB_TRY(MeasureInstructions(place));
  return measurements_;
}

// Two figures of the same jobs: what is read of a job is acknowledged, and may go.
Status PerfCheck::MeasureResults(const Place& place) {
  Measurement streamed{"results_streamed", "stored results, streamed to here", "/s", ""};
  const std::chrono::nanoseconds share = std::exchange(share_, share_ * 2);
  const Status measured =
      Measure({"results_stored", "results computed and stored", "/s", place.device},
              [&]() -> Result<double> {
                std::string job;
                WB_ASSIGN(const double stored, StoreResults(place, &job));
                Result<double> read = StreamResults(job);
                jobs_.Forget(job);
                if (!read.ok()) return read;
                streamed.runs.push_back(*read);
                return stored;
              });
  share_ = share;
  WB_TRY(measured);
  if (streamed.runs.empty()) streamed.failure = measurements_.back().failure;
  measurements_.push_back(std::move(streamed));
  return {};
}

Status PerfCheck::MeasureInstructions(const Place& place) {
  rounds_ = kFirstRounds;
  return Measure({"instructions", "wasm instructions", "/s", place.device},
                 [&] { return Instructions(place); });
}

Result<double> PerfCheck::RoundTrip() {
  const auto begin = Clock::now();
  WB_TRY(GetServerInfo(client_).status());
  return SecondsSince(begin) * 1e3;
}

Result<double> PerfCheck::AcceptJobs() {
  std::vector<std::string> names;
  const auto begin = Clock::now();
  // Fewer where each takes long, as on a disk that others keep busy: deleting them takes as long.
  while (names.empty() || (names.size() < kJobsOfARun && Clock::now() - begin < share_ / 2)) {
    WB_ASSIGN(const v1::Job job, jobs_.Create({module_, "one", 1, 1, v1::INTERPRETER}));
    names.push_back(job.name());
  }
  const double rate = static_cast<double>(names.size()) / SecondsSince(begin);
  for (const std::string& name : names) {
    WB_TRY(jobs_.AwaitEnd(name).status());
    jobs_.Forget(name);
  }
  return rate;
}

Result<double> PerfCheck::Compile(const Place& place) {
  WB_ASSIGN(const std::string module, jobs_.PushFreshModule());
  WB_ASSIGN(const v1::Job job, jobs_.Run({module, "one", 1, 1, place.placement}));
  jobs_.Forget(job.name());
  if (!job.usage().pipeline_cached()) return Seconds(job.usage().compile_time());
  return Status(Reason::kInternal, "A new module was in the cache already.");
}

Result<double> PerfCheck::StoreResults(const Place& place, std::string* name) {
  WB_ASSIGN(const v1::Job job, jobs_.Run({module_, "one", kResultsOfARun, 1, place.placement}));
  *name = job.name();
  WB_ASSIGN(const double seconds, RunSeconds(job));
  return static_cast<double>(kResultsOfARun) / seconds;
}

Result<double> PerfCheck::StreamResults(const std::string& name) {
  v1::ReadResultsRequest request;
  request.set_name(name);
  uint64_t results = 0;
  const auto begin = Clock::now();
  WB_TRY(ReadResults(client_, request, [&results](const v1::ReadResultsResponse& response) {
    results += static_cast<uint64_t>(response.results_size());
    return true;
  }));
  if (results == kResultsOfARun) return static_cast<double>(results) / SecondsSince(begin);
  return Status(Reason::kInternal, "Of [" + std::to_string(kResultsOfARun) + "] results [" +
                                       std::to_string(results) + "] came.");
}

Result<double> PerfCheck::Instructions(const Place& place) {
  while (true) {
    WB_ASSIGN(const v1::Job job,
              jobs_.Run({module_, "work", place.lanes, rounds_, place.placement}));
    jobs_.Forget(job.name());
    WB_ASSIGN(const double seconds, RunSeconds(job));
    if (seconds >= kLongEnough || rounds_ >= kMostRounds) {
      return static_cast<double>(job.usage().fuel()) / seconds;
    }
    rounds_ *= seconds < kLongEnough / 8 ? 8 : 2;
  }
}

}  // namespace wb::cli
