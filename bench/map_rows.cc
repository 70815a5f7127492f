// The C++ client's part of bench/clients.sh: calls an exported function of one i64 for each of N
// rows, several times, and takes the i32s that come back, in their order.
//   wb_map_rows ADDRESS FILE.wasm FUNCTION ROWS range|list ROUNDS
// Says "SECONDS SUM PROCESSOR_SECONDS" for each round, the last of this process alone. Exit code 1:
// an error, or fewer values than rows.

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "client/client.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"

namespace {

namespace v1 = wasmburst::v1;
using Steady = std::chrono::steady_clock;

// 1 to `rows`, as a rule or as values.
void AddRows(int64_t rows, bool is_list, v1::Job* job) {
  v1::Column* column = job->add_columns();
  if (!is_list) {
    column->mutable_range()->mutable_start()->set_i64(1);
    column->mutable_range()->mutable_step()->set_i64(1);
    return;
  }
  column->mutable_list()->set_type(v1::I64);
  auto& values = *column->mutable_list()->mutable_bits64();
  values.Resize(static_cast<int>(rows), 0);
  std::iota(values.begin(), values.end(), uint64_t{1});
}

// A row is one word: the function gives an i32. False: it is not so.
bool Take(const v1::ResultColumns& columns, std::vector<int32_t>* values, uint64_t* taken) {
  if (columns.words_size() != columns.fuel_size()) return false;
  int row = 0;
  for (const auto& range : columns.instances()) {
    for (uint64_t i = 0; i < range.count(); ++i) {
      values->at(range.first() + i) = static_cast<int32_t>(columns.words(row++));
    }
  }
  *taken += static_cast<uint64_t>(row);
  return true;
}

wb::Status Map(wb::Client* client, v1::CreateJobRequest request, std::vector<int32_t>* values) {
  const uint64_t rows = values->size();
  WB_ASSIGN(const v1::Job job, CreateJob(*client, std::move(request)));
  v1::ReadResultsRequest read;
  read.set_name(job.name());
  read.set_follow(true);
  read.set_columns(true);
  uint64_t taken = 0;
  WB_TRY(ReadResults(*client, read, [&](const v1::ReadResultsResponse& message) {
    for (const auto& columns : message.columns()) {
      if (!Take(columns, values, &taken)) return false;
    }
    return true;
  }));
  if (taken == rows) return {};
  return wb::Status(wb::Reason::kInternal, "There are fewer values than rows.");
}

int Fail(const wb::Status& status) {
  std::cerr << "wb_map_rows: " << status.ToString() << "\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 6 || (words[4] != "range" && words[4] != "list")) {
    std::cerr << "usage: wb_map_rows ADDRESS FILE.wasm FUNCTION ROWS range|list ROUNDS\n";
    return 2;
  }
  auto client = wb::Client::Connect(words[0], {});
  if (!client.ok()) return Fail(client.status());
  std::ifstream file(words[1], std::ios::binary);
  const std::string wasm((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto module = PushModule(**client, wasm);
  if (!module.ok()) return Fail(module.status());
  const int64_t rows = std::atoll(words[3].c_str());
  for (int round = 0; round < std::atoi(words[5].c_str()); ++round) {
    const auto start = Steady::now();
    const std::clock_t used = std::clock();
    std::vector<int32_t> values(static_cast<size_t>(rows));
    v1::CreateJobRequest request;
    v1::Job* job = request.mutable_job();
    job->set_module(module->name());
    job->set_instances(static_cast<uint64_t>(rows));
    AddRows(rows, words[4] == "list", job);
    v1::CallStep* call = job->add_steps()->mutable_call();
    call->set_function(words[2]);
    call->add_args()->set_column(0);
    const wb::Status mapped = Map(client->get(), std::move(request), &values);
    if (!mapped.ok()) return Fail(mapped);
    const std::chrono::duration<double> seconds = Steady::now() - start;
    std::cout << seconds.count() << " " << std::accumulate(values.begin(), values.end(), int64_t{0})
              << " " << static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC << "\n";
  }
  return 0;
}
