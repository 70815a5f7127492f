#pragma once

// A daemon over the fake scheduler on sockets of its own, and clients of it.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "client/cli/program/wat.h"
#include "client/client.h"
#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "daemon/config/default_config.h"
#include "daemon/daemon.h"
#include "tests/daemon/fake_scheduler.h"

namespace wb {

inline constexpr const char* kFakeModule = R"((module
  (memory 1)
  (func (export "identity") (param i32) (result i32) (local.get 0))
  (func (export "bytes") (param i32) (result i32) (local.get 0))
  (func (export "trap") (unreachable))
  (func (export "spin") (loop (br 0)))))";

class DaemonTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/wb_daemon_XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    config_ = DefaultConfig();
    config_.listen.resize(2);
    config_.listen[0].address.path = folder_ + "/socket";
    config_.listen[1] = ParseListenSetting("tcp://127.0.0.1:0?role=admin").value();
    config_.heartbeat = 20'000'000;
    config_.drain_timeout = 1'000'000;
    config_.result_message_bytes = 1024;
  }
  void TearDown() override {
    client_.reset();
    daemon_.reset();
    std::filesystem::remove_all(folder_);
  }

  void Start() {
    DaemonParts parts;
    parts.scheduler = scheduler_.get();
    parts.observers = observers_;
    parts.state_directory = state_directory_;
    parts.room_at = room_at_;
    parts.compiler_version = "fake";
    parts.kernel_texts = kernel_texts_;
    parts.check_module = check_module_;
    parts.inspector = inspector_;
    parts.profiler = profiler_;
    parts.session_modules = session_modules_;
    Result<std::unique_ptr<Daemon>> daemon = Daemon::Start(config_, parts);
    ASSERT_TRUE(daemon.ok()) << daemon.status().message();
    daemon_ = std::move(daemon).value();
    client_ = NewClient(0);
  }
  std::unique_ptr<Client> NewClient(size_t listener) const {
    return Client::Connect(daemon_->addresses()[listener], {}).value();
  }
  std::string Push() {
    std::string wasm = cli::AssembleWat(kFakeModule, "fake.wat").value();
    return PushModule(*client_, wasm).value().name();
  }
  // Calls `function` with 0, 1, 2... where it takes a number.
  wasmburst::v1::CreateJobRequest Request(const std::string& function, uint64_t instances) {
    wasmburst::v1::CreateJobRequest request;
    request.mutable_job()->set_module(Push());
    request.mutable_job()->set_instances(instances);
    auto* call = request.mutable_job()->add_steps()->mutable_call();
    call->set_function(function);
    if (function == "identity" || function == "bytes") {
      call->add_args()->set_column(0);
      auto* range = request.mutable_job()->add_columns()->mutable_range();
      range->mutable_start()->set_i32(0);
      range->mutable_step()->set_i32(1);
    }
    return request;
  }
  std::string Create(const std::string& function, uint64_t instances) {
    Result<wasmburst::v1::Job> job = CreateJob(*client_, Request(function, instances));
    EXPECT_TRUE(job.ok()) << job.status().message();
    return job.ok() ? job->name() : "";
  }
  // Follows until the job has ended; the job.
  wasmburst::v1::Job WaitForEnd(const std::string& name) {
    wasmburst::v1::WatchJobRequest request;
    request.set_name(name);
    wasmburst::v1::Job last;
    Status status = WatchJob(*client_, request, [&](const wasmburst::v1::JobEvent& event) {
      if (event.has_job()) last = event.job();
      return true;
    });
    EXPECT_TRUE(status.ok()) << status.message();
    return last;
  }

  std::string folder_;
  std::string state_directory_;  // empty: nothing outlives the daemon
  std::function<DiskRoom(const std::string&)> room_at_ = RoomAt;
  Config config_;
  KernelTexts kernel_texts_ = [](const KernelTextRequest&) -> Result<KernelText> {
    return KernelText{"kernel text", "fake", {}, false, {}};
  };
  ModuleCheck check_module_ = [](std::shared_ptr<const Module> module) {
    if (module->imports.empty()) return Status();
    return Status(Reason::kImportNotProvided, "The import is not provided.");
  };
  Inspector* inspector_ = nullptr;      // outlives the daemon
  std::shared_ptr<Profiler> profiler_;  // none: the daemon makes no profiles
  SessionModules session_modules_;      // none: memories are there from the first call on
  // What a scheduler would tell; the fake one tells nothing by itself.
  std::shared_ptr<ObserverRelay> observers_ = std::make_shared<ObserverRelay>();
  std::unique_ptr<FakeScheduler> scheduler_ = std::make_unique<FakeScheduler>();
  std::unique_ptr<Daemon> daemon_;
  std::unique_ptr<Client> client_;
};

}  // namespace wb
