#include "tests/daemon/fuzz/world_modules.h"

#include "tests/compiler/wasm/assemble.h"
#include "wasmburst/v1/admin.pb.h"
#include "wasmburst/v1/inputs.pb.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/modules.pb.h"
#include "wasmburst/v1/session.pb.h"
#include "wasmburst/v1/tenants.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kFunctions = R"((module
  (memory (export "memory") 1)
  (global (export "g") i32 (i32.const 7))
  (func (export "identity") (param i32) (result i32) (local.get 0))
  (func (export "two") (param i64 f64) (result i64 f64) (local.get 0) (local.get 1))
  (func (export "spin") (loop (br 0)))))";
constexpr const char* kImporting = R"((module
  (import "env" "add" (func $add (param i32 i32) (result i32)))
  (import "env" "log" (func $log (param f64)))
  (memory (export "memory") 1)
  (func (export "run") (param i32) (result i32)
    (call $log (f64.const 1)) (call $add (local.get 0) (i32.const 1)))))";
constexpr const char* kProgram = R"((module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func (export "_start") (call $exit (i32.const 3)))))";
constexpr const char* kLibrary = R"((module
  (func (export "add") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1)))
  (func (export "log") (param f64))))";

std::string Text(const Bytes& bytes) { return std::string(bytes.begin(), bytes.end()); }

FuzzCall CallOf(std::string_view method, const google::protobuf::Message& request) {
  return {
      FuzzMethodNumber("/wasmburst.v1." + std::string(method)), 1, {request.SerializeAsString()}};
}

v1::Job JobOf(const std::string& module, const std::string& function, uint64_t instances) {
  v1::Job job;
  job.set_module(module);
  job.set_instances(instances);
  job.add_steps()->mutable_call()->set_function(function);
  return job;
}

v1::Job WithArgument(v1::Job job, const v1::Column& column) {
  job.mutable_steps(0)->mutable_call()->add_args()->set_column(0);
  *job.add_columns() = column;
  return job;
}

v1::Column RangeColumn() {
  v1::Column column;
  column.mutable_range()->mutable_start()->set_i32(0);
  column.mutable_range()->mutable_step()->set_i32(1);
  return column;
}

FuzzCall CreateCall(const v1::Job& job, const std::string& request_id = "") {
  v1::CreateJobRequest request;
  *request.mutable_job() = job;
  request.set_request_id(request_id);
  return CallOf("Jobs/CreateJob", request);
}

FuzzCall RunCall(const v1::Job& job, bool columns) {
  v1::RunJobRequest request;
  *request.mutable_job() = job;
  request.set_module_name(job.module());
  request.mutable_job()->clear_module();
  request.set_columns(columns);
  return CallOf("Jobs/RunJob", request);
}

FuzzCall UploadInputCall() {
  v1::UploadInputRequest request;
  request.set_data(WorldInput());
  request.set_sha256("@d");
  return CallOf("Inputs/UploadInput", request);
}

v1::Job BoundJob() {
  v1::Job job = WithArgument(JobOf("@m1", "run", 5), RangeColumn());
  v1::Binding* bound = job.add_bindings();
  bound->set_import("env.add");
  bound->mutable_host()->add_bytes()->set_constant_length(5);
  v1::Binding* recorded = job.add_bindings();
  recorded->set_import("env.*");
  recorded->mutable_record();
  return job;
}

v1::Job LookedUpJob() {
  v1::Job job = WithArgument(JobOf("@m1", "run", 5), RangeColumn());
  v1::Binding* table = job.add_bindings();
  table->set_import("env.add");
  v1::Binding::LookupRow* row = table->mutable_lookup()->add_rows();
  row->add_args()->set_i32(1);
  row->add_args()->set_i32(2);
  row->add_results()->set_i32(3);
  table->mutable_lookup()->add_otherwise()->set_i32(4);
  job.add_bindings()->set_import("env.log");
  job.mutable_bindings(1)->mutable_ignore();
  return job;
}

v1::Job LinkedJob() {
  v1::Job job = WithArgument(JobOf("@m1", "run", 20), RangeColumn());
  v1::LinkedModule* linked = job.add_linked();
  linked->set_name("env");
  linked->set_module("@m3");
  return job;
}

