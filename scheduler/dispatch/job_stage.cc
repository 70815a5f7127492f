#include "scheduler/dispatch/job_stage.h"

#include <array>
#include <cstddef>

namespace wb {
namespace {

using S = JobStage;
using A = JobAction;

constexpr S T = S::kWaitingForTenant;
constexpr S L = S::kLowering;
constexpr S D = S::kWaitingForDevice;
constexpr S P = S::kWaitingForPipeline;
constexpr S G = S::kProbingGpu;
constexpr S I = S::kOnInterpreter;
constexpr S R = S::kRunning;

struct Cell {
  enum class Kind : uint8_t { kForbidden, kStays, kGoes };
  Kind kind = Kind::kForbidden;
  S next = T;
  A action = A::kNothing;
};
constexpr Cell No{};                    // forbidden
constexpr Cell Ok{Cell::Kind::kStays};  // the event changes nothing
constexpr Cell To(S next, A action = A::kNothing) { return {Cell::Kind::kGoes, next, action}; }

using Row = std::array<Cell, kJobStages>;
constexpr Cell kLower = To(L, A::kLower);
constexpr Cell kPlace = To(P, A::kPlace);
constexpr Cell kHandOver = To(P, A::kHandOver);
constexpr Cell kElsewhere = To(P, A::kGoElsewhere);
constexpr Cell kJoin = To(I, A::kJoinInterpreter);
constexpr Cell kWarmup = To(I, A::kReviewWarmup);
constexpr Cell kRebalance = To(R, A::kRebalance);

// clang-format off
constexpr std::array<Row, kJobEvents> kTable{{
    // T       L           D           P           G          I                            R
    {{ kLower, No,         No,         No,         No,        No,                          No }},         // kMayStart
    {{ No,     kLower,     kLower,     kLower,     kLower,    No,                          No }},         // kStartsOver
    {{ No,     To(P, A::kChooseDevice), Ok, Ok,    Ok,        Ok,                          Ok }},         // kLowered
    {{ No,     No,         No,         To(D, A::kAwaitGate), No, No,                       No }},         // kDevicesClosed
    {{ Ok,     Ok,         kLower,     Ok,         Ok,        kWarmup,                     kRebalance }}, // kGatesChanged
    {{ No,     kJoin,      kJoin,      kJoin,      Ok,        Ok,                          Ok }},         // kInterpreterReady
    {{ No,     kHandOver,  kHandOver,  kHandOver,  Ok,        Ok,                          Ok }},         // kInterpreterFails
    {{ No,     kPlace,     kPlace,     kPlace,     Ok,        kWarmup,                     Ok }},         // kBuilt
    {{ No,     kElsewhere, kElsewhere, kElsewhere, Ok,        To(R, A::kKeepOnInterpreter), Ok }},        // kBuildFailed
    {{ No,     Ok,         Ok,         Ok,         Ok,        kWarmup,                     To(R, A::kSwapPipeline) }}, // kBetterBuilt
    {{ No,     No,         No,         To(G),      No,        No,                          No }},         // kNeedsGpu
    {{ No,     Ok,         Ok,         Ok,         kHandOver, Ok,                          Ok }},         // kGpuAnswered
    {{ No,     No,         No,         To(R),      No,        No,                          No }},         // kHandedOver
    {{ Ok,     Ok,         Ok,         Ok,         kHandOver, kWarmup,                     kRebalance }}, // kReviewDue
    {{ No,     No,         No,         No,         No,        To(P, A::kLeaveInterpreter), To(P, A::kFindAnotherPlace) }}, // kGivenBack
    {{ No,     No,         No,         No,         No,        To(I, A::kGoOnWithOthers),   To(R, A::kGoOnWithOthers) }},   // kLeftOne
    {{ No,     No,         No,         No,         No,        No,                          To(I) }},      // kInterpreterJoins
    {{ No,     No,         No,         No,         No,        To(R, A::kGoOnWithOthers),   To(R, A::kGoOnWithOthers) }},   // kLeftInterpreter
}};
// clang-format on

}  // namespace

std::string_view JobStageName(JobStage stage) {
  switch (stage) {
    case S::kWaitingForTenant: return "waiting-for-tenant";
    case S::kLowering: return "lowering";
    case S::kWaitingForDevice: return "waiting-for-device";
    case S::kWaitingForPipeline: return "waiting-for-pipeline";
    case S::kProbingGpu: return "probing-gpu";
    case S::kOnInterpreter: return "on-interpreter";
    case S::kRunning: return "running";
  }
  return "unknown";
}

std::string_view JobEventName(JobEvent event) {
  static constexpr std::array<std::string_view, kJobEvents> kNames{
      "may-start",         "starts-over",       "lowered",           "devices-closed",
      "gates-changed",     "interpreter-ready", "interpreter-fails", "built",
      "build-failed",      "better-built",      "needs-gpu",         "gpu-answered",
      "handed-over",       "review-due",        "given-back",        "left-one",
      "interpreter-joins", "left-interpreter"};
  const auto index = static_cast<size_t>(event);
  return index < kNames.size() ? kNames[index] : "unknown";
}

std::optional<Transition> Next(JobStage stage, JobEvent event) {
  const Cell& cell = kTable.at(static_cast<size_t>(event)).at(static_cast<size_t>(stage));
  switch (cell.kind) {
    case Cell::Kind::kForbidden: return std::nullopt;
    case Cell::Kind::kStays: return Transition{stage, A::kNothing};
    case Cell::Kind::kGoes: break;
  }
  return Transition{cell.next, cell.action};
}

}  // namespace wb
