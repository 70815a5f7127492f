#include "tests/daemon/daemon_fixture.h"

#include <vector>

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

TEST_F(DaemonTest, RunsAJobOverBothListeners) {
  Start();
  for (size_t listener : {0u, 1u}) {
    client_ = NewClient(listener);
    std::string name = Create("identity", 100);
    std::vector<uint64_t> instances;
    v1::ReadResultsRequest request;
    request.set_name(name);
    request.set_follow(true);
    v1::Job ended;
    Status status = client_->ReadResults(request, [&](const v1::ReadResultsResponse& part) {
      for (const v1::InstanceResult& result : part.results()) {
        instances.push_back(result.instance());
        EXPECT_EQ(result.steps(0).values(0).i32(), static_cast<int>(result.instance()));
      }
      if (part.has_job()) ended = part.job();
      return true;
    });
    ASSERT_TRUE(status.ok()) << status.message();
    ASSERT_EQ(instances.size(), 100u);
    for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(instances[i], i);
    EXPECT_EQ(ended.state(), v1::Job::SUCCEEDED);
    EXPECT_EQ(ended.counts().returned(), 100u);
    EXPECT_EQ(ended.usage().fuel(), 300u);
  }
}

TEST_F(DaemonTest, ResumesAtEveryMessageBoundary) {
  Start();
  std::string name = Create("identity", 200);
  WaitForEnd(name);
  std::vector<std::string> cursors = {""};
  std::vector<uint64_t> whole;
  v1::ReadResultsRequest request;
  request.set_name(name);
  ASSERT_TRUE(client_
                  ->ReadResults(request,
                                [&](const v1::ReadResultsResponse& part) {
                                  for (const auto& result : part.results()) {
                                    whole.push_back(result.instance());
                                  }
                                  cursors.push_back(part.cursor());
                                  return true;
                                })
                  .ok());
  ASSERT_EQ(whole.size(), 200u);
  ASSERT_GT(cursors.size(), 10u);
  size_t seen = 0;
  for (size_t cut = 0; cut < cursors.size(); ++cut) {
    // One message after each cursor must be the one that came after it before.
    request.set_cursor(cursors[cut]);
    size_t count = 0;
    bool ended = false;
    EXPECT_TRUE(client_
                    ->ReadResults(request,
                                  [&](const v1::ReadResultsResponse& part) {
                                    for (const auto& result : part.results()) {
                                      EXPECT_EQ(result.instance(), whole[seen + count]);
                                      ++count;
                                    }
                                    ended = part.has_job();
                                    return false;
                                  })
                    .ok());
    seen += count;
    EXPECT_TRUE(ended || cut + 1 < cursors.size());
  }
  EXPECT_EQ(seen, 200u);
}

TEST_F(DaemonTest, CreateIsIdempotentByRequestId) {
  Start();
  v1::CreateJobRequest request = Request("identity", 5);
  request.set_request_id("once");
  for (int i = 0; i < 40; ++i) (*request.mutable_job()->mutable_labels())[std::to_string(i)] = "x";
  v1::Job first = client_->CreateJob(request).value();
  EXPECT_EQ(client_->CreateJob(request).value().name(), first.name());
  request.mutable_job()->set_instances(6);
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kRequestIdReused);
  EXPECT_EQ(client_->ListJobs({}).value().jobs_size(), 1);
}

TEST_F(DaemonTest, ARefusedJobLeavesNothingBehind) {
  Start();
  scheduler_.RefuseNext(Status(Reason::kNoDeviceFits, "Too large."));
  v1::CreateJobRequest request = Request("identity", 5);
  request.set_request_id("again");
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kNoDeviceFits);
  EXPECT_EQ(client_->ListJobs({}).value().jobs_size(), 0);
  EXPECT_TRUE(client_->CreateJob(request).ok());
}

TEST_F(DaemonTest, ValidateOnlyRunsNothing) {
  Start();
  v1::CreateJobRequest request = Request("identity", 5);
  request.set_validate_only(true);
  v1::Job job = client_->CreateJob(request).value();
  EXPECT_EQ(job.name(), "");
  EXPECT_EQ(job.limits().max_stack(), 32768u);
  EXPECT_EQ(client_->ListJobs({}).value().jobs_size(), 0);
}