v1::Job ProgramJob() {
  v1::Job job;
  job.set_module("@m2");
  job.set_instances(3);
  job.add_columns()->mutable_bytes()->add_values("one");
  v1::Command* command = job.mutable_command();
  command->add_args()->set_constant("program");
  command->add_args()->set_column(0);
  command->add_environment()->set_constant("A=b");
  command->mutable_standard_input()->set_constant("in");
  command->add_own_files()->mutable_path()->set_constant("file");
  command->mutable_own_files(0)->mutable_data()->set_column(0);
  command->add_output_files("out");
  return job;
}

v1::Job MemoryJob() {
  v1::Job job = WithArgument(JobOf("@m0", "identity", 4), RangeColumn());
  job.add_columns()->mutable_bytes()->add_values("data");
  v1::WriteStep* write = job.add_steps()->mutable_write();
  write->mutable_pointer()->mutable_constant()->set_i32(16);
  write->set_column(1);
  v1::ReadStep* read = job.add_steps()->mutable_read();
  read->mutable_pointer()->mutable_load32()->mutable_pointer()->mutable_constant()->set_i32(8);
  read->mutable_length()->set_column_length(1);
  read->set_output("text");
  v1::StoreStep* store = job.add_steps()->mutable_store();
  store->mutable_pointer()->mutable_global()->set_name("g");
  store->mutable_value()->mutable_result()->set_step(0);
  return job;
}

v1::Job UploadedColumnJob() {
  v1::Column column;
  column.mutable_uploaded()->set_input("@i0");
  return WithArgument(JobOf("@m0", "identity", 4), column);
}

template <typename Request>
FuzzCall NamedCall(std::string_view method, const std::string& name) {
  Request request;
  request.set_name(name);
  return CallOf(method, request);
}

FuzzCalls ReadingCalls() {
  v1::ReadResultsRequest read;
  read.set_name("@j0");
  read.set_columns(true);
  v1::ReadResultsRequest follow;
  follow.set_name("@j1");
  follow.set_follow(true);
  v1::AcknowledgeResultsRequest acknowledge;
  acknowledge.set_name("@j0");
  acknowledge.set_cursor("@c0");
  return {CallOf("Jobs/ReadResults", read),
          CallOf("Jobs/ReadResults", follow),
          NamedCall<v1::WatchJobRequest>("Jobs/WatchJob", "@j1"),
          CallOf("Jobs/AcknowledgeResults", acknowledge),
          NamedCall<v1::GetJobRequest>("Jobs/GetJob", "@j1"),
          NamedCall<v1::CancelJobRequest>("Jobs/CancelJob", "@j1"),
          NamedCall<v1::DeleteJobRequest>("Jobs/DeleteJob", "@j0")};
}

FuzzCalls HostCalls() {
  v1::ServeHostCallsRequest first;
  first.set_job("@j2");
  v1::ServeHostCallsRequest second;
  second.add_answers()->add_results()->set_i32(5);
  FuzzCall serve = CallOf("Jobs/ServeHostCalls", first);
  serve.messages.push_back(second.SerializeAsString());
  return {CreateCall(BoundJob()), serve};
}

FuzzCalls ModuleCalls() {
  v1::UploadModuleRequest upload;
  upload.set_data(Text(WorldModules()[0]));
  upload.set_size_bytes(WorldModules()[0].size());
  v1::CompileModuleRequest compile;
  compile.set_name("@m0");
  v1::CreateModuleRequest create;
  create.set_wasm(Text(WorldModules()[3]));
  return {CallOf("Modules/UploadModule", upload),
          CallOf("Modules/CompileModule", compile),
          CallOf("Modules/CreateModule", create),
          CallOf("Modules/ListModules", v1::ListModulesRequest()),
          NamedCall<v1::GetModuleRequest>("Modules/GetModule", "@m1"),
          NamedCall<v1::DeleteModuleRequest>("Modules/DeleteModule", "@m2")};
}

FuzzCalls SessionCalls() {
  v1::OpenSessionRequest open;
  open.mutable_session()->set_module("@m0");
  open.mutable_session()->set_instances(2);
  v1::CallSessionRequest call;
  call.set_name("@s0");
  const v1::Job job = WithArgument(JobOf("@m0", "identity", 2), RangeColumn());
  *call.mutable_steps() = job.steps();
  *call.mutable_columns() = job.columns();
  v1::ReadMemoryRequest read;
  read.set_name("@s0");
  read.set_bytes(8);
  v1::WriteMemoryRequest write;
  write.set_name("@s0");
  write.set_all(true);
  write.set_data("bytes");
  return {CallOf("Sessions/OpenSession", open),
          CallOf("Sessions/ReadMemory", read),
          CallOf("Sessions/WriteMemory", write),
          CallOf("Sessions/CallSession", call),
          NamedCall<v1::GetSessionRequest>("Sessions/GetSession", "@s0"),
          CallOf("Sessions/ListSessions", v1::ListSessionsRequest()),
          NamedCall<v1::CloseSessionRequest>("Sessions/CloseSession", "@s0")};
}

