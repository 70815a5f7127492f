// Reads all results of a job and keeps none, as columns or whole:
//   wb_result_reader ADDRESS JOB columns|whole
// Says "results N, S s, B bytes, L lost, D doubled": instances without a result, and results of
// instances that had one. Exit code 1: an error, or L or D is not 0.

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "client/client.h"
#include "client/services/jobs.h"

namespace {

using Steady = std::chrono::steady_clock;

// Which instances have a result.
class Seen {
 public:
  void Add(const wasmburst::v1::ReadResultsResponse& message) {
    for (const auto& result : message.results()) AddInstance(result.instance());
    for (const auto& columns : message.columns()) {
      for (const auto& range : columns.instances()) {
        for (uint64_t i = 0; i < range.count(); ++i) AddInstance(range.first() + i);
      }
    }
  }
  uint64_t results() const { return results_; }
  uint64_t doubled() const { return doubled_; }
  // Of so many instances.
  uint64_t LostOf(uint64_t instances) const { return instances - (results_ - doubled_); }

 private:
  void AddInstance(uint64_t instance) {
    ++results_;
    if (instance >= seen_.size()) seen_.resize(instance + 1 + seen_.size() / 2);
    if (seen_[instance]) ++doubled_;
    seen_[instance] = true;
  }

  std::vector<bool> seen_;
  uint64_t results_ = 0;
  uint64_t doubled_ = 0;
};

int Fail(const wb::Status& status) {
  std::cerr << "wb_result_reader: " << status.ToString() << "\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 3 || (words[2] != "columns" && words[2] != "whole")) {
    std::cerr << "usage: wb_result_reader ADDRESS JOB columns|whole\n";
    return 2;
  }
  auto client = wb::Client::Connect(words[0], {});
  if (!client.ok()) return Fail(client.status());
  wasmburst::v1::ReadResultsRequest request;
  request.set_name(words[1]);
  request.set_follow(true);
  request.set_columns(words[2] == "columns");
  Seen seen;
  uint64_t bytes = 0;
  uint64_t instances = 0;
  const auto start = Steady::now();
  const wb::Status read = ReadResults(**client, request, [&](const auto& message) {
    seen.Add(message);
    bytes += message.ByteSizeLong();
    if (message.has_job()) instances = message.job().instances();
    return true;
  });
  const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
  if (!read.ok()) return Fail(read);
  const uint64_t lost = seen.LostOf(instances);
  std::cout << "results " << seen.results() << ", " << seconds << " s, " << bytes << " bytes, "
            << lost << " lost, " << seen.doubled() << " doubled\n";
  return lost == 0 && seen.doubled() == 0 ? 0 : 1;
}