TEST_F(DaemonTest, BadJobsAreRefusedByReason) {
  Start();
  v1::CreateJobRequest request = Request("nothing", 5);
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kEntryPointNotFound);
  request = Request("identity", 5);
  request.mutable_job()->mutable_steps(0)->mutable_call()->clear_args();
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kSignatureMismatch);
  request = Request("identity", 5);
  request.mutable_job()->mutable_columns(0)->mutable_constant()->set_i64(1);
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kSignatureMismatch);
  request = Request("identity", 0);
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kInvalidArgument);
  request = Request("identity", uint64_t{1} << 63);
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kLimitTooHigh);
  request = Request("identity", 5);
  request.mutable_job()->set_module("modules/sha256:" + std::string(64, '0'));
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kModuleMissing);
  request.mutable_job()->set_module("fac.wasm");
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kInvalidArgument);
  request = Request("identity", 5);
  request.set_request_id(std::string(129, 'x'));
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonTest, BadModulesAreRefusedByReason) {
  Start();
  EXPECT_EQ(client_->PushModule("").status().reason(), Reason::kWasmMalformed);
  EXPECT_EQ(client_->PushModule("this is no wasm").status().reason(), Reason::kWasmMalformed);
  std::string wasm = cli::AssembleWat(kFakeModule, "fake.wat").value();
  EXPECT_EQ(client_->PushModule(wasm.substr(0, wasm.size() - 3)).status().reason(),
            Reason::kWasmMalformed);
  EXPECT_EQ(client_->ListModules({}).value().modules_size(), 0);
}

TEST_F(DaemonTest, AModuleThatNothingRunsIsStoredAndItsJobsAreRefused) {
  Start();
  const char* text = "(module (import \"a\" \"b\" (func)) (func (export \"trap\")))";
  v1::CreateJobRequest request = Request("trap", 1);
  request.mutable_job()->set_module(
      client_->PushModule(cli::AssembleWat(text, "t").value()).value().name());
  EXPECT_EQ(client_->CreateJob(request).status().reason(), Reason::kImportNotProvided);
}

TEST_F(DaemonTest, LargeModulesGoInChunks) {
  config_.max_module_bytes = 12 << 20;
  Start();
  std::string wasm = cli::AssembleWat(kFakeModule, "fake.wat").value();
  // A custom section of 10 MiB.
  size_t payload = 10 << 20;
  std::string section(1, '\0');
  size_t size = payload + 2;
  for (; size >= 128; size >>= 7) section += static_cast<char>((size & 127) | 128);
  section += static_cast<char>(size);
  wasm += section + std::string("\1x") + std::string(payload, 'y');
  Result<v1::Module> module = client_->PushModule(wasm);
  ASSERT_TRUE(module.ok()) << module.status().message();
  EXPECT_EQ(module->size_bytes(), wasm.size());
  EXPECT_EQ(client_->PushModule(wasm + std::string(3 << 20, '\0')).status().reason(),
            Reason::kLimitTooHigh);
}