FuzzCalls OperatorCalls() {
  v1::CreateTokenRequest token;
  token.mutable_token()->set_role(v1::VIEWER);
  token.mutable_token()->set_tenant("render");
  v1::ListJobsRequest list;
  list.set_filter("state = RUNNING OR state = SUCCEEDED");
  list.set_page_size(1);
  v1::WatchBurstsRequest bursts;
  bursts.set_follow(true);
  FuzzCalls calls = {CallOf("Tenants/CreateToken", token),
                     CallOf("Tenants/ListTokens", v1::ListTokensRequest()),
                     NamedCall<v1::RevokeTokenRequest>("Tenants/RevokeToken", "@t0"),
                     CallOf("Tenants/ListTenants", v1::ListTenantsRequest()),
                     CallOf("Jobs/ListJobs", list),
                     NamedCall<v1::CordonDeviceRequest>("Admin/CordonDevice", "devices/fuzz0"),
                     NamedCall<v1::DrainDeviceRequest>("Admin/DrainDevice", "devices/fuzz0"),
                     NamedCall<v1::UncordonDeviceRequest>("Admin/UncordonDevice", "devices/fuzz0"),
                     CallOf("Admin/WatchBursts", bursts),
                     CallOf("Admin/GetConfig", v1::GetConfigRequest()),
                     CallOf("Admin/PruneCache", v1::PruneCacheRequest())};
  for (FuzzCall& call : calls) call.caller = 0;
  return calls;
}

}  // namespace

const std::vector<Bytes>& WorldModules() {
  static const auto* const modules =
      new std::vector<Bytes>{test::MustAssemble(kFunctions), test::MustAssemble(kImporting),
                             test::MustAssemble(kProgram), test::MustAssemble(kLibrary)};
  return *modules;
}

std::string WorldInput() {
  v1::Column column;
  column.mutable_list()->set_type(v1::I32);
  for (uint32_t i = 0; i < 4; ++i) column.mutable_list()->add_bits32(i);
  return column.SerializeAsString();
}

const std::vector<FuzzCalls>& WorldSeeds() {
  static const auto* const seeds = new std::vector<FuzzCalls>{
      {CreateCall(WithArgument(JobOf("@m0", "identity", 7), RangeColumn()), "again")},
      {CreateCall(JobOf("@m0", "spin", 2))},
      {UploadInputCall()},
      {CreateCall(UploadedColumnJob())},
      {RunCall(MemoryJob(), false)},
      {RunCall(MemoryJob(), true)},
      {RunCall(LinkedJob(), true)},
      {RunCall(ProgramJob(), false)},
      {RunCall(LookedUpJob(), false)},
      ReadingCalls(),
      HostCalls(),
      ModuleCalls(),
      SessionCalls(),
      OperatorCalls()};
  return *seeds;
}

const FuzzWords& WorldWords() {
  static const auto* const words = [] {
    auto* made = new FuzzWords;
    made->texts = {"",
                   "@j0",
                   "@j1",
                   "@j2",
                   "@j3",
                   "@m0",
                   "@m1",
                   "@m2",
                   "@m3",
                   "@i0",
                   "@c0",
                   "@c1",
                   "@c2",
                   "@t0",
                   "@d",
                   "env",
                   "env.add",
                   "env.log",
                   "env.*",
                   "*",
                   "run",
                   "identity",
                   "two",
                   "spin",
                   "_start",
                   "add",
                   "memory",
                   "g",
                   "tenant",
                   "render",
                   "priority",
                   "out",
                   "file",
                   "again",
                   "devices/fuzz0",
                   "state = RUNNING",
                   "state = QUEUED OR state = FAILED",
                   "tokens/0123456789abcdef",
                   std::string(64, 'a'),
                   std::string(300, 'x'),
                   "\xc3\xa9",
                   std::string(1, '\0')};
    for (const Bytes& wasm : WorldModules()) made->bytes.push_back(Text(wasm));
    for (const char* text : {"", "A=b", "program", "dir/file", "../x", "\xff\xfe", "data"}) {
      made->bytes.push_back(text);
    }
    made->bytes.push_back(std::string(16, '\1'));
    made->bytes.push_back(WorldInput());
    return made;
  }();
  return *words;
}

}  // namespace wb
