#include "daemon/services/prepare_job.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <memory>
#include <utility>

#include "compiler/system/system_layer.h"
#include "daemon/services/link_job.h"
#include "daemon/services/stored_inputs.h"
#include "daemon/store/job_holds.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_job.h"
#include "daemon/translate/translate_value.h"
#include "daemon/translate/translate_view.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kLongestRequestId = 128;

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
  whole.SerializeToString(&sent->whole);
  JobInfo job;
  job.request = std::make_shared<const JobRequest>(request);
  v1::Job shown;
  JobToProto(job, true, &shown);
  shown.SerializeToString(&sent->shown);
  return sent;
}

}  // namespace

Result<StoredModule> ModuleNamed(const ServiceContext& context, const std::string& name) {
  WB_ASSIGN(const Digest digest, ParseModuleName(name));
  return UploadedModule(context, digest);
}

Result<Submission> PrepareJob(const ServiceContext& context, const v1::Job& proto,
                              const StoredModule& module) {
  const FindInput find = [&context](const Digest& input) { return InputOf(context, input); };
  WB_ASSIGN(ParsedJob parsed,
            JobFromProto(proto, context.config, find, ImportsSystem(*module.module)));
  Submission submission{std::move(parsed.request), std::move(parsed.columns), nullptr};
  WB_ASSIGN(submission.module, LinkJob(context, module, &submission.request));
  AddRequestHolds(*submission.module, &submission.request);
  submission.request.module = module.module->digest();
  return submission;
}

Result<Submission> PrepareRequest(const ServiceContext& context, const v1::Job& proto,
                                  const StoredModule& module, const std::string& request_id,
                                  const Message& request) {
  WB_TRY(CheckRequestId(request_id));
  WB_ASSIGN(Submission submission, PrepareJob(context, proto, module));
  submission.request.request_id = request_id;
  if (!request_id.empty()) submission.request.body = DigestOf(request);
  if (context.is_durable) submission.request.sent = SentOf(proto, submission.request);
  return submission;
}

}  // namespace wb
