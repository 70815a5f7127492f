#pragma once

// Calls of imports that a job binds to its caller (Binding.host), answered by this process.

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "client/client.h"
#include "client/services/host_call_ledger.h"
#include "compiler/base/mutex.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/host_calls.pb.h"

namespace wb {

// The answer to a call: results of the types of the import's results, writes to memory, or an
// error, with which the call traps. Its instance and number need not be set.
using AnswerHostCall =
    std::function<wasmburst::v1::HostAnswer(const wasmburst::v1::HostCall& call)>;

// Answers the calls of a job on `threads` threads, on which `answer` runs: so many calls at a time,
// in any order. Blocks until the job has ended and no call of `answer` is under way.
//
// A stream that breaks is opened again, with the attempts of ClientOptions. `answer` is called once
// for each call of an instance; a call whose answer the broken stream may have lost comes again,
// and gets the same answer. Of answers that were sent the last 64 MiB are kept for that; `answer`
// is called again for older ones.
//
// That the job has ended is no error, nor that an answer came after its call had ended. NOT_FOUND:
// there is no such job. CANCELLED: Client::Interrupt. UNAVAILABLE: the daemon is gone. Other errors
// are the daemon's, such as that another client serves the job.
Status ServeHostCalls(Client& client, const std::string& job, const AnswerHostCall& answer,
                      int threads = 1);

// The same for callers that answer later, and elsewhere than where they are called.
class HostCallService {
 public:
  // Must not block; on the thread of Run.
  using OnCall = std::function<void(const wasmburst::v1::HostCall& call)>;

  // `client` outlives the service.
  HostCallService(Client& client, std::string job);
  ~HostCallService();

  // Hands out calls, as ServeHostCalls says, until the job has ended or Stop. Once.
  Status Run(const OnCall& on_call);
  // With its instance and number. An answer that no call waits for is dropped, and one that is too
  // long for a message becomes an error. Any thread, also during `on_call`.
  void Answer(wasmburst::v1::HostAnswer answer) WB_EXCLUDES(mutex_);
  // Ends Run with CANCELLED. Any thread.
  void Stop() WB_EXCLUDES(mutex_);

 private:
  struct Stream;

  // One stream from its first message to its end. `made_progress`: it brought calls, or lasted.
  Status RunStream(const OnCall& on_call, bool* made_progress);
  void ReadCalls(Stream& stream, const OnCall& on_call, bool* made_progress);
  void WriteAnswers(Stream& stream);
  bool IsStopped() WB_EXCLUDES(mutex_);

  ClientConnection& connection_;
  const std::string job_;
  Mutex mutex_;
  CondVar changed_;
  HostCallLedger ledger_ WB_GUARDED_BY(mutex_);
  Stream* stream_ WB_GUARDED_BY(mutex_) = nullptr;  // the open one
  bool stopped_ WB_GUARDED_BY(mutex_) = false;
};

}  // namespace wb
