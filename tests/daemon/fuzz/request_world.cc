#include "tests/daemon/fuzz/request_world.h"

#include <grpcpp/support/status.h>

#include <utility>

#include "compiler/base/digest.h"
#include "daemon/checkpoints/checkpoints.h"
#include "daemon/config/default_config.h"
#include "daemon/process/clock.h"
#include "daemon/services/link_job.h"
#include "daemon/services/stored_inputs.h"
#include "daemon/sessions/sessions_service.h"
#include "daemon/store/memory/memory_job_store.h"
#include "daemon/store/names.h"
#include "daemon/translate/input_column.h"
#include "daemon/translate/translate_status.h"
#include "google/rpc/status.pb.h"
#include "scheduler/base/lowered_modules.h"
#include "tests/daemon/fuzz/world_modules.h"
#include "wasmburst/v1/inputs.pb.h"

namespace wb {
namespace {

constexpr size_t kMostStreams = 8;
constexpr int kMostAtOnce = 100;       // messages of a stream before the next call
constexpr int kMostToTheEnd = 10'000;  // of a stream whose job has ended
constexpr const char* kTenant = "render";

Config MakeConfig() {
  Config config = DefaultConfig();
  config.max_instances = 1000;
  config.result_message_bytes = 1024;
  config.max_job_results_bytes = uint64_t{64} << 10;
  config.max_inputs_bytes = uint64_t{1} << 20;
  config.max_input_bytes = uint64_t{1} << 18;
  return config;
}

const Config& WorldConfig() {
  static const auto* const config = new Config(MakeConfig());
  return *config;
}

Status CheckImports(const std::shared_ptr<const Module>& module) {
  if (module->imports.empty()) return {};
  return Status(Reason::kImportNotProvided, "The import is not provided.");
}

const std::vector<std::shared_ptr<const Module>>& Decoded() {
  static const auto* const modules = [] {
    auto* all = new std::vector<std::shared_ptr<const Module>>;
    for (const Bytes& wasm : WorldModules()) all->push_back(Module::Decode(wasm).value());
    return all;
  }();
  return *modules;
}

// Jobs that are there before the first call: one that has ended, "@j0", and one that never does,
// "@j1".
FuzzCalls FirstCalls() { return {WorldSeeds()[0][0], WorldSeeds()[1][0]}; }

// The digest "@d" is that of the bytes, so that a changed input still arrives; and so is its size.
void FillDigest(Message* request) {
  auto* const upload = dynamic_cast<wasmburst::v1::UploadInputRequest*>(request);
  if (upload == nullptr || upload->sha256() != "@d") return;
  upload->set_sha256(Sha256(AsBytes(upload->data())).Hex());
  upload->set_size_bytes(upload->data().size());
}

// Few and small ones, so that bounds are met.
MethodTable SessionsOf(const ServiceContextRef& context) {
  const auto is_running = [intake = context->intake](const std::string& id) {
    const Result<JobInfo> job = intake->store().Get(id);
    return job.ok() && !IsTerminal(job->state);
  };
  SessionsParts parts;
  parts.context = context;
  parts.table = std::make_shared<SessionTable>(3, is_running);
  parts.budget = std::make_shared<const ResidentBudget>(1 << 20);
  parts.modules = [lowered =
                       std::make_shared<LoweredModules>()](std::shared_ptr<const Module> module) {
    return lowered->Get(std::move(module));
  };
  return SessionsService(std::move(parts));
}

template <typename Method>
void AddTo(std::map<std::string, Method>* all, std::vector<Method>& methods) {
  for (Method& method : methods) all->emplace(method.path, std::move(method));
}

}  // namespace

RequestWorld::RequestWorld()
    : context_(std::make_shared<ServiceContext>()),
      callers_{{"user:root", "", Role::kAdmin},
               {"token:1", kTenant, Role::kSubmitter},
               {"token:2", "other", Role::kSubmitter},
               {"token:3", kTenant, Role::kViewer},
               {"token:4", "", Role::kOperator}} {
  const Config& config = WorldConfig();
  ServiceContext& context = *context_;
  context.config = std::make_shared<LiveConfig>(config);
  context.modules = std::make_shared<MemoryModuleStore>(config.max_modules_bytes);
  context.linked = std::make_shared<LinkedModules>();
  context.inputs =
      std::make_shared<MemoryInputStore>(InputLimits{config.max_inputs_bytes, config.max_inputs});
  JobStoreLimits limits;
  limits.results = {config.max_results_bytes, config.max_tenant_results_bytes,
                    config.max_job_results_bytes};
  limits.max_request_bytes = config.max_request_bytes;
  limits.ttl_ns = config.job_ttl;
  const auto store = std::make_shared<MemoryJobStore>(limits, UnixNow);
  context.intake = std::make_shared<JobIntake>(store, &scheduler_);
  context.checkpoints = std::make_shared<Checkpoints>(Checkpoints::Parts{
      StateFiles::Open("", {1 << 20, 1 << 20}).value(), store, &scheduler_, "fuzz"});
  context.owners = std::make_shared<Owners>(nullptr);
  context.tokens = std::make_shared<Tokens>(nullptr, &token_table_, UnixNow);
  context.scheduler = &scheduler_;
  context.cordons = std::make_shared<Cordons>(&scheduler_, nullptr, UnixNow);
  context.bursts = std::make_shared<BurstLog>(UnixNow);
  context.kernel_texts = [](const KernelTextRequest&) -> Result<KernelText> {
    return KernelText{"kernel text", "fuzz", {}, false, {}};
  };
  context.check_module = CheckImports;
  context.compiler_version = "fuzz";
  for (MethodTable table :
       {ModulesService(context_), InputsService(context_), JobsService(context_),
        AdminService(context_), TenantsService(context_), SessionsOf(context_)}) {
    AddTo(&unary_, table.unary);
    AddTo(&server_streams_, table.server_streams);
    AddTo(&client_streams_, table.client_streams);
    AddTo(&sessions_, table.sessions);
  }
  FillStores();
}

RequestWorld::~RequestWorld() {
  streams_.clear();
  scheduler_.Drain({}, {});
}

void RequestWorld::FillStores() {
  for (const std::shared_ptr<const Module>& module : Decoded()) {
    (void)context_->modules->Put(module, CheckImports(module), UnixNow());
    (void)context_->owners->Add(OwnedKind::kModule, module->digest(), kTenant);
    names_.Note('m', ModuleName(module->digest()));
  }
  CallOne(WorldSeeds()[2][0]);
  for (const FuzzCall& call : FirstCalls()) CallOne(call);
  scheduler_.Step();
}

std::string RequestWorld::Run(const FuzzCalls& calls) {
  for (const FuzzCall& call : calls) {
    CallOne(call);
    scheduler_.Step();
    for (Open& stream : streams_) Pump(&stream);
    std::erase_if(streams_, [](const Open& stream) { return stream.has_ended; });
    context_->intake->Tick();
    context_->checkpoints->Tick();
  }
  EndAll();
  CallOne({FuzzMethodNumber("/wasmburst.v1.Admin/GetServerInfo"), 0, {""}});
  const uint64_t before = answered_;
  CallOne({FuzzMethodNumber("/wasmburst.v1.Jobs/ListJobs"), 0, {""}});
  if (answered_ == before) Blame("the end", "the services answer no more");
  return wrong_;
}

void RequestWorld::CallOne(const FuzzCall& call) {
  const std::string& path = FuzzMethods()[call.method % FuzzMethods().size()].path;
  const Status allowed = CheckAccess(callers_[call.caller % callers_.size()], path);
  if (!allowed.ok()) return Judge(path, allowed);
  if (const auto unary = unary_.find(path); unary != unary_.end()) {
    CallUnary(unary->second, call);
  } else if (const auto out = server_streams_.find(path); out != server_streams_.end()) {
    CallServerStream(out->second, call);
  } else if (const auto in = client_streams_.find(path); in != client_streams_.end()) {
    CallClientStream(in->second, call);
  } else if (const auto both = sessions_.find(path); both != sessions_.end()) {
    CallSession(both->second, call);
  } else {
    Blame(path, "is served by no service");
  }
}

Result<MessagePtr> RequestWorld::RequestOf(const std::function<MessagePtr()>& new_request,
                                           const std::string& bytes) const {
  MessagePtr request = new_request();
  if (!request->ParseFromString(bytes)) return Status(Reason::kMalformedRequest, "No message.");
  names_.Fill(request.get());
  FillDigest(request.get());
  return request;
}

void RequestWorld::CallUnary(const UnaryMethod& method, const FuzzCall& call) {
  const Caller& caller = callers_[call.caller % callers_.size()];
  const Result<MessagePtr> request =
      RequestOf(method.new_request, call.messages.empty() ? "" : call.messages[0]);
  if (!request.ok()) return Judge(method.path, request.status());
  const Result<MessagePtr> answer = method.handle(**request, {caller, [] { return false; }, {}});
  Judge(method.path, answer.status());
  if (answer.ok()) Look(method.path, **answer);
}

void RequestWorld::CallServerStream(const ServerStreamMethod& method, const FuzzCall& call) {
  const Caller& caller = callers_[call.caller % callers_.size()];
  const Result<MessagePtr> request =
      RequestOf(method.new_request, call.messages.empty() ? "" : call.messages[0]);
  if (!request.ok()) return Judge(method.path, request.status());
  auto opened = method.open(**request, {caller, {}, {}}, [] {});
  if (!opened.ok()) return Judge(method.path, opened.status());
  streams_.push_back({method.path, std::move(opened).value()});
  Pump(&streams_.back());
  if (streams_.size() > kMostStreams) streams_.pop_front();  // its client has gone
}

Status RequestWorld::AddAll(const FuzzCall& call, size_t from,
                            const std::function<MessagePtr()>& new_request,
                            const std::function<Status(const Message&)>& add) {
  for (size_t i = from; i < call.messages.size(); ++i) {
    WB_ASSIGN(const MessagePtr request, RequestOf(new_request, call.messages[i]));
    WB_TRY(add(*request));
  }
  return {};
}

void RequestWorld::CallClientStream(const ClientStreamMethod& method, const FuzzCall& call) {
  auto opened = method.open(callers_[call.caller % callers_.size()], {1, call.caller});
  if (!opened.ok()) return Judge(method.path, opened.status());
  StreamTarget& target = **opened;
  const Status added = AddAll(call, 0, method.new_request,
                              [&target](const Message& message) { return target.Add(message); });
  if (!added.ok()) return Judge(method.path, added);
  const Result<MessagePtr> answer = target.Finish();
  Judge(method.path, answer.status());
  if (answer.ok()) Look(method.path, **answer);
}

void RequestWorld::CallSession(const SessionMethod& method, const FuzzCall& call) {
  if (call.messages.empty()) return;
  const Result<MessagePtr> first = RequestOf(method.new_request, call.messages[0]);
  if (!first.ok()) return Judge(method.path, first.status());
  auto opened = method.open(**first, callers_[call.caller % callers_.size()], [] {});
  if (!opened.ok()) return Judge(method.path, opened.status());
  StreamSession& session = **opened;
  const Status added =
      AddAll(call, 0, method.new_request, [this, &session, &method](const Message& message) {
        scheduler_.Step();
        const StreamSource::Item item = session.Next();
        if (item.message != nullptr) Look(method.path, *item.message);
        return session.Add(message);
      });
  Judge(method.path, added.ok() ? session.HalfClosed() : added);
}

// What it has to say now.
void RequestWorld::Pump(Open* stream) {
  for (int i = 0; i < kMostAtOnce && !stream->has_ended; ++i) {
    const StreamSource::Item item = stream->source->Next();
    if (item.message != nullptr) Look(stream->path, *item.message);
    stream->has_ended = item.ended;
    if (!item.ended && item.message == nullptr) break;
    if (!item.ended) continue;
    if (item.status.ok()) stream->source->Delivered();
    Judge(stream->path, item.status);
  }
  if (!stream->has_ended) Look(stream->path, *stream->source->Heartbeat());
}

// Jobs end, and then the streams that tell of jobs.
void RequestWorld::EndAll() {
  scheduler_.Drain({}, {});
  if (scheduler_.jobs() != 0) Blame("the end", "a cancelled job goes on");
  for (Open& stream : streams_) {
    for (int i = 0; i < kMostToTheEnd / kMostAtOnce && !stream.has_ended; ++i) Pump(&stream);
    const bool is_of_job = stream.path.find(".Jobs/") != std::string::npos;
    if (is_of_job && !stream.has_ended) Blame(stream.path, "does not end with its job");
  }
  streams_.clear();
}

void RequestWorld::Judge(const std::string& path, const Status& status) {
  const grpc::Status sent = ToGrpc(status);
  if (sent.ok()) ++answered_;
  if (sent.error_code() == grpc::StatusCode::INTERNAL ||
      sent.error_code() == grpc::StatusCode::UNKNOWN) {
    Blame(path, "answers " + status.ToString());
  }
  google::rpc::Status details;
  if (!sent.ok() && !details.ParseFromString(sent.error_details())) {
    Blame(path, "answers an error that no client can read: " + status.ToString());
  }
}

void RequestWorld::Look(const std::string& path, const Message& answer) {
  const MessagePtr read(answer.New());
  std::string bytes;
  if (!answer.SerializeToString(&bytes) || !read->ParseFromString(bytes)) {
    Blame(path, "answers what no client can read: " + answer.ShortDebugString());
  }
  names_.NoteAll(answer);
}

void RequestWorld::Blame(const std::string& path, const std::string& words) {
  if (wrong_.empty()) wrong_ = path + " " + words;
}

}  // namespace wb
