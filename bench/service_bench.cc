// What a client waits for: a job of one instance whose pipeline is cached, through the daemon, its
// Unix socket and the engine host, with the C++ client. A daemon of its own is started.

#include <benchmark/benchmark.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "bench/temporary_folder.h"
#include "client/client.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "client/services/server.h"
#include "compiler/base/check.h"

extern char** environ;

namespace wb::bench {
namespace {

using wasmburst::v1::Job;

// wasmburstd on a Unix socket in a folder of its own; ended with the object.
class Daemon {
 public:
  Daemon() : address_("unix://" + folder_.path() + "/wasmburstd.sock") {
    const std::string config = folder_.path() + "/wasmburstd.toml";
    std::ofstream(config) << "version = 1\n[server]\nstate_directory = \"" << folder_.path()
                          << "/state\"\n[[listen]]\naddress = \"" << address_
                          << "\"\n[cache]\ndirectory = \"" << folder_.path()
                          << "/cache\"\n[log]\nlevel = \"error\"\n";
    std::string words[] = {WB_BENCH_DAEMON, "--config", config};
    char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
    WB_CHECK(posix_spawn(&pid_, argv[0], nullptr, nullptr, argv, environ) == 0);
  }
  ~Daemon() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;

  // Connected to the daemon once it answers; null if it does not within ten seconds.
  std::unique_ptr<Client> Connect() const {
    for (int attempt = 0; attempt < 100; ++attempt) {
      auto client = Client::Connect(address_, {.timeout = std::chrono::seconds(10), .attempts = 1});
      WB_CHECK(client.ok());
      if (GetServerInfo(**client).ok()) return std::move(client).value();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return nullptr;
  }

 private:
  TemporaryFolder folder_;
  std::string address_;
  pid_t pid_ = 0;
};

std::string WholeFile(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// row(0) of the demo's module, and its bytes.
Job OneRow(const std::string& module) {
  Job job;
  job.set_module(module);
  job.set_instances(1);
  job.set_placement(wasmburst::v1::CPU);
  auto* call = job.add_steps()->mutable_call();
  call->set_function("row");
  call->add_args()->mutable_constant()->set_i32(0);
  auto* read = job.add_steps()->mutable_read();
  read->mutable_pointer()->mutable_result()->set_step(0);
  read->mutable_length()->mutable_constant()->set_i32(8192);
  read->set_output("row");
  return job;
}

// Creates the job and reads its results to the end. The message of what went wrong, or "".
std::string RunOnce(Client& client, const Job& job) {
  wasmburst::v1::CreateJobRequest create;
  *create.mutable_job() = job;
  const auto created = CreateJob(client, std::move(create));
  if (!created.ok()) return created.status().ToString();
  wasmburst::v1::ReadResultsRequest read;
  read.set_name(created->name());
  read.set_follow(true);
  size_t bytes = 0;
  const Status status = ReadResults(client, std::move(read), [&](const auto& response) {
    for (const auto& result : response.results()) {
      for (const auto& output : result.outputs()) bytes += output.data().size();
    }
    return true;
  });
  if (!status.ok()) return status.ToString();
  return bytes == 8192 ? "" : "The job gave [" + std::to_string(bytes) + "] bytes.";
}

void BM_OneInstanceJob(benchmark::State& state) {
  const Daemon daemon;
  const auto client = daemon.Connect();
  if (client == nullptr) return state.SkipWithError("The daemon does not answer.");
  const auto module = PushModule(*client, WholeFile(WB_BENCH_MODULE));
  if (!module.ok()) return state.SkipWithError(module.status().ToString().c_str());
  const Job job = OneRow(module->name());
  std::string failure = RunOnce(*client, job);  // compiles
  for (auto _ : state) {
    if (failure.empty()) failure = RunOnce(*client, job);
    if (!failure.empty()) return state.SkipWithError(failure.c_str());
  }
}
BENCHMARK(BM_OneInstanceJob)->Unit(benchmark::kMillisecond)->UseRealTime();

// Jobs that are accepted, hence on the disk, by clients that each wait for the answer.
void BM_AcceptJobs(benchmark::State& state) {
  constexpr int kEach = 100;
  const Daemon daemon;
  const auto first = daemon.Connect();
  if (first == nullptr) return state.SkipWithError("The daemon does not answer.");
  const auto module = PushModule(*first, WholeFile(WB_BENCH_MODULE));
  if (!module.ok()) return state.SkipWithError(module.status().ToString().c_str());
  Job job = OneRow(module->name());
  job.set_placement(wasmburst::v1::INTERPRETER);
  std::vector<std::unique_ptr<Client>> clients(state.range(0));
  for (auto& client : clients) client = daemon.Connect();
  std::atomic<int64_t> accepted{0};
  for (auto _ : state) {
    std::vector<std::thread> threads;
    for (auto& client : clients) {
      threads.emplace_back([&] {
        for (int i = 0; i < kEach; ++i) {
          wasmburst::v1::CreateJobRequest create;
          *create.mutable_job() = job;
          accepted += CreateJob(*client, std::move(create)).ok() ? 1 : 0;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  state.SetItemsProcessed(accepted);
}
BENCHMARK(BM_AcceptJobs)
    ->Arg(1)
    ->Arg(16)
    ->Iterations(5)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace wb::bench
