#include "scheduler/run/launches/seated_states.h"

#include <algorithm>
#include <vector>

namespace wb {

Status SeatedStates::ImportResidents(Device& device, SeatSets::Entry& entry) {
  if (state_.job->plan.spec.residents == nullptr) return {};
  WB_ASSIGN(std::vector<uint32_t> refused,
            entry.seats.ImportResidents(device, *state_.prepared.module,
                                        *state_.job->plan.spec.residents));
  if (refused.empty()) return {};
  std::vector<InstanceResult> failed;
  for (const InstanceRef& instance : entry.seats.Vacate(refused, SeatTable::Which::kAll)) {
    InstanceResult& result = failed.emplace_back();
    result.instance = instance.instance;
    result.attempt = instance.attempt;
    result.end = End::kFailed;
  }
  state_.job->Record([](JobProgress& progress) {
    progress.usage.failures =
        "The device did not take the states of some of the session's "
        "instances, which keep them.";
  });
  state_.job->Deliver(state_.device, ResultBatch(failed));
  return {};
}

Status SeatedStates::ExportResidents(Device& device, SeatSets::Entry& entry) {
  if (state_.job->plan.spec.residents == nullptr) return {};
  return entry.seats.ExportResidents(device, *state_.prepared.module);
}

Result<uint64_t> SeatedStates::ExportWaiting(Device& device, SeatSets::Entry& entry,
                                             const Migration& migration) {
  if (state_.job->plan.group > 1) return uint64_t{0};  // a group starts again as a whole
  WB_ASSIGN(const uint64_t outgrown, ExportOutgrown(device, entry, migration));
  WB_ASSIGN(const uint64_t asking, ExportAsking(device, entry, migration));
  WB_ASSIGN(const uint64_t growing, ExportGrowing(device, entry, migration));
  return AddBounded(outgrown, AddBounded(asking, growing));
}

// Those whose output outgrew their records, and which got no room for it here.
Result<uint64_t> SeatedStates::ExportOutgrown(Device& device, SeatSets::Entry& entry,
                                              const Migration& migration) {
  const DispatchShape& shape = entry.seats.shape();
  if (shape.OutputBuffer() == shape.output_bytes) return uint64_t{0};
  const std::vector<uint32_t> seats =
      entry.seats.GiveRooms(entry.seats.Taken(), [this] { return state_.job->TakeWholeRoom(); });
  if (entry.seat_class.deaths > 0) return uint64_t{0};  // as below
  return entry.seats.ExportLanes(device, state_.TermsOf(migration), seats);
}

// Whatever happened to their engines: they go on with their answer only where they keep their
// state.
Result<uint64_t> SeatedStates::ExportAsking(Device& device, SeatSets::Entry& entry,
                                            const Migration& migration) {
  if (state_.job->plan.spec.host_imports.empty()) return uint64_t{0};
  const MovingTerms terms = state_.TermsOf(migration);
  return entry.seats.ExportAsking(device, {terms, *state_.prepared.module, *state_.job});
}

Result<uint64_t> SeatedStates::ExportGrowing(Device& device, SeatSets::Entry& entry,
                                             const Migration& migration) {
  const DispatchShape& shape = entry.seats.shape();
  const auto& memories = state_.prepared.module->program.memories;
  const bool grows = std::any_of(memories.begin(), memories.end(),
                                 [](const ir::Memory& memory) { return memory.grows; });
  // Most launches need not look at their records for this.
  if (!grows || shape.ReservesAll()) return uint64_t{0};
  if (entry.seat_class.deaths > 0) return uint64_t{0};  // as below
  return entry.seats.ExportLanes(device, state_.TermsOf(migration), entry.seats.WaitingForMemory());
}

Result<uint64_t> SeatedStates::ExportLanes(Device& device, const Migration& migration) {
  if (state_.job->plan.group > 1) return uint64_t{0};  // likewise
  const MovingTerms terms = state_.TermsOf(migration);
  uint64_t fuel = 0;
  for (SeatSets::Entry& entry : seats_.entries()) {
    // Instances under which an engine died stay out: what they would take along may be why.
    if (entry.in_flight || entry.seat_class.deaths > 0) continue;
    WB_ASSIGN(const uint64_t more, entry.seats.ExportLanes(device, terms, entry.seats.Taken()));
    fuel = AddBounded(fuel, more);
  }
  return fuel;
}

Result<uint64_t> SeatedStates::KeepStates(Device& device, StateKeeper& keeper) {
  const JobPlan& plan = state_.job->plan;
  if (plan.group > 1 || !plan.spec.host_imports.empty()) return uint64_t{0};
  const KeepingTerms terms = state_.KeepingTermsOf(keeper);
  uint64_t kept = 0;
  for (SeatSets::Entry& entry : seats_.entries()) {
    if (entry.in_flight || entry.seat_class.deaths > 0) continue;  // likewise
    WB_ASSIGN(const uint64_t more, entry.seats.KeepStates(device, terms, entry.seats.Taken()));
    kept += more;
  }
  return kept;
}

}  // namespace wb
