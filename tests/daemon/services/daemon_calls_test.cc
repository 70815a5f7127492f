// Calls that wait for others: what is dropped, what goes ahead, what is held meanwhile.

#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "client/services/server.h"
#include "tests/daemon/services/daemon_fixture.h"
#include "wasmburst/v1/admin.grpc.pb.h"
#include "wasmburst/v1/jobs.grpc.pb.h"
#include "wasmburst/v1/modules.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

// Compilations wait at a gate.
class DaemonCallsTest : public DaemonTest {
 protected:
  DaemonCallsTest() {
    kernel_texts_ = [this](const KernelTextRequest&) -> Result<KernelText> {
      WaitAtGate();
      return KernelText{"kernel text", "fake", {}, false, {}};
    };
  }
  void WaitUntilBegun(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return begun_ >= count; });
  }
  void OpenGate() {
    std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  int begun() {
    std::lock_guard lock(mutex_);
    return begun_;
  }
  std::shared_ptr<grpc::Channel> Channel() const {
    return grpc::CreateChannel(daemon_->addresses()[0], grpc::InsecureChannelCredentials());
  }
  // What was said on the connection before has arrived.
  static void RoundTrip(const std::shared_ptr<grpc::Channel>& channel) {
    grpc::ClientContext context;
    v1::ServerInfo info;
    EXPECT_TRUE(v1::Admin::NewStub(channel)->GetServerInfo(&context, {}, &info).ok());
  }
  // Checks of modules wait at the gate as well.
  void GateModuleChecks() {
    check_module_ = [this](std::shared_ptr<const Module>) {
      WaitAtGate();
      return Status();
    };
  }
  // A job of a module of over 256 KiB: a custom section of 300,000 bytes.
  static v1::RunJobRequest LongRequest() {
    v1::RunJobRequest request;
    request.mutable_job()->set_instances(1);
    request.mutable_job()->add_steps()->mutable_call()->set_function("trap");
    request.set_wasm(cli::AssembleWat("(module (func (export \"trap\")))", "t").value() +
                     std::string("\0\xe2\xa7\x12\1x", 6) + std::string(300'000, 'x'));
    return request;
  }
  void WaitAtGate() {
    std::unique_lock lock(mutex_);
    ++begun_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int begun_ = 0;
  bool open_ = false;
};

TEST_F(DaemonCallsTest, AQueuedCallWhoseDeadlineIsOverIsNotBegun) {
  Start();
  v1::CompileModuleRequest request;
  request.set_name(Push());
  std::thread first([&] { EXPECT_TRUE(CompileModule(*client_, request).ok()); });
  WaitUntilBegun(1);
  const auto channel = Channel();
  auto stub = v1::Modules::NewStub(channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(100));
  v1::CompileModuleResponse response;
  EXPECT_EQ(stub->CompileModule(&context, request, &response).error_code(),
            grpc::StatusCode::DEADLINE_EXCEEDED);
  RoundTrip(channel);
  OpenGate();
  first.join();
  // Behind it in the same queue.
  grpc::ClientContext third;
  EXPECT_TRUE(stub->CompileModule(&third, request, &response).ok());
  EXPECT_EQ(begun(), 2);
}

TEST_F(DaemonCallsTest, CallsThatCompileAndLongRequestsHoldUpNoJob) {
  Start();
  v1::CompileModuleRequest compile;
  compile.set_name(Push());
  std::vector<std::thread> compiling;
  for (int i = 0; i < 5; ++i) {
    compiling.emplace_back([&] { (void)CompileModule(*NewClient(0), compile); });
  }
  WaitUntilBegun(1);
  EXPECT_EQ(WaitForEnd(Create("identity", 5)).state(), v1::Job::SUCCEEDED);
  // A request of megabytes is parsed beside them, too.
  v1::CreateJobRequest large = Request("identity", 5);
  for (int i = 0; i < 70'000; ++i) large.mutable_job()->add_steps();
  EXPECT_EQ(CreateJob(*client_, large).status().reason(), Reason::kInvalidArgument);
  v1::CreateJobRequest long_list = Request("identity", 100'000);
  v1::ValueList* list = long_list.mutable_job()->mutable_columns(0)->mutable_list();
  list->set_type(v1::I32);
  for (uint32_t i = 0; i < 100'000; ++i) list->add_bits32(i);
  EXPECT_TRUE(CreateJob(*client_, long_list).ok());
  OpenGate();
  for (std::thread& thread : compiling) thread.join();
}

// The thread for long requests waits at the gate; behind it one call of a connection may wait.
TEST_F(DaemonCallsTest, LongRequestsBeyondAConnectionsPartAreRefusedAtOnce) {
  GateModuleChecks();
  config_.grpc_memory_bytes = config_.max_message_bytes;
  Start();
  const v1::RunJobRequest request = LongRequest();
  std::thread first([&] { EXPECT_TRUE(PushModule(*NewClient(0), request.wasm()).ok()); });
  WaitUntilBegun(1);
  auto stub = v1::Jobs::NewStub(Channel());
  std::atomic<int> refused{0};
  std::atomic<int> ended{0};
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&] {
      grpc::ClientContext context;
      auto reader = stub->RunJob(&context, request);
      v1::RunJobResponse response;
      while (reader->Read(&response)) ended += response.results().has_job() ? 1 : 0;
      refused += reader->Finish().error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED ? 1 : 0;
    });
  }
  while (refused < 2) std::this_thread::yield();
  EXPECT_TRUE(GetServerInfo(*client_).ok());
  OpenGate();
  first.join();
  for (std::thread& thread : others) thread.join();
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(ended, 1);
}

TEST_F(DaemonTest, ACompilationLearnsThatItsClientHasGone) {
  std::atomic<bool> has_learnt{false};
  kernel_texts_ = [&](const KernelTextRequest& request) -> Result<KernelText> {
    while (!request.is_unwanted()) std::this_thread::yield();
    has_learnt = true;
    return Status(Reason::kCompileTimeout, "Nobody waits.");
  };
  Start();
  auto stub = v1::Modules::NewStub(
      grpc::CreateChannel(daemon_->addresses()[0], grpc::InsecureChannelCredentials()));
  v1::CompileModuleRequest request;
  request.set_name(Push());
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::milliseconds(50));
  v1::CompileModuleResponse response;
  // Both ends see the deadline pass; the client hears of its own or of the daemon's, by chance.
  EXPECT_FALSE(stub->CompileModule(&context, request, &response).ok());
  while (!has_learnt) std::this_thread::yield();
}

TEST_F(DaemonTest, AKernelTextHasTheFloatsAndTheLayoutThatWereAskedFor) {
  KernelTextRequest seen;
  kernel_texts_ = [&](const KernelTextRequest& request) -> Result<KernelText> {
    seen = request;
    return KernelText{"kernel text", "fake", {}, false, {}};
  };
  Start();
  v1::CompileModuleRequest request;
  request.set_name(Push());
  ASSERT_TRUE(CompileModule(*client_, request).ok());
  EXPECT_EQ(seen.floats, Floats::kNative);
  EXPECT_EQ(seen.layout, MemoryLayout::kContiguous);
  request.set_floats(v1::CompileModuleRequest::METAL);
  request.set_layout(v1::CompileModuleRequest::INTERLEAVED);
  ASSERT_TRUE(CompileModule(*client_, request).ok());
  EXPECT_EQ(seen.floats, Floats::kMetal);
  EXPECT_EQ(seen.layout, MemoryLayout::kInterleaved);
  request.set_floats(v1::CompileModuleRequest::FAST32);
  ASSERT_TRUE(CompileModule(*client_, request).ok());
  EXPECT_EQ(seen.floats, Floats::kFast32);
  request.set_floats(static_cast<v1::CompileModuleRequest::TextFloats>(9));
  EXPECT_EQ(CompileModule(*client_, request).status().reason(), Reason::kInvalidArgument);
}

class DaemonHoldsTest : public DaemonTest {
 protected:
  // A job of a module that is linked under this name, and of one that does not use it.
  v1::CreateJobRequest Linked(const std::string& name, const std::string& tenant) {
    v1::CreateJobRequest request = Request("identity", 1);
    v1::LinkedModule* linked = request.mutable_job()->add_linked();
    linked->set_name(name);
    std::string wasm =
        cli::AssembleWat(
            "(module (memory 1) (data (i32.const 0) \"" + std::string(60'000, 'x') + "\"))", "t")
            .value();
    linked->set_module(PushModule(*client_, wasm).value().name());
    (*request.mutable_job()->mutable_labels())["tenant"] = tenant;
    return request;
  }
};

TEST_F(DaemonHoldsTest, WhatWaitingJobsLinkIsBoundedAndShared) {
  config_.max_request_bytes = 1 << 20;
  Start();
  scheduler_->Hold();
  std::vector<std::string> jobs;
  for (int i = 0; i < 20; ++i) {
    jobs.push_back(CreateJob(*client_, Linked("same", "hog")).value().name());
  }
  const uint64_t shared = GetServerInfo(*client_)->request_bytes();
  EXPECT_LT(shared, 200'000u) << "jobs of equal modules share one";
  // Each of another name links a module of its own.
  Status status;
  for (int i = 0; i < 20 && status.ok(); ++i) {
    status = CreateJob(*client_, Linked("other" + std::to_string(i), "hog")).status();
  }
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_NE(status.message().find("jobs.max_request_bytes [1048576]"), std::string::npos)
      << status.message();
  EXPECT_LE(GetServerInfo(*client_)->request_bytes(), 600'000u);
  EXPECT_TRUE(CreateJob(*client_, Linked("same", "neighbour")).ok());
  scheduler_->Release();
  WaitForEnd(jobs.back());
}

TEST_F(DaemonHoldsTest, ColumnsOfWaitingJobsAreBounded) {
  config_.max_request_bytes = 1 << 20;
  Start();
  scheduler_->Hold();
  v1::CreateJobRequest request = Request("identity", 100'000);
  v1::ValueList* list = request.mutable_job()->mutable_columns(0)->mutable_list();
  list->set_type(v1::I32);
  for (uint32_t i = 0; i < 100'000; ++i) list->add_bits32(i);
  const std::string first = CreateJob(*client_, request).value().name();
  const uint64_t held = GetServerInfo(*client_)->request_bytes();
  EXPECT_GE(held, 400'000u);
  EXPECT_LT(held, 420'000u) << "four bytes for each value";
  request.clear_request_id();
  EXPECT_EQ(CreateJob(*client_, request).status().code(), Code::kResourceExhausted);
  scheduler_->Release();
  WaitForEnd(first);
  EXPECT_LT(GetServerInfo(*client_)->request_bytes(), 10'000u);
}

}  // namespace
}  // namespace wb
