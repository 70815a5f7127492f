#include "daemon/sessions/session_view.h"

#include "daemon/store/names.h"
#include "daemon/translate/translate_time.h"
#include "daemon/translate/translate_value.h"

namespace wb {

namespace v1 = wasmburst::v1;

void SessionToProto(const SessionInfo& session, bool running, v1::Session* proto) {
  const SessionTerms& terms = *session.terms;
  *proto = terms.session;
  proto->set_name(SessionName(session.id));
  DurationToProto(std::chrono::nanoseconds(terms.idle_ns), proto->mutable_idle());
  TimeToProto(session.create_unix_ns, proto->mutable_create_time());
  TimeToProto(session.used_unix_ns + terms.idle_ns, proto->mutable_expire_time());
  proto->set_calls(session.calls);
  if (!session.job.empty()) proto->set_job(JobName(session.job));
  proto->set_running(running);
  proto->set_changed(terms.residents->changed());
  proto->set_bytes(terms.residents->bytes());
  proto->set_not_kept(terms.residents->no_room());
}

v1::Job JobOfSession(const v1::Session& session) {
  v1::Job job;
  job.set_module(session.module());
  *job.mutable_linked() = session.linked();
  *job.mutable_bindings() = session.bindings();
  job.set_instances(session.instances());
  *job.mutable_limits() = session.limits();
  job.set_placement(session.placement());
  *job.mutable_labels() = session.labels();
  job.set_floats(session.floats());
  return job;
}

Result<v1::Job> JobOfCall(const v1::Session& session, const v1::CallSessionRequest& request) {
  if (request.limits().max_memory_bytes() != 0) {
    return FieldError("limits.max_memory_bytes",
                      "cannot be given to a call: memory is what the session's instances keep");
  }
  v1::Job job = JobOfSession(session);
  *job.mutable_steps() = request.steps();
  *job.mutable_columns() = request.columns();
  *job.mutable_inputs() = request.inputs();
  job.mutable_limits()->MergeFrom(request.limits());
  return job;
}

}  // namespace wb
