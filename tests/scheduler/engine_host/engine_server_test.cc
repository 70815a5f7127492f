// The host's end of the line, in this process, over a device that does as the test says.

#include "scheduler/engine_host/engine_server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "compiler/base/mutex.h"
#include "compiler/compiler.h"
#include "scheduler/base/quoted.h"
#include "scheduler/engine_host/messages.h"
#include "tests/fakes/plain_dispatch.h"
#include "tests/scheduler/scheduler_rig.h"

namespace wb::test {
namespace {

using wasmburst::engine::Reply;
using wasmburst::engine::Request;

// What happened to a device, in order, and whether it may look at its sensors.
class Events {
 public:
  void Add(const std::string& event) {
    MutexLock lock(mutex_);
    events_.push_back(event);
    changed_.NotifyAll();
  }
  void Await(const std::string& event) {
    MutexLock lock(mutex_);
    while (std::count(events_.begin(), events_.end(), event) == 0) changed_.Wait(mutex_);
  }
  std::vector<std::string> all() {
    MutexLock lock(mutex_);
    return events_;
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::vector<std::string> events_ WB_GUARDED_BY(mutex_);
};

// The lowered modules that a device was given.
class GivenModules {
 public:
  // By address: the server remembers them all.
  void Add(const LoweredModule* module) {
    MutexLock lock(mutex_);
    modules_.insert(module);
    ++calls_;
  }
  size_t count() {
    MutexLock lock(mutex_);
    return modules_.size();
  }
  int calls() {
    MutexLock lock(mutex_);
    return calls_;
  }

 private:
  Mutex mutex_;
  std::set<const LoweredModule*> modules_ WB_GUARDED_BY(mutex_);
  int calls_ WB_GUARDED_BY(mutex_) = 0;
};

class TestPipeline final : public Pipeline {};

class TestDevice final : public Device {
 public:
  TestDevice(Events& events, GivenModules& given) : events_(events), given_(given) {
    info_.id = "test0";
  }

  const DeviceInfo& info() const override { return info_; }
  Result<Bytes> Build(const LoweredModule& module, const KernelSource&, Effort) override {
    given_.Add(&module);
    return Bytes(built_bytes);
  }
  Result<PipelineRef> Load(std::shared_ptr<const LoweredModule> module, ByteView) override {
    given_.Add(module.get());
    return PipelineRef(std::make_shared<TestPipeline>());
  }
  Result<std::unique_ptr<wb::Dispatch>> Allocate(const PipelineRef&,
                                                 const DispatchShape& shape) override {
    return std::unique_ptr<wb::Dispatch>(new PlainDispatch(shape));
  }
  Status Begin(wb::Dispatch&, const LaunchLimits&) override {
    events_.Add("begin");
    return {};
  }
  Result<LaunchReport> Await() override { return LaunchReport(); }
  Status Adopt(wb::Dispatch&, const PipelineRef&) override {
    events_.Add("adopt");
    return {};
  }
  void Stop() override { events_.Add("stop"); }
  Telemetry Sample() override {
    events_.Await("sensors");
    return {};
  }

  size_t built_bytes = 1;

 private:
  Events& events_;
  GivenModules& given_;
  DeviceInfo info_;
};

class EngineServerTest : public ::testing::Test {
 protected:
  EngineServerTest() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    daemon_ = std::make_unique<Channel>(UniqueFd(ends[0]));
    server_ = std::make_unique<EngineServer>(
        UniqueFd(ends[1]),
        [this](const wasmburst::engine::Hello&,
               const std::shared_ptr<HostMemory>&) -> Result<std::unique_ptr<Device>> {
          device_ = new TestDevice(events_, given_);
          return std::unique_ptr<Device>(device_);
        },
        kMostMessageBytes);
    thread_ = std::thread([this] { server_->Serve(); });
    Request hello;
    hello.mutable_hello()->set_version(std::string(CompilerVersion()));
    hello.mutable_hello()->set_compile_parallel(1);
    EXPECT_TRUE(Ask(std::move(hello)).has_info());
  }
  ~EngineServerTest() override {
    daemon_->Shutdown();
    thread_.join();
  }

  uint64_t Tell(Request request, int fd = -1) {
    request.set_id(++last_);
    EXPECT_TRUE(daemon_->Send(request.SerializeAsString(), fd));
    return last_;
  }
  Reply AwaitReply(uint64_t id) {
    for (;;) {
      const auto message = daemon_->Receive();
      Reply reply;
      if (!message || !reply.ParseFromString(message->bytes) || reply.id() == id) return reply;
    }
  }
  Reply Ask(Request request, int fd = -1) { return AwaitReply(Tell(std::move(request), fd)); }

  // A pipeline's handle.
  uint64_t Load(const Module& module) {
    Request load;
    load.mutable_load()->set_wasm(module.binary().data(), module.binary().size());
    load.mutable_load()->set_binary_is_wasm(true);
    return Ask(std::move(load)).handle();
  }
  // A dispatch of one lane; its handle, 0: an error.
  uint64_t Allocate(const Module& module = *NumberModule(), uint64_t kept = 0) {
    DispatchShape shape;
    shape.lanes = 1;
    Request allocate;
    Put(shape, *allocate.mutable_allocate());
    allocate.mutable_allocate()->set_kept(kept);
    allocate.mutable_allocate()->set_pipeline(Load(module));
    const UniqueFd memory = MakeSharedMemory(1 << 16).value();
    return Ask(std::move(allocate), memory.get()).handle();
  }

