// Two tenants of one daemon: for each the other's things do not exist.

#include <filesystem>

#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "client/services/server.h"
#include "daemon/database/database.h"
#include "tests/daemon/services/caller_fixture.h"
#include "wasmburst/v1/inputs.grpc.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class DaemonTenantsTest : public CallerTest {
 protected:
  void SetUp() override {
    CallerTest::SetUp();
    state_directory_ = folder_ + "/state";
    Begin();
    anna_ = NewToken("anna", v1::SUBMITTER);
    bert_ = NewToken("bert", v1::SUBMITTER);
  }
  void Begin() {
    Start();
    jobs_ = v1::Jobs::NewStub(TokenChannel());
    modules_ = v1::Modules::NewStub(TokenChannel());
  }
  void End() {
    contexts_.clear();
    client_.reset();
    daemon_.reset();
    scheduler_ = std::make_unique<FakeScheduler>();
  }
  grpc::StatusCode LookAtModule(const std::string& token, const std::string& name) {
    v1::GetModuleRequest get;
    get.set_name(name);
    v1::Module shown;
    return modules_->GetModule(Context(token).get(), get, &shown).error_code();
  }
  // Files of modules in the state folder.
  size_t StoredModules() const {
    size_t files = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(state_directory_ + "/modules")) {
      files += entry.is_regular_file() ? 1 : 0;
    }
    return files;
  }
  v1::Module PushAs(const std::string& token) {
    v1::CreateModuleRequest request;
    request.set_wasm(cli::AssembleWat(kFakeModule, "fake.wat").value());
    v1::Module module;
    const grpc::Status status = modules_->CreateModule(Context(token).get(), request, &module);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return module;
  }
  grpc::Status CreateAs(const std::string& token, const std::string& module, v1::Job* job,
                        const std::string& request_id = "", const std::string& label = "") {
    v1::CreateJobRequest request;
    request.set_request_id(request_id);
    request.mutable_job()->set_module(module);
    request.mutable_job()->set_instances(4);
    if (!label.empty()) (*request.mutable_job()->mutable_labels())["tenant"] = label;
    request.mutable_job()->add_steps()->mutable_call()->set_function("trap");
    return jobs_->CreateJob(Context(token).get(), request, job);
  }
  std::string JobOf(const std::string& token) {
    v1::Job job;
    const grpc::Status status = CreateAs(token, PushAs(token).name(), &job);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return job.name();
  }
  // The code of each method that takes a job's name.
  std::vector<grpc::StatusCode> UseJob(const std::string& token, const std::string& name) {
    v1::GetJobRequest get;
    get.set_name(name);
    v1::Job job;
    std::vector<grpc::StatusCode> codes;
    codes.push_back(jobs_->GetJob(Context(token).get(), get, &job).error_code());
    v1::CancelJobRequest cancel;
    cancel.set_name(name);
    codes.push_back(jobs_->CancelJob(Context(token).get(), cancel, &job).error_code());
    v1::ReadResultsRequest read;
    read.set_name(name);
    codes.push_back(EndOf(jobs_->ReadResults(ContextFor(token), read).get()));
    v1::WatchJobRequest watch;
    watch.set_name(name);
    codes.push_back(EndOf(jobs_->WatchJob(ContextFor(token), watch).get()));
    v1::AcknowledgeResultsRequest acknowledge;
    acknowledge.set_name(name);
    v1::AcknowledgeResultsResponse acknowledged;
    codes.push_back(
        jobs_->AcknowledgeResults(Context(token).get(), acknowledge, &acknowledged).error_code());
    v1::DeleteJobRequest remove;
    remove.set_name(name);
    google::protobuf::Empty nothing;
    codes.push_back(jobs_->DeleteJob(Context(token).get(), remove, &nothing).error_code());
    return codes;
  }
  // That lives as long as the test.
  grpc::ClientContext* ContextFor(const std::string& token) {
    contexts_.push_back(Context(token));
    return contexts_.back().get();
  }
  template <typename Message>
  static grpc::StatusCode EndOf(grpc::ClientReader<Message>* reader) {
    Message message;
    while (reader->Read(&message)) continue;
    return reader->Finish().error_code();
  }
  std::vector<std::string> Listed(const std::string& token) {
    v1::ListJobsResponse jobs;
    EXPECT_TRUE(jobs_->ListJobs(Context(token).get(), {}, &jobs).ok());
    std::vector<std::string> names;
    for (const v1::Job& job : jobs.jobs()) names.push_back(job.name());
    return names;
  }

  std::string anna_;
  std::string bert_;
  std::unique_ptr<v1::Jobs::Stub> jobs_;
  std::unique_ptr<v1::Modules::Stub> modules_;
  std::vector<std::unique_ptr<grpc::ClientContext>> contexts_;
};

