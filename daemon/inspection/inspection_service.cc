#include "daemon/inspection/inspection_service.h"

#include <utility>

#include "daemon/inspection/inspection_source.h"
#include "daemon/services/owned.h"
#include "daemon/translate/translate_value.h"
#include "scheduler/trace/inspector.h"
#include "wasmburst/v1/inspection.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint32_t kLines = 10000;  // where the caller names no limit

Result<std::unique_ptr<StreamSource>> DumpInstance(const ServiceContextRef& context,
                                                   const Call& call,
                                                   const v1::DumpInstanceRequest& request,
                                                   std::function<void()> wake) {
  WB_ASSIGN(const JobInfo job, JobFor(*context, call.caller, request.job(), JobUse::kUse));
  return DumpOfInstance(context, job, request.instance(), std::move(wake));
}

Result<uint32_t> LinesOf(const ServiceContext& context, uint32_t asked) {
  if (asked == 0) return kLines;
  const uint64_t most = context.config->Get()->inspection.lines;
  if (asked <= most) return asked;
  return Status(Reason::kLimitTooHigh,
                "The field [limit] asks for [" + std::to_string(asked) +
                    "] lines; inspection.max_lines allows [" + std::to_string(most) + "].",
                {{"field", "limit"}, {"maximum", std::to_string(most)}});
}

Result<std::unique_ptr<StreamSource>> ReplayInstance(const ServiceContextRef& context,
                                                     const Call& call,
                                                     const v1::ReplayInstanceRequest& request,
                                                     std::function<void()> wake) {
  WB_ASSIGN(const JobInfo job, JobFor(*context, call.caller, request.job(), JobUse::kUse));
  Replaying replaying;
  replaying.instance = request.instance();
  if (!v1::TraceDetail_IsValid(request.trace())) {
    return FieldError("trace", "is none of TRACE_NOTHING, TRACE_CALLS and TRACE_OPERATORS");
  }
  replaying.detail = static_cast<TraceDetail>(request.trace());
  if (request.has_until()) replaying.until = request.until();
  WB_ASSIGN(replaying.lines, LinesOf(*context, request.limit()));
  return ReplayOfInstance(context, job, replaying, std::move(wake));
}
static_assert(v1::TRACE_CALLS == static_cast<int>(TraceDetail::kCalls));
static_assert(v1::TRACE_OPERATORS == static_cast<int>(TraceDetail::kOperators));

}  // namespace

MethodTable InspectionService(ServiceContextRef context) {
  MethodTable table("wasmburst.v1.Inspection");
  const auto with = [context](auto open) {
    return [context, open](const auto& request, const Call& call, std::function<void()> wake) {
      return open(context, call, request, std::move(wake));
    };
  };
  table.AddServerStream<v1::DumpInstanceRequest>("DumpInstance", with(DumpInstance));
  table.AddServerStream<v1::ReplayInstanceRequest>("ReplayInstance", with(ReplayInstance));
  return table;
}

}  // namespace wb
