#pragma once

// The jobs of a command whose calls the program of --host answers.

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "client/cli/host/handlers.h"
#include "client/cli/invocation/invocation.h"
#include "client/services/host_calls.h"
#include "wasmburst/v1/modules.pb.h"

namespace CLI {
class App;
}

namespace wb::cli {

struct HostFlags {
  std::string command;  // for /bin/sh -c; empty: none
  uint32_t workers = 1;
};

void AddHostFlags(CLI::App* command, HostFlags* flags);

// Binds to the host what a job's modules import and nothing gives, where there is a --host.
// INVALID_ARGUMENT: calls of the job are for a host, and there is no --host; or the other way
// round.
Status BindHost(const HostFlags& flags, const std::vector<wasmburst::v1::Module>& modules,
                wasmburst::v1::Job* job);

// The command that serves a job on: "wasmburstctl job serve NAME --host ...", for a shell.
std::string ServeCommandText(const std::string& job, const HostFlags& flags);

// One thread uses it.
class HostServing {
 public:
  explicit HostServing(Invocation& invocation) : invocation_(invocation) {}
  ~HostServing();  // Finish

  // Starts the program, where there is one. `modules`: of the jobs to come. IO_ERROR.
  Status Start(const HostFlags& flags, const std::vector<wasmburst::v1::Module>& modules);
  // Answers the calls of a job from now on, where there is a program. `first`: the number of its
  // first instance, as the program is told it.
  void Serve(const std::string& job, uint64_t first);
  // Waits until the jobs have ended. The first error, if there was one; CANCELLED: an interrupt.
  Status Wait();
  // Serves no more, and ends the program. Jobs that go on get no answers.
  void Finish();

 private:
  struct Served {
    std::unique_ptr<HostCallService> service;
    std::thread thread;
    Status status;  // of its end; the thread's until it is joined
  };

  void Run(Served& served, uint64_t first);

  Invocation& invocation_;
  std::unique_ptr<Handlers> handlers_;
  std::vector<std::unique_ptr<Served>> served_;
};

}  // namespace wb::cli
