#pragma once

// PerfCheck: what a running daemon does, measured from here: how long a call takes, how many jobs
// it accepts, results it stores and streams, how long a small module compiles, and instructions on
// each kind of device.
//
// Every measurement has the same share of the time, and at least one run however long that takes (a
// job of the check is ended after a minute).

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "client/cli/perf/measurement.h"
#include "client/cli/perf/perf_jobs.h"
#include "client/client.h"
#include "wasmburst/v1/admin.pb.h"

namespace wb::cli {

class PerfCheck {
 public:
  // `told`: what is measured next.
  PerfCheck(Client* client, std::shared_ptr<Client> cleaner, std::chrono::nanoseconds time,
            std::function<void(const std::string&)> told)
      : client_(*client), jobs_(client, std::move(cleaner)), time_(time), told_(std::move(told)) {}

  // An error: the daemon cannot be asked at all, or the check was interrupted.
  Result<std::vector<Measurement>> Run();

 private:
  // A kind of device that jobs can be placed on.
  struct Place {
    std::string device;  // "cpu0", "cuda0, cuda1"
    wasmburst::v1::Placement placement = wasmburst::v1::AUTO;
    uint64_t lanes = 1;  // side by side
  };
  using OneRun = std::function<Result<double>()>;

  static std::vector<Place> PlacesOf(const wasmburst::v1::ListDevicesResponse& devices);
  // Until its share is over, or an error.
  Status Measure(Measurement measurement, const OneRun& run);
  Status MeasureResults(const Place& place);
  Status MeasureInstructions(const Place& place);
  Result<double> RoundTrip();
  Result<double> AcceptJobs();
  Result<double> Compile(const Place& place);
  Result<double> StoreResults(const Place& place, std::string* job);
  Result<double> StreamResults(const std::string& job);
  Result<double> Instructions(const Place& place);

  Client& client_;
  PerfJobs jobs_;
  const std::chrono::nanoseconds time_;
  const std::function<void(const std::string&)> told_;
  std::chrono::nanoseconds share_{0};
  std::string module_;
  int64_t rounds_ = 0;  // of an instance, so that a run takes long enough
  std::vector<Measurement> measurements_;
};

}  // namespace wb::cli
