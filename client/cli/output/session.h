#pragma once

// What every command works with: the global flags, the client, where words go.

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

// Exit codes, stable: 0 ok, 1 a job failed or a check of doctor, 2 wrong usage or input, 3 not
// found, 4 not allowed, 5 unreachable or too late, 6 a limit of the daemon, 7 interrupted, 8
// standard output takes no more, 70 a defect.
inline constexpr int kJobFailed = 1;
inline constexpr int kCheckFailed = 1;  // of doctor
inline constexpr int kNotAllowed = 4;
inline constexpr int kTooLate = 5;
inline constexpr int kInterrupted = 7;
inline constexpr int kOutputFailed = 8;
int ExitCodeOf(const Status& status);

class Session {
 public:
  // `is_late`: set once the time of --timeout is over, before calls under way are interrupted.
  Session(GlobalFlags flags, std::shared_ptr<Client> client,
          std::shared_ptr<const std::atomic<bool>> is_late)
      : flags_(std::move(flags)), client_(std::move(client)), is_late_(std::move(is_late)) {}

  Client& client() { return *client_; }
  const GlobalFlags& flags() const { return flags_; }
  bool is_late() const { return *is_late_; }
  Format format() const { return flags_.format; }
  bool json() const { return format() == Format::kJson || format() == Format::kJsonl; }

  // To standard output.
  static void Print(const std::string& text);
  static void PrintLine(const std::string& text) { Print(text + "\n"); }
  // A message as JSON, by the format.
  void PrintMessage(const google::protobuf::Message& message) const;
  // To standard error, unless -q.
  void Talk(const std::string& text) const;
  // Writes what is buffered. False once standard output takes no more: its reader has gone, or its
  // file system is full.
  static bool OutputWorks();
  // errno of the first write that failed; 0: none has.
  static int OutputError();

 private:
  const GlobalFlags flags_;
  const std::shared_ptr<Client> client_;
  const std::shared_ptr<const std::atomic<bool>> is_late_;
};

// A chosen command: its exit code, or why it failed.
using Command = std::function<Result<int>(Session&)>;

}  // namespace wb::cli