TEST_F(DaemonTest, ModulesAreListedInPagesAndDeleted) {
  Start();
  for (int i = 0; i < 5; ++i) {
    std::string text = "(module (func (export \"f" + std::to_string(i) + "\")))";
    ASSERT_TRUE(client_->PushModule(cli::AssembleWat(text, "t").value()).ok());
  }
  v1::ListModulesRequest request;
  request.set_page_size(2);
  std::vector<std::string> names;
  do {
    v1::ListModulesResponse page = client_->ListModules(request).value();
    EXPECT_LE(page.modules_size(), 2);
    for (const v1::Module& module : page.modules()) names.push_back(module.name());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(names.size(), 5u);
  EXPECT_TRUE(client_->DeleteModule(names[0]).ok());
  EXPECT_EQ(client_->DeleteModule(names[0]).reason(), Reason::kNotFound);
  EXPECT_EQ(client_->GetModule(names[0]).status().reason(), Reason::kNotFound);
  request.set_page_token("nonsense");
  EXPECT_EQ(client_->ListModules(request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonTest, JobsAreListedInPages) {
  Start();
  for (int i = 0; i < 5; ++i) WaitForEnd(Create("identity", 1));
  v1::ListJobsRequest request;
  request.set_page_size(2);
  request.set_filter("state = SUCCEEDED");
  size_t count = 0;
  do {
    v1::ListJobsResponse page = client_->ListJobs(request).value();
    count += static_cast<size_t>(page.jobs_size());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(count, 5u);
  request.set_page_size(2);
  request.set_page_token(client_->ListJobs(request).value().next_page_token());
  request.set_filter("state = FAILED");
  EXPECT_EQ(client_->ListJobs(request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonTest, CancelEndsAnEndlessJob) {
  Start();
  std::string name = Create("spin", 3);
  EXPECT_EQ(client_->DeleteJob(name).reason(), Reason::kJobRunning);
  EXPECT_TRUE(client_->CancelJob(name).ok());
  EXPECT_EQ(WaitForEnd(name).state(), v1::Job::CANCELLED);
  EXPECT_EQ(client_->CancelJob(name).status().reason(), Reason::kJobTerminal);
  EXPECT_TRUE(client_->DeleteJob(name).ok());
  EXPECT_EQ(client_->GetJob(name).status().reason(), Reason::kNotFound);
}

TEST_F(DaemonTest, AQuietStreamHasAHeartbeat) {
  Start();
  std::string name = Create("spin", 3);
  v1::ReadResultsRequest results;
  results.set_name(name);
  results.set_follow(true);
  bool heartbeat = false;
  EXPECT_TRUE(client_
                  ->ReadResults(results,
                                [&](const v1::ReadResultsResponse& part) {
                                  heartbeat = heartbeat || part.heartbeat();
                                  return !heartbeat;
                                })
                  .ok());
  v1::WatchJobRequest watch;
  watch.set_name(name);
  bool beat = false;
  EXPECT_TRUE(client_
                  ->WatchJob(watch,
                             [&](const v1::JobEvent& event) {
                               beat = beat || event.heartbeat();
                               return !beat;
                             })
                  .ok());
  EXPECT_TRUE(heartbeat && beat);
  EXPECT_TRUE(client_->CancelJob(name).ok());
}

TEST_F(DaemonTest, AVanishedReaderHurtsNobody) {
  Start();
  scheduler_.Hold();
  std::string name = Create("bytes", 300);
  for (int i = 0; i < 20; ++i) {
    auto gone = NewClient(static_cast<size_t>(i % 2));
    v1::ReadResultsRequest request;
    request.set_name(name);
    request.set_follow(true);
    // It stops at its first heartbeat, and the channel goes with it.
    EXPECT_TRUE(
        gone->ReadResults(request, [](const v1::ReadResultsResponse&) { return false; }).ok());
  }
  scheduler_.Release();
  EXPECT_EQ(WaitForEnd(name).counts().returned(), 300u);
}

TEST_F(DaemonTest, AJobWaitsForASlowReaderAndGoesOn) {
  config_.max_job_results_bytes = 200'000;
  Start();
  std::string name = Create("bytes", 2000);  // 2 MB of outputs
  v1::ReadResultsRequest request;
  request.set_name(name);
  request.set_follow(true);
  uint64_t next = 0;
  Status status = client_->ReadResults(request, [&](const v1::ReadResultsResponse& part) {
    for (const v1::InstanceResult& result : part.results()) {
      EXPECT_EQ(result.instance(), next++);
      EXPECT_EQ(result.outputs(0).data().size(), result.instance());
    }
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(next, 2000u);
  EXPECT_EQ(
      client_->ReadResults(request, [](const v1::ReadResultsResponse&) { return true; }).reason(),
      Reason::kCursorExpired);
}

TEST_F(DaemonTest, DrainEndsWhatRunsAndRefusesWhatComes) {
  Start();
  std::string name = Create("spin", 3);
  daemon_->Drain();
  EXPECT_EQ(client_->GetJob(name).status().code(), Code::kUnavailable);
}

TEST_F(DaemonTest, AdminTellsOfServerDevicesAndCache) {
  Start();
  v1::ServerInfo info = client_->GetServerInfo().value();
  EXPECT_EQ(info.listen_size(), 2);
  EXPECT_EQ(info.compiler_version(), "fake");
  EXPECT_EQ(client_->ListDevices().value().devices(0).name(), "devices/fake0");
  EXPECT_EQ(client_->ListCache().value().entries_size(), 1);
  EXPECT_EQ(client_->PruneCache(true).value().freed_bytes(), 1000u);
  v1::CompileModuleRequest compile;
  compile.set_name(Push());
  EXPECT_EQ(client_->CompileModule(compile).value().text(), "kernel text");
}

}  // namespace
}  // namespace wb
