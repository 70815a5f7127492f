#pragma once

// The services of a daemon without sockets, pools and disk, over a StepScheduler: what a fuzzer's
// calls are sent to. Each input begins with the same modules, input and jobs, so that what one
// input does depends on nothing but its bytes.
//
// Threads: one.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "daemon/identity/token.h"
#include "daemon/services/services.h"
#include "tests/daemon/fuzz/fuzz_call.h"
#include "tests/daemon/fuzz/name_book.h"
#include "tests/daemon/fuzz/step_scheduler.h"

namespace wb {

class RequestWorld {
 public:
  RequestWorld();
  ~RequestWorld();
  RequestWorld(const RequestWorld&) = delete;
  RequestWorld& operator=(const RequestWorld&) = delete;

  // In the place of those that the daemon has, with the same requests: for tests of this.
  void Replace(UnaryMethod method) { unary_[method.path] = std::move(method); }
  void Replace(ServerStreamMethod method) { server_streams_[method.path] = std::move(method); }

  // Makes the calls, ends all jobs and streams, and asks whether the services still answer. What is
  // wrong, in a sentence; empty: nothing. Wrong is INTERNAL or UNKNOWN, an answer that a client
  // cannot read, and a stream of a job that goes on when the job has ended.
  std::string Run(const FuzzCalls& calls);

  // Of calls that were made: how many were answered with OK.
  uint64_t answered() const { return answered_; }

 private:
  struct Open {
    std::string path;
    std::unique_ptr<StreamSource> source;
    bool has_ended = false;
  };
  void FillStores();
  void CallOne(const FuzzCall& call);
  void CallUnary(const UnaryMethod& method, const FuzzCall& call);
  void CallServerStream(const ServerStreamMethod& method, const FuzzCall& call);
  void CallClientStream(const ClientStreamMethod& method, const FuzzCall& call);
  void CallSession(const SessionMethod& method, const FuzzCall& call);
  Status AddAll(const FuzzCall& call, size_t from, const std::function<MessagePtr()>& new_request,
                const std::function<Status(const Message&)>& add);
  Result<MessagePtr> RequestOf(const std::function<MessagePtr()>& new_request,
                               const std::string& bytes) const;
  void Pump(Open* stream);
  void EndAll();
  void Judge(const std::string& path, const Status& status);
  void Look(const std::string& path, const Message& answer);
  void Blame(const std::string& path, const std::string& words);

  StepScheduler scheduler_;
  TokenTable token_table_;
  std::shared_ptr<ServiceContext> context_;
  std::map<std::string, UnaryMethod> unary_;
  std::map<std::string, ServerStreamMethod> server_streams_;
  std::map<std::string, ClientStreamMethod> client_streams_;
  std::map<std::string, SessionMethod> sessions_;
  std::vector<Caller> callers_;
  NameBook names_;
  std::deque<Open> streams_;  // that are open
  std::string wrong_;
  uint64_t answered_ = 0;
};

}  // namespace wb
