#include "daemon/sessions/sessions_service.h"

#include <google/protobuf/empty.pb.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daemon/process/clock.h"
#include "daemon/services/owned.h"
#include "daemon/services/paging.h"
#include "daemon/services/prepare_job.h"
#include "daemon/sessions/open_session.h"
#include "daemon/sessions/session_view.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_value.h"
#include "daemon/translate/translate_view.h"
#include "scheduler/base/quoted.h"
#include "wasmburst/v1/session.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using google::protobuf::Empty;

constexpr uint64_t kMostRead = 2 << 20;
constexpr uint32_t kAllSessions = 0;  // of a page token

// Whose sessions the caller sees; unset: all.
std::optional<std::string> SeenBy(const Caller& caller) {
  if (caller.role >= Role::kOperator) return std::nullopt;
  return caller.tenant;
}

Result<SessionInfo> SessionFor(const SessionsParts& parts, const Caller& caller,
                               const std::string& name, JobUse use) {
  WB_ASSIGN(const std::string id, ParseSessionName(name));
  WB_ASSIGN(SessionInfo session, parts.table->Get(id, SeenBy(caller)));
  const std::string& tenant = session.terms->tenant;
  if (use != JobUse::kUse || caller.MayUseThingsOf(tenant)) return session;
  return Status(Reason::kPermissionDenied,
                "The session " + Quoted(name) + " belongs to the tenant " + Quoted(tenant) +
                    ", and the caller " + Quoted(caller.name) + " to " + Quoted(caller.tenant) +
                    "; only an admin may do that with it.",
                {{"role", "admin"}});
}

v1::Session ToProto(const SessionsParts& parts, const SessionInfo& session) {
  v1::Session proto;
  SessionToProto(session, parts.table->IsRunning(session), &proto);
  return proto;
}

Result<v1::Session> OpenSession(const SessionsParts& parts, const Caller& caller,
                                const v1::OpenSessionRequest& request) {
  if (parts.context->intake->draining()) {
    return Status(Reason::kDraining, "The daemon is shutting down and opens no sessions.");
  }
  WB_ASSIGN(SessionTerms terms,
            TermsOfSession(*parts.context, caller, request.session(), parts.budget));
  WB_ASSIGN(const SessionInfo session, parts.table->Open(std::move(terms), UnixNow()));
  return ToProto(parts, session);
}

Result<v1::ListSessionsResponse> ListSessions(const SessionsParts& parts, const Caller& caller,
                                              const v1::ListSessionsRequest& request) {
  WB_ASSIGN(const size_t size, PageSize(request.page_size()));
  WB_ASSIGN(const std::string after, ParseJobPageToken(request.page_token(), kAllSessions));
  std::vector<SessionInfo> sessions = parts.table->List(SeenBy(caller), after, size + 1);
  const bool more = sessions.size() > size;
  if (more) sessions.pop_back();
  v1::ListSessionsResponse response;
  for (const SessionInfo& session : sessions) *response.add_sessions() = ToProto(parts, session);
  if (more) response.set_next_page_token(MakeJobPageToken({kAllSessions, sessions.back().id}));
  return response;
}

Result<v1::Job> Shown(Result<JobInfo> job) {
  WB_ASSIGN(const JobInfo info, std::move(job));
  v1::Job proto;
  JobToProto(info, true, &proto);
  return proto;
}

Status CheckKept(const SessionInfo& session) {
  const std::string not_kept = session.terms->residents->no_room();
  if (not_kept.empty()) return {};
  return Status(Reason::kLimitTooHigh,
                "The session " + Quoted(SessionName(session.id)) +
                    " takes no further call, since its instances are of different calls: in one "
                    "there was no room for the states of some, which have those from before it. " +
                    not_kept,
                {{"resource", SessionName(session.id)}});
}

