#pragma once

// One process of --host: lines to its standard input, lines from its standard output.

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "client/cli/host/handler_lines.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"

namespace wb::cli {

struct HandlerOptions {
  std::string command;  // for /bin/sh -c
  size_t longest_line = size_t{64} << 20;
  // How long it may go on after the end of its input, and then after SIGTERM.
  std::chrono::milliseconds grace{2000};
};

// Both on the process's thread, which reads no more until they return.
struct HandlerEvents {
  std::function<void(const std::string& line)> on_line;
  // Once, unless Finish comes first: no more lines come. `why` is a sentence.
  std::function<void(const std::string& why)> on_end;
};

class HandlerProcess {
 public:
  static Result<std::unique_ptr<HandlerProcess>> Start(const HandlerOptions& options,
                                                       HandlerEvents events);  // IO_ERROR
  ~HandlerProcess();                                                           // Finish

  // Never blocks; what a process that has ended is sent is dropped. Any thread.
  void Send(std::string_view line) WB_EXCLUDES(mutex_);
  // Closes its input, and ends it with SIGTERM, then SIGKILL, where it goes on. Does not wait.
  void BeginEnd() WB_EXCLUDES(mutex_);
  // The same, and waits until it has ended. Not from its events.
  void Finish() WB_EXCLUDES(mutex_);

 private:
  enum class Step : uint8_t { kGoOn, kOutputEnded, kLineTooLong };

  // Descriptors are ours: the process's input, its output, and both ends of what wakes the thread.
  struct Files;

  HandlerProcess(HandlerOptions options, HandlerEvents events);

  void Serve();
  Step WaitAndMove();
  Step ReadOutput();
  void WriteInput();
  bool HasEnded();
  // Ends the process as Finish says. True: it ended by itself.
  bool EndProcess();
  bool EndsWithin(std::chrono::milliseconds time);
  std::string WhyEnded(Step step, bool by_itself) const;
  bool IsFinishing() WB_EXCLUDES(mutex_);
  void Wake();

  const HandlerOptions options_;
  const HandlerEvents events_;
  const std::unique_ptr<Files> files_;
  pid_t pid_ = 0;
  // Of the thread.
  HandlerLines lines_;
  std::string writing_;  // what comes next to its input, from written_ on
  size_t written_ = 0;
  bool has_ended_ = false;
  int end_status_ = 0;  // of waitpid

  Mutex mutex_;
  std::string outgoing_ WB_GUARDED_BY(mutex_);
  bool is_finishing_ WB_GUARDED_BY(mutex_) = false;
  bool takes_input_ WB_GUARDED_BY(mutex_) = true;
  std::thread thread_;
};

}  // namespace wb::cli
