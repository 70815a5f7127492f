// Reads all results of a job and keeps none, as columns or whole:
//   wb_result_reader ADDRESS JOB columns|whole
// Says "results N, S s, B bytes". Exit code 1: an error, or fewer results than instances.

#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "client/client.h"

namespace {

using Steady = std::chrono::steady_clock;

uint64_t CountOf(const wasmburst::v1::ReadResultsResponse& message) {
  uint64_t count = static_cast<uint64_t>(message.results_size());
  for (const auto& columns : message.columns()) {
    count += static_cast<uint64_t>(columns.fuel_size());
  }
  return count;
}

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
  uint64_t results = 0;
  uint64_t bytes = 0;
  uint64_t instances = 0;
  const auto start = Steady::now();
  const wb::Status read = (*client)->ReadResults(request, [&](const auto& message) {
    results += CountOf(message);
    bytes += message.ByteSizeLong();
    if (message.has_job()) instances = message.job().instances();
    return true;
  });
  const double seconds = std::chrono::duration<double>(Steady::now() - start).count();
  if (!read.ok()) return Fail(read);
  std::cout << "results " << results << ", " << seconds << " s, " << bytes << " bytes\n";
  return results == instances ? 0 : 1;
}