Result<JobInfo> BeginCall(const ServiceContext& context, const SessionInfo& session,
                          const Call& call, const v1::CallSessionRequest& request) {
  WB_ASSIGN(v1::Job job, JobOfCall(session.terms->session, request));
  WB_ASSIGN(const StoredModule module, ModuleNamed(context, &call.caller, job.module()));
  const SessionCall of = {SessionName(session.id), session.terms->residents};
  WB_ASSIGN(Submission submission, PrepareRequest(context, call, std::move(job), module,
                                                  request.request_id(), request, of));
  of.residents->Begin();
  return context.intake->Create(std::move(submission));
}

Result<v1::Job> CallSession(const SessionsParts& parts, const Call& call,
                            const v1::CallSessionRequest& request) {
  WB_ASSIGN(const SessionInfo session,
            SessionFor(parts, call.caller, request.name(), JobUse::kUse));
  JobIntake& intake = *parts.context->intake;
  if (!request.request_id().empty() && request.request_id() == session.request_id) {
    return Shown(intake.store().Get(session.job));
  }
  WB_TRY(CheckKept(session));
  WB_TRY(parts.table->Take(session.id));
  Result<JobInfo> job = BeginCall(*parts.context, session, call, request);
  if (!job.ok()) {
    parts.table->Release(session.id, UnixNow());
    return job.status();
  }
  const bool is_open = parts.table->Called(session.id, job->id, request.request_id(), UnixNow());
  if (!is_open) (void)intake.Cancel(job->id);  // its session was closed at that moment
  return Shown(std::move(job));
}

// The states of instances, as the module's segments say where there was no call.
class States {
 public:
  States(const SessionsParts& parts, const SessionInfo& session)
      : parts_(parts), terms_(*session.terms) {}

  Result<ResidentStateRef> Get(uint64_t instance) {
    if (instance >= terms_.residents->size()) {
      return Status(Reason::kInvalidArgument,
                    "The session has the instances 0 to " + Quoted(terms_.residents->size() - 1) +
                        ", and not " + Quoted(instance) + ".",
                    {{"field", "instance"}});
    }
    ResidentStateRef state = terms_.residents->Get(instance);
    if (state != nullptr || fresh_ != nullptr) return state != nullptr ? state : fresh_;
    if (!parts_.modules) {
      return FieldError("instance", "has no memory before its first call");
    }
    WB_ASSIGN(const auto lowered, parts_.modules(terms_.module));
    WB_ASSIGN(ResidentState made, FreshState(*lowered));
    fresh_ = std::make_shared<const ResidentState>(std::move(made));
    return fresh_;
  }

 private:
  const SessionsParts& parts_;
  const SessionTerms& terms_;
  ResidentStateRef fresh_;
};

Result<v1::ReadMemoryResponse> ReadMemory(const SessionsParts& parts, const Caller& caller,
                                          const v1::ReadMemoryRequest& request) {
  WB_ASSIGN(const SessionInfo session, SessionFor(parts, caller, request.name(), JobUse::kUse));
  if (request.bytes() > kMostRead) {
    return Status(Reason::kLimitTooHigh,
                  "One answer has at most " + Quoted(kMostRead) + " bytes, and " +
                      Quoted(request.bytes()) + " were asked for. Read them in parts.",
                  {{"field", "bytes"}, {"maximum", std::to_string(kMostRead)}});
  }
  WB_TRY(parts.table->CheckFree(session));
  States states(parts, session);
  WB_ASSIGN(const ResidentStateRef state, states.Get(request.instance()));
  WB_ASSIGN(const Bytes bytes,
            ReadResident(*state, request.memory(), request.address(), request.bytes()));
  parts.table->Touched(session.id, UnixNow());
  v1::ReadMemoryResponse response;
  response.set_data(bytes.data(), bytes.size());
  return response;
}

// All are changed, or none is.
Status PutAll(const std::map<uint64_t, ResidentStateRef>& written, ResidentInstances& residents) {
  std::map<uint64_t, ResidentStateRef> before;
  for (const auto& [instance, state] : written) {
    ResidentStateRef old = residents.Get(instance);
    Status put = residents.Put(instance, state);
    if (put.ok()) {
      before[instance] = std::move(old);
      continue;
    }
    for (const auto& [changed, was] : before) (void)residents.Put(changed, was);
    return put;
  }
  return {};
}

