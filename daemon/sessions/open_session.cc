#include "daemon/sessions/open_session.h"

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "compiler/system/system_layer.h"
#include "daemon/services/prepare_job.h"
#include "daemon/sessions/session_view.h"
#include "daemon/translate/translate_time.h"
#include "daemon/translate/translate_value.h"
#include "daemon/translate/translate_view.h"
#include "scheduler/base/quoted.h"
#include "scheduler/job/job_plan.h"
#include "wasmburst/v1/session.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

Status TooMany(const std::string& field, uint64_t asked, uint64_t most,
               const std::string& setting) {
  return Status(Reason::kLimitTooHigh,
                "The field " + Quoted(field) + " asks for " + Quoted(asked) +
                    "; this daemon allows at most " + Quoted(most) + " (" + setting + ").",
                {{"field", field}, {"maximum", std::to_string(most)}});
}

Result<int64_t> IdleOf(const v1::Session& asked, const Config& config) {
  if (!asked.has_idle()) return config.session_idle;
  WB_ASSIGN(const std::optional<std::chrono::nanoseconds> idle,
            DurationFromProto(asked.idle(), "session.idle"));
  const int64_t given = idle ? idle->count() : config.session_idle;
  if (given <= config.max_session_idle) return given;
  constexpr int64_t kSecondNs = 1'000'000'000;
  return TooMany("session.idle", static_cast<uint64_t>(given / kSecondNs),
                 static_cast<uint64_t>(config.max_session_idle / kSecondNs),
                 "seconds; sessions.max_idle");
}

// What instances cannot keep from call to call.
Status CheckSubmission(const Submission& submission) {
  const JobRequest& request = submission.request;
  if (request.has_command) {
    return FieldError("session.module",
                      "is a program (it imports WASI), which begins anew with each run: a session "
                      "needs a module whose functions are called");
  }
  if (request.host_calls != nullptr) {
    return FieldError("session.bindings",
                      "bind imports to the caller (Binding.host), which a session cannot");
  }
  if (GroupOf(*submission.module) > 1) {
    return FieldError("session.module",
                      "imports collectives of gpu_std: its instances compute in groups, which a "
                      "session cannot keep");
  }
  return {};
}

// Limits are shown as they apply.
void TakeLimits(const JobRequest& request, v1::Session* session) {
  JobInfo info;
  info.request = std::make_shared<const JobRequest>(request);
  v1::Job shown;
  JobToProto(info, false, &shown);
  *session->mutable_limits() = shown.limits();
}

v1::Session Asked(const v1::Session& from) {
  v1::Session asked;
  asked.set_module(from.module());
  *asked.mutable_linked() = from.linked();
  *asked.mutable_bindings() = from.bindings();
  asked.set_instances(from.instances());
  *asked.mutable_limits() = from.limits();
  asked.set_placement(from.placement());
  asked.set_floats(from.floats());
  return asked;
}

}  // namespace

Result<SessionTerms> TermsOfSession(const ServiceContext& context, const Caller& caller,
                                    const v1::Session& from,
                                    std::shared_ptr<const ResidentBudget> budget) {
  const std::shared_ptr<const Config> config = context.config->Get();
  if (from.instances() > config->max_session_instances) {
    return TooMany("session.instances", from.instances(), config->max_session_instances,
                   "sessions.max_instances");
  }
  SessionTerms terms;
  terms.session = Asked(from);
  WB_ASSIGN(terms.idle_ns, IdleOf(from, *config));
  v1::Job job = JobOfSession(from);
  WB_TRY(LabelTenant(caller, &job));
  *terms.session.mutable_labels() = job.labels();
  job.add_steps()->mutable_call();  // any will do: nothing is run
  WB_ASSIGN(const StoredModule module, ModuleNamed(context, &caller, from.module()));
  WB_ASSIGN(const Submission submission, PrepareJob(context, &caller, job, module));
  WB_TRY(CheckSubmission(submission));
  TakeLimits(submission.request, &terms.session);
  terms.tenant = submission.request.tenant;
  terms.module = submission.module;
  terms.residents = std::make_shared<ResidentInstances>(from.instances(), config->max_session_bytes,
                                                        std::move(budget));
  return terms;
}

}  // namespace wb