TEST_F(DaemonTenantsTest, AJobOfAnotherDoesNotExist) {
  const std::string job = JobOf(anna_);
  WaitForEnd(job);  // by the admin
  for (const grpc::StatusCode code : UseJob(bert_, job)) {
    EXPECT_EQ(code, grpc::StatusCode::NOT_FOUND);
  }
  EXPECT_TRUE(Listed(bert_).empty());
  EXPECT_EQ(Listed(anna_), std::vector<std::string>{job});
  v1::GetJobRequest get;
  get.set_name(job);
  v1::Job shown;
  const grpc::Status of_other = jobs_->GetJob(Context(bert_).get(), get, &shown);
  get.set_name(job.substr(0, job.size() - 1) + (job.back() == '0' ? '1' : '0'));
  const grpc::Status of_none = jobs_->GetJob(Context(bert_).get(), get, &shown);
  EXPECT_EQ(of_other.error_message().size(), of_none.error_message().size());
  const std::vector<grpc::StatusCode> own = UseJob(anna_, job);
  EXPECT_EQ(own[0], grpc::StatusCode::OK);
  EXPECT_EQ(own[1], grpc::StatusCode::FAILED_PRECONDITION);  // it has ended
  for (size_t i = 2; i < own.size(); ++i) EXPECT_EQ(own[i], grpc::StatusCode::OK) << i;
}