Status Write(const SessionsParts& parts, const SessionInfo& session,
             const v1::WriteMemoryRequest& request) {
  ResidentInstances& residents = *session.terms->residents;
  const uint64_t first = request.all() ? 0 : request.instance();
  const uint64_t end = request.all() ? residents.size() : first + 1;
  States states(parts, session);
  std::map<ResidentStateRef, ResidentStateRef> known;  // instances that are alike stay so
  std::map<uint64_t, ResidentStateRef> written;
  for (uint64_t instance = first; instance < end; ++instance) {
    WB_ASSIGN(const ResidentStateRef state, states.Get(instance));
    ResidentStateRef& now = known[state];
    if (now == nullptr) {
      WB_ASSIGN(ResidentState changed, WriteResident(*state, request.memory(), request.address(),
                                                     AsBytes(request.data())));
      now = std::make_shared<const ResidentState>(std::move(changed));
    }
    written[instance] = now;
  }
  return PutAll(written, residents);
}

Result<v1::WriteMemoryResponse> WriteMemory(const SessionsParts& parts, const Caller& caller,
                                            const v1::WriteMemoryRequest& request) {
  WB_ASSIGN(const SessionInfo session, SessionFor(parts, caller, request.name(), JobUse::kUse));
  WB_TRY(parts.table->Take(session.id));
  const Status written = Write(parts, session, request);
  parts.table->Release(session.id, UnixNow());
  WB_TRY(written);
  return v1::WriteMemoryResponse();
}

Result<Empty> CloseSession(const SessionsParts& parts, const Caller& caller,
                           const v1::CloseSessionRequest& request) {
  WB_ASSIGN(const SessionInfo session, SessionFor(parts, caller, request.name(), JobUse::kUse));
  WB_ASSIGN(const SessionInfo closed, parts.table->Close(session.id, "It was closed by a caller."));
  if (parts.table->IsRunning(closed)) (void)parts.context->intake->Cancel(closed.job);
  return Empty();
}

}  // namespace

MethodTable SessionsService(SessionsParts given) {
  MethodTable table("wasmburst.v1.Sessions");
  const auto parts = std::make_shared<const SessionsParts>(std::move(given));
  table.AddUnary<v1::OpenSessionRequest>(
      "OpenSession", RunOn::kPool,
      [parts](const v1::OpenSessionRequest& request, const Call& call) {
        return OpenSession(*parts, call.caller, request);
      });
  table.AddUnary<v1::GetSessionRequest>(
      "GetSession", RunOn::kCaller,
      [parts](const v1::GetSessionRequest& request, const Call& call) -> Result<v1::Session> {
        WB_ASSIGN(const SessionInfo session,
                  SessionFor(*parts, call.caller, request.name(), JobUse::kSee));
        return ToProto(*parts, session);
      });
  table.AddUnary<v1::ListSessionsRequest>(
      "ListSessions", RunOn::kCaller,
      [parts](const v1::ListSessionsRequest& request, const Call& call) {
        return ListSessions(*parts, call.caller, request);
      });
  table.AddUnary<v1::CallSessionRequest>(
      "CallSession", RunOn::kPool,
      [parts](const v1::CallSessionRequest& request, const Call& call) {
        return CallSession(*parts, call, request);
      });
  const auto with = [parts](auto handle) {
    return [parts, handle](const auto& request, const Call& call) {
      return handle(*parts, call.caller, request);
    };
  };
  table.AddUnary<v1::ReadMemoryRequest>("ReadMemory", RunOn::kPool, with(ReadMemory));
  table.AddUnary<v1::WriteMemoryRequest>("WriteMemory", RunOn::kPool, with(WriteMemory));
  table.AddUnary<v1::CloseSessionRequest>("CloseSession", RunOn::kPool, with(CloseSession));
  return table;
}

}  // namespace wb
