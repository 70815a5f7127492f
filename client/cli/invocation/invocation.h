#pragma once

// What every command works with: the flags that all have, and the daemon.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "client/cli/identity/connection_choice.h"
#include "client/cli/output/print.h"
#include "client/client.h"

namespace wb::cli {

struct GlobalFlags {
  ConnectionFlags given;  // which daemon, as it was written
  // What is chosen from them (connection_choice.h): of the daemon, and how it is reached.
  std::string address;
  ClientOptions client;
  Format format = Format::kTable;
  bool quiet = false;
  std::string timeout;                    // of the whole command; empty: none
  std::string traceparent;                // as it was written; empty: not given
  std::vector<std::string> program_args;  // of run: what stands behind --, as it was written
};

// One run of this program: what it was told of every command, and the daemon. One thread uses it;
// its client, any.
class Invocation {
 public:
  // `is_late`: set once the time of --timeout is over, before calls under way are interrupted.
  Invocation(GlobalFlags flags, std::shared_ptr<Client> client,
             std::shared_ptr<const std::atomic<bool>> is_late)
      : flags_(std::move(flags)), client_(std::move(client)), is_late_(std::move(is_late)) {}

  Client& client() { return *client_; }
  const GlobalFlags& flags() const { return flags_; }
  bool is_late() const { return *is_late_; }
  Format format() const { return flags_.format; }
  bool json() const { return format() == Format::kJson || format() == Format::kJsonl; }

  // A message as JSON, by the format, on standard output.
  void PrintMessage(const google::protobuf::Message& message) const;
  // To standard error, unless -q.
  void Talk(const std::string& text) const;

 private:
  const GlobalFlags flags_;
  const std::shared_ptr<Client> client_;
  const std::shared_ptr<const std::atomic<bool>> is_late_;
};

// A command that was chosen, with its own flags.
struct Command {
  std::function<Result<int>(Invocation&)> run;  // to the exit code, or why it failed
  bool calls_daemon = true;  // false: it runs whatever is wrong with the way to a daemon
  bool prints_csv = false;   // -o csv is for commands that print rows
};

}  // namespace wb::cli