TEST_F(DaemonTenantsTest, AModuleIsThereForWhoUploadedIt) {
  const v1::Module module = PushAs(anna_);
  v1::GetModuleRequest get;
  get.set_name(module.name());
  v1::Module shown;
  EXPECT_EQ(modules_->GetModule(Context(bert_).get(), get, &shown).error_code(),
            grpc::StatusCode::NOT_FOUND);
  v1::Job job;
  EXPECT_EQ(CreateAs(bert_, module.name(), &job).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
  v1::ListModulesResponse modules;
  EXPECT_TRUE(modules_->ListModules(Context(bert_).get(), {}, &modules).ok());
  EXPECT_EQ(modules.modules_size(), 0);
  PushAs(bert_);
  EXPECT_TRUE(modules_->GetModule(Context(bert_).get(), get, &shown).ok());
  // One gives it up, and the other still has it.
  v1::DeleteModuleRequest remove;
  remove.set_name(module.name());
  google::protobuf::Empty nothing;
  EXPECT_TRUE(modules_->DeleteModule(Context(anna_).get(), remove, &nothing).ok());
  EXPECT_EQ(modules_->DeleteModule(Context(anna_).get(), remove, &nothing).error_code(),
            grpc::StatusCode::NOT_FOUND);
  EXPECT_TRUE(CreateAs(bert_, module.name(), &job).ok());
  EXPECT_EQ(CreateAs(anna_, module.name(), &job).error_code(),
            grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_TRUE(modules_->DeleteModule(Context(bert_).get(), remove, &nothing).ok());
  EXPECT_EQ(GetModule(*client_, module.name()).status().reason(), Reason::kNotFound);
}

TEST_F(DaemonTenantsTest, RequestIdsOfTwoTenantsAreDifferent) {
  v1::Job first;
  v1::Job again;
  v1::Job other;
  const std::string module = PushAs(anna_).name();
  PushAs(bert_);
  EXPECT_TRUE(CreateAs(anna_, module, &first, "once").ok());
  EXPECT_TRUE(CreateAs(anna_, module, &again, "once").ok());
  EXPECT_TRUE(CreateAs(bert_, module, &other, "once").ok());
  EXPECT_EQ(first.name(), again.name());
  EXPECT_NE(first.name(), other.name());
}

TEST_F(DaemonTenantsTest, AJobBelongsToItsCallersTenantWhateverItsLabelSays) {
  v1::Job job;
  const std::string module = PushAs(anna_).name();
  EXPECT_TRUE(CreateAs(anna_, module, &job).ok());
  EXPECT_EQ(job.labels().at("tenant"), "anna");
  EXPECT_TRUE(CreateAs(anna_, module, &job, "", "anna").ok());
  const grpc::Status refused = CreateAs(anna_, module, &job, "", "bert");
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_NE(refused.error_message().find("[bert]"), std::string::npos) << refused.error_message();
  // An admin names whom it works for, and that one sees it.
  v1::CreateJobRequest request = Request("identity", 2);
  (*request.mutable_job()->mutable_labels())["tenant"] = "bert";
  const std::string name = CreateJob(*client_, request).value().name();
  EXPECT_EQ(Listed(bert_), std::vector<std::string>{name});
}

TEST_F(DaemonTenantsTest, AnOperatorSeesAndCancelsAndDoesNotRead) {
  const std::string job = JobOf(anna_);
  WaitForEnd(job);
  const std::vector<grpc::StatusCode> codes = UseJob(NewToken("", v1::OPERATOR), job);
  const auto denied = grpc::StatusCode::PERMISSION_DENIED;
  const std::vector<grpc::StatusCode> expected = {grpc::StatusCode::OK,
                                                  grpc::StatusCode::FAILED_PRECONDITION,
                                                  denied,
                                                  grpc::StatusCode::OK,
                                                  denied,
                                                  denied};
  EXPECT_EQ(codes, expected);
}

TEST_F(DaemonTenantsTest, AViewerReadsAgainAndAgain) {
  const std::string job = JobOf(anna_);
  WaitForEnd(job);
  const std::string viewer = NewToken("anna", v1::VIEWER);
  for (int i = 0; i < 2; ++i) {
    v1::ReadResultsRequest read;
    read.set_name(job);
    const auto reader = jobs_->ReadResults(ContextFor(viewer), read);
    v1::ReadResultsResponse response;
    int results = 0;
    while (reader->Read(&response)) {
      results += response.results_size();
      read.set_cursor(response.cursor());
    }
    EXPECT_TRUE(reader->Finish().ok());
    EXPECT_EQ(results, 4);
    // A later cursor says that the results before it are read; not a viewer's.
    EXPECT_EQ(EndOf(jobs_->ReadResults(ContextFor(viewer), read).get()), grpc::StatusCode::OK);
  }
}

TEST_F(DaemonTenantsTest, TokensOwnersAndRequestIdsAreThereAfterARestart) {
  const std::string module = PushAs(anna_).name();
  v1::Job first;
  ASSERT_TRUE(CreateAs(anna_, module, &first, "once").ok());
  End();
  Begin();
  EXPECT_EQ(LookAtModule(anna_, module), grpc::StatusCode::OK);
  EXPECT_EQ(LookAtModule(bert_, module), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Listed(anna_), std::vector<std::string>{first.name()});
  EXPECT_TRUE(Listed(bert_).empty());
  v1::Job again;
  v1::Job other;
  ASSERT_TRUE(CreateAs(anna_, module, &again, "once").ok());
  EXPECT_EQ(again.name(), first.name());
  PushAs(bert_);
  ASSERT_TRUE(CreateAs(bert_, module, &other, "once").ok());
  EXPECT_NE(other.name(), first.name());
}

TEST_F(DaemonTenantsTest, AModuleThatWasDeletedIsThereForItsJobsAlone) {
  scheduler_->Hold();
  const std::string module = PushAs(anna_).name();
  v1::Job job;
  ASSERT_TRUE(CreateAs(anna_, module, &job).ok());
  v1::DeleteModuleRequest remove;
  remove.set_name(module);
  google::protobuf::Empty nothing;
  ASSERT_TRUE(modules_->DeleteModule(Context(anna_).get(), remove, &nothing).ok());
  End();
  scheduler_->Hold();  // else the job may have ended before the daemon looks for what nobody needs
  Begin();
  EXPECT_EQ(LookAtModule(anna_, module), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(StoredModules(), 1u) << "its job needs it";
  scheduler_->Release();
  EXPECT_EQ(WaitForEnd(job.name()).counts().trapped(), 4u) << "the job went on";
  End();
  Begin();
  EXPECT_EQ(StoredModules(), 0u) << "no job needs it any more";
}

TEST_F(DaemonTenantsTest, WhatADaemonWithoutTenantsLeftBelongsToTheTenantWithoutAName) {
  const std::string module = PushAs(anna_).name();
  End();
  {
    const auto database = Database::Open(state_directory_ + "/state.db", Database::Mode::kWrite);
    ASSERT_TRUE((*database)->Run("DROP TABLE tokens; DROP TABLE owners; DROP TABLE cordons").ok());
    ASSERT_TRUE((*database)->Run("PRAGMA user_version=1").ok());
  }
  config_.listen[1].role = Role::kSubmitter;  // of callers without a token, and no tenant
  Begin();
  EXPECT_EQ(LookAtModule("", module), grpc::StatusCode::OK);
  EXPECT_EQ(LookAtModule(anna_, module), grpc::StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(LookAtModule(NewToken("anna", v1::SUBMITTER), module), grpc::StatusCode::NOT_FOUND);
}

// An upload on a connection of its own.
struct UploadOfTenant {
  UploadOfTenant(const std::string& address, std::unique_ptr<grpc::ClientContext> with)
      : context(std::move(with)) {
    grpc::ChannelArguments own;
    own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    stub = v1::Inputs::NewStub(
        grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), own));
    parts = stub->UploadInput(context.get(), &input);
  }
  bool Send(const std::string& part, const std::string& whole) {
    v1::UploadInputRequest message;
    message.set_data(part);
    message.set_sha256(Sha256(AsBytes(whole)).Hex());
    message.set_size_bytes(whole.size());
    return parts->Write(message);
  }

  std::unique_ptr<grpc::ClientContext> context;
  std::unique_ptr<v1::Inputs::Stub> stub;
  v1::Input input;
  std::unique_ptr<grpc::ClientWriter<v1::UploadInputRequest>> parts;
};

TEST_F(DaemonTenantsTest, UploadsOnManyConnectionsLeavePlacesToAnotherTenant) {
  v1::Column column;
  column.mutable_bytes()->add_values("seven");
  const std::string whole = column.SerializeAsString();
  const std::string address = daemon_->addresses()[1].substr(6);
  std::vector<std::unique_ptr<UploadOfTenant>> uploads;
  size_t accepted = 0;
  for (size_t i = 0; i < config_.max_input_uploads; ++i) {
    uploads.push_back(std::make_unique<UploadOfTenant>(address, Context(anna_)));
    bool open = uploads.back()->Send(whole.substr(0, 1), whole);
    // Its byte has come, or it was refused.
    while (open && GetServerInfo(*client_)->input_bytes() == accepted) {
      open = uploads.back()->Send("", whole);
    }
    accepted += open ? 1 : 0;
    if (open) continue;
    const grpc::Status refused = uploads.back()->parts->Finish();
    EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
    EXPECT_NE(refused.error_message().find("are of this tenant"), std::string::npos);
    uploads.pop_back();
  }
  EXPECT_EQ(accepted, config_.max_input_uploads / 2);
  UploadOfTenant other(address, Context(bert_));
  EXPECT_TRUE(other.Send(whole, whole));
  other.parts->WritesDone();
  const grpc::Status status = other.parts->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  for (const auto& upload : uploads) {
    upload->context->TryCancel();
    EXPECT_FALSE(upload->parts->Finish().ok());
  }
}

TEST_F(DaemonTenantsTest, TenantsAreListedWithWhatTheyHave) {
  const std::string job = JobOf(anna_);
  WaitForEnd(job);
  v1::ListTenantsResponse tenants;
  ASSERT_TRUE(
      v1::Tenants::NewStub(AdminChannel())->ListTenants(Context("").get(), {}, &tenants).ok());
  ASSERT_EQ(tenants.tenants_size(), 1);
  EXPECT_EQ(tenants.tenants(0).name(), "anna");
  EXPECT_EQ(tenants.tenants(0).ended_jobs(), 1u);
  EXPECT_EQ(tenants.tenants(0).weight(), 1u);
}

// Two tenants may have the same module: one sees the kernels, not what the other ran.
TEST_F(DaemonTenantsTest, HowAPipelineRanIsShownToThoseWhoSeeAllJobs) {
  v1::ListPipelinesRequest request;
  request.set_module(PushAs(anna_).name());
  request.set_device("devices/fake0");
  const auto first = [&](const std::string& token) {
    v1::ListPipelinesResponse response;
    const grpc::Status status = modules_->ListPipelines(Context(token).get(), request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.pipelines_size() == 0 ? v1::Pipeline() : response.pipelines(0);
  };
  const v1::Pipeline own = first(anna_);
  EXPECT_EQ(own.registers(), 96u);
  EXPECT_EQ(own.launches(), 0u);
  EXPECT_EQ(own.fuel(), 0u);
  EXPECT_FALSE(own.has_device_time());
  EXPECT_EQ(own.instructions_per_second(), 0);
  EXPECT_FALSE(own.has_useful_lanes());
  const v1::Pipeline all = first(NewToken("anna", v1::OPERATOR));
  EXPECT_EQ(all.launches(), 3u);
  EXPECT_EQ(all.useful_lanes(), 0.75);
}

}  // namespace
}  // namespace wb