  static constexpr uint32_t kMostMessageBytes = 1 << 20;
  Events events_;
  GivenModules given_;
  TestDevice* device_ = nullptr;  // the server's
  std::unique_ptr<Channel> daemon_;
  std::unique_ptr<EngineServer> server_;
  std::thread thread_;
  uint64_t last_ = 0;
};

TEST_F(EngineServerTest, AModuleIsLoweredOnceWhateverBuildsLoadsAndJobsFollow) {
  const auto module = NumberModule();
  const auto lowered = Lower(module).value();
  for (int job = 0; job < 2; ++job) {
    Request build;
    Put(*module, EmitKernel(*lowered, {}).value(), *build.mutable_build());
    EXPECT_TRUE(Ask(std::move(build)).has_binary());
    Request drop;
    drop.set_drop_dispatch(Allocate(*module));
    Tell(std::move(drop));
  }
  for (int other = 0; other < 12; ++other) {
    Allocate(*ModuleOf("(module (memory " + std::to_string(other) + "))"));
  }
  Allocate(*module);  // still remembered, behind a dozen others
  EXPECT_EQ(given_.count(), 13u);
  EXPECT_EQ(given_.calls(), 17);
}

TEST_F(EngineServerTest, AReplyBeyondTheBoundIsAnErrorOfItsRequestAlone) {
  const auto module = NumberModule();
  Request build;
  Put(*module, EmitKernel(*Lower(module).value(), {}).value(), *build.mutable_build());
  device_->built_bytes = kMostMessageBytes;
  const Status status = StatusOf(Ask(build).error());
  EXPECT_EQ(status.reason(), Reason::kLimitTooHigh);
  EXPECT_TRUE(status.message().starts_with("A message of [10485")) << status.message();
  EXPECT_NE(status.message().find("bytes from the engine host is beyond the bound of [1048576]"),
            std::string::npos)
      << status.message();
  device_->built_bytes = kMostMessageBytes - 100;
  EXPECT_TRUE(Ask(build).has_binary());
}

TEST_F(EngineServerTest, AnInputIsKeptUntilItIsDropped) {
  const UniqueFd memory = MakeSharedMemory(4096).value();
  Request keep;
  keep.mutable_keep()->set_bytes(100);
  EXPECT_TRUE(Ask(keep, memory.get()).has_error());  // without a digest
  keep.mutable_keep()->set_digest(std::string(32, 'd'));
  EXPECT_TRUE(Ask(keep).has_error());  // without memory
  keep.mutable_keep()->set_bytes(4097);
  EXPECT_TRUE(Ask(keep, memory.get()).has_error());
  keep.mutable_keep()->set_bytes(4096);
  const uint64_t kept = Ask(keep, memory.get()).handle();
  ASSERT_NE(kept, 0u);
  EXPECT_NE(Allocate(*NumberModule(), kept), 0u);
  Request drop;
  drop.set_drop_input(kept);
  Tell(drop);
  EXPECT_EQ(Allocate(*NumberModule(), kept), 0u);
  EXPECT_NE(Allocate(), 0u);
}

TEST_F(EngineServerTest, ADispatchAdoptsAPipelineWhereBothAreThere) {
  const uint64_t dispatch = Allocate();
  const uint64_t pipeline = Load(*NumberModule());
  const auto adopt = [this](uint64_t by, uint64_t which) {
    Request request;
    request.mutable_adopt()->set_dispatch(by);
    request.mutable_adopt()->set_pipeline(which);
    return Ask(std::move(request));
  };
  EXPECT_EQ(StatusOf(adopt(dispatch + 100, pipeline).error()).message(),
            "The engine host has no dispatch " + Quoted(dispatch + 100) + ".");
  EXPECT_EQ(StatusOf(adopt(dispatch, pipeline + 100).error()).message(),
            "The engine host has no pipeline " + Quoted(pipeline + 100) + ".");
  EXPECT_TRUE(events_.all().empty());
  EXPECT_EQ(adopt(dispatch, pipeline).handle(), dispatch);
  EXPECT_EQ(events_.all(), std::vector<std::string>{"adopt"});
}

// The owner thread looks at sensors when both come.
TEST_F(EngineServerTest, AStopReachesALaunchThatWasAskedForBeforeItAndHasNotBegun) {
  const uint64_t dispatch = Allocate();
  Request sample, launch, stop;
  sample.mutable_sample();
  launch.mutable_launch()->set_dispatch(dispatch);
  stop.set_stop(true);
  Tell(std::move(sample));
  const uint64_t launched = Tell(std::move(launch));
  Tell(std::move(stop));
  events_.Await("stop");  // at once, of what runs
  events_.Add("sensors");
  EXPECT_TRUE(AwaitReply(launched).has_report());
  Request again;
  again.mutable_sample();
  Ask(std::move(again));  // the owner thread has done all that came before it
  const auto all = events_.all();
  const auto begun = std::find(all.begin(), all.end(), "begin");
  EXPECT_NE(std::find(begun, all.end(), "stop"), all.end());
}

}  // namespace
}  // namespace wb::test
