#include "daemon/services/prepare_job.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <memory>
#include <utility>

#include "compiler/debug/module_hints.h"
#include "compiler/system/system_layer.h"
#include "daemon/services/link_job.h"
#include "daemon/services/owned.h"
#include "daemon/services/stored_inputs.h"
#include "daemon/store/job_holds.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_job.h"
#include "daemon/translate/translate_value.h"
#include "daemon/translate/translate_view.h"
#include "scheduler/base/quoted.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kLongestRequestId = 128;
// Of a request, for profiles, where there is no disk.
constexpr size_t kMostKeptInMemory = 16 << 10;
constexpr const char* kTenantLabel = "tenant";

// Of the request as such, whatever order its maps were sent in.
Digest DigestOf(const Message& request) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream stream(&bytes);
    google::protobuf::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    request.SerializePartialToCodedStream(&coded);
  }
  return Sha256(AsBytes(bytes));
}

Status CheckRequestId(const std::string& id) {
  if (id.size() <= kLongestRequestId) return {};
  return FieldError("request_id", "is longer than 128 bytes");
}

// A module that came inline is stored by then, and named.
std::shared_ptr<const SentRequest> SentOf(const v1::Job& proto, const JobRequest& request) {
  auto sent = std::make_shared<SentRequest>();
  v1::Job whole = proto;
  whole.set_module(ModuleName(request.module));
  TraceToProto(request.trace, whole.mutable_trace());
  whole.SerializeToString(&sent->whole);
  JobInfo job;
  job.request = std::make_shared<const JobRequest>(request);
  v1::Job shown;
  JobToProto(job, true, &shown);
  shown.SerializeToString(&sent->shown);
  return sent;
}

// None starts anew in their place.
Status WasOfSession(const std::string& session) {
  return Status(Reason::kNotFound,
                "The job is a call of the session " + Quoted(session) +
                    ". What its instances began with was that session's alone, and a session lives "
                    "no longer than its daemon, so that they do not run again.",
                {{"resource", session}});
}

Status KeepsNoDumps() {
  return Status(Reason::kLimitTooHigh,
                "The field [job.dump_on_trap] asks for dumps, and this daemon keeps none: "
                "inspection.max_total_bytes is 0.",
                {{"field", "job.dump_on_trap"}, {"maximum", "0"}});
}

}  // namespace

Status LabelTenant(const Caller& caller, v1::Job* proto) {
  if (caller.NamesTenants()) return {};
  const auto label = proto->labels().find(kTenantLabel);
  if (label != proto->labels().end() && label->second != caller.tenant) {
    return Status(Reason::kPermissionDenied,
                  "The label [tenant] says " + Quoted(label->second) + ", and the caller " +
                      Quoted(caller.name) + " belongs to " + Quoted(caller.tenant) +
                      ". Leave the label out.",
                  {{"field", "job.labels"}});
  }
  if (!caller.tenant.empty()) (*proto->mutable_labels())[kTenantLabel] = caller.tenant;
  return {};
}

// In memory until the job ends, which counts.
Status KeepForInspection(const ServiceContext& context,
                         const std::shared_ptr<const SentRequest>& sent, Submission* submission) {
  const size_t bytes = sent->whole.size();
  const uint64_t most = context.config->Get()->max_job_dumps_bytes;
  if (submission->request.dump_on_trap == 0 && bytes > kShortRequest) return {};
  if (submission->request.dump_on_trap > 0 && bytes > most) {
    return Status(Reason::kLimitTooHigh,
                  "The request has [" + std::to_string(bytes) +
                      "] bytes. With dump_on_trap it is kept, and inspection.max_job_bytes allows "
                      "at most [" +
                      std::to_string(most) + "]. Upload long columns as inputs.",
                  {{"field", "job"}, {"maximum", std::to_string(most)}});
  }
  submission->request.holds.bytes += bytes;
  submission->sent = sent;
  return {};
}

namespace {

LaneHint HintOf(const Module& module) {
  const ModuleHints hints = HintsOf(module.binary());
  if (hints.divergent) return LaneHint::kDivergent;
  return hints.uniform ? LaneHint::kUniform : LaneHint::kNone;
}

}  // namespace

Result<StoredModule> ModuleNamed(const ServiceContext& context, const Caller* caller,
                                 const std::string& name) {
  WB_ASSIGN(const Digest digest, ParseModuleName(name));
  return UploadedModule(context, caller, digest);
}

Result<Submission> PrepareJob(const ServiceContext& context, const Caller* caller,
                              const v1::Job& proto, const StoredModule& module) {
  if (!proto.session().empty()) return WasOfSession(proto.session());
  const FindInput find = [&context, caller](const Digest& input) {
    return caller == nullptr ? InputOf(context, input) : InputFor(context, *caller, input);
  };
  WB_ASSIGN(ParsedJob parsed,
            JobFromProto(proto, *context.config->Get(), find, ImportsSystem(*module.module)));
  Submission submission{std::move(parsed.request), std::move(parsed.columns), nullptr};
  WB_ASSIGN(submission.module, LinkJob(context, caller, module, &submission.request));
  if (submission.request.host_calls != nullptr && submission.request.profile_instances != 0) {
    return FieldError("job.profile",
                      "cannot be made of a job whose caller answers calls (Binding.host): its "
                      "instances are not run a second time");
  }
  AddRequestHolds(*submission.module, &submission.request);
  if (submission.request.hint == LaneHint::kNone) {
    submission.request.hint = HintOf(*module.module);
  }
  submission.request.module = module.module->digest();
  return submission;
}

Result<Submission> PrepareRequest(const ServiceContext& context, const Call& call, v1::Job proto,
                                  const StoredModule& module, const std::string& request_id,
                                  const Message& request, const SessionCall& session) {
  WB_TRY(CheckRequestId(request_id));
  WB_TRY(LabelTenant(call.caller, &proto));
  proto.clear_session();
  WB_ASSIGN(Submission submission, PrepareJob(context, &call.caller, proto, module));
  proto.set_session(session.name);
  submission.request.trace = ChildOf(call.trace);
  submission.request.request_id = request_id;
  submission.request.session = session.name;
  submission.residents = session.residents;
  if (!request_id.empty()) submission.request.body = DigestOf(request);
  const bool is_kept = context.dumps != nullptr && session.name.empty();
  if (!is_kept && submission.request.dump_on_trap > 0) return KeepsNoDumps();
  const std::shared_ptr<const SentRequest> sent = SentOf(proto, submission.request);
  if (is_kept) WB_TRY(KeepForInspection(context, sent, &submission));
  const bool is_short = sent->whole.size() <= kMostKeptInMemory;
  if (context.is_durable || is_short) submission.request.sent = sent;
  return submission;
}

Result<Submission> PrepareKept(const ServiceContext& context, const std::string& whole) {
  v1::Job proto;
  if (!proto.ParseFromString(whole)) {
    return Status(Reason::kIoError, "The stored request of the job is damaged.");
  }
  WB_ASSIGN(const StoredModule module, ModuleNamed(context, nullptr, proto.module()));
  WB_ASSIGN(Submission submission, PrepareJob(context, nullptr, proto, module));
  WB_TRY(JobIntake::Bound(&submission));
  return submission;
}

}  // namespace wb
