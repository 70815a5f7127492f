#include "scheduler/run/seats/asking_seats.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/record.h"

namespace wb {
namespace {

// The result of the instance if its call traps.
std::optional<InstanceResult> ResultIfFailed(const JobPlan& plan, std::vector<uint32_t> record,
                                             const std::optional<DrainedOutput>& drained) {
  record[abi::RECORD_END] = static_cast<uint32_t>(End::kTrapped);
  record[abi::RECORD_TRAP] = static_cast<uint32_t>(Trap::kHostCallFailed);
  record[abi::RECORD_TRAP_FUNCTION] = record[abi::RECORD_TRAP_OFFSET] = abi::NONE;
  return DecodeRecord(plan, record, drained);
}

// Where the state finds no room the instance starts again once it has its answer. With an answer
// that it was given before it goes on at once.
void KeepState(const AskingTerms& terms, LaneImage image, std::optional<DrainedOutput> drained,
               AskingInstance& asking) {
  const ImageBudget& budget = terms.moving.budget;
  const HostCall& call = asking.asked.call;
  const uint64_t bytes = image.bytes() + (drained ? drained->bytes().size() : 0);
  std::optional<BudgetShare> share = budget.Hold(bytes);
  if (!share && terms.job.calls.HasAnswer(call.instance, call.number)) {
    share = budget.HoldBeyond(bytes);
  }
  if (!share && bytes > budget.most_beyond() && asking.asked.trap == Trap::kNone) {
    asking.asked.trap = Trap::kHostCallFailed;
    asking.asked.error =
        "The state of the instance has " + Quoted(bytes) +
        " bytes, more than is kept while it waits: " + Quoted(budget.most_beyond()) + ".";
  }
  if (!share) return;
  asking.state = std::make_shared<MovedLane>();
  asking.state->fuel = RecordFuel(image.record);
  asking.state->fast32 = terms.moving.fast32;
  asking.state->share = *std::move(share);
  asking.state->image = std::move(image);
  asking.state->drained = std::move(drained);
}

// nullopt: no sound engine leaves an instance so.
std::optional<AskingInstance> AskingOf(const AskingTerms& terms, InstanceRef instance,
                                       LaneImage image, std::optional<DrainedOutput> drained) {
  const JobPlan& plan = terms.job.plan;
  std::optional<InstanceResult> if_failed = ResultIfFailed(plan, image.record, drained);
  const uint64_t memories_at = ImageMemoriesAt(terms.module, image);
  if (!if_failed || image.state.size() < memories_at) return std::nullopt;
  AskingInstance asking;
  asking.instance = std::move(instance);
  asking.memories_at = memories_at;
  asking.if_failed = *std::move(if_failed);
  asking.asked = ReadCall(plan.spec.host_imports, image, memories_at, asking.instance.instance);
  KeepState(terms, std::move(image), std::move(drained), asking);
  return asking;
}

std::vector<uint32_t> SeatsOf(SeatContents& contents) {
  std::vector<uint32_t> seats;
  for (uint32_t seat = 0; seat < contents.instances.size(); ++seat) {
    if (contents.instances.Has(seat) && AsksHost(contents.RecordOf(seat))) seats.push_back(seat);
  }
  return seats;
}

}  // namespace

Result<uint64_t> AskingSeats::ExportSome(Device& device, const AskingTerms& terms,
                                         std::span<const uint32_t> seats, SeatContents& contents) {
  WB_ASSIGN(std::vector<std::optional<LaneImage>> images,
            device.ExportLanes(*contents.dispatch, seats));
  uint64_t fuel = 0;
  for (size_t i = 0; i < seats.size(); ++i) {
    if (i >= images.size() || !images[i]) return UnsoundRecord(device.info().id);
    InstanceRef instance = contents.instances.At(seats[i]);
    instance.moved.reset();
    std::optional<AskingInstance> asking = AskingOf(
        terms, std::move(instance), *std::move(images[i]), contents.drained.Take(seats[i]));
    if (!asking) return UnsoundRecord(device.info().id);
    const uint64_t used = asking->state ? asking->state->fuel : 0;
    fuel = AddBounded(fuel, used - std::min(used, asking->instance.brought));
    asking_[seats[i]] = *std::move(asking);
  }
  return fuel;
}

Result<uint64_t> AskingSeats::Export(Device& device, const AskingTerms& terms,
                                     SeatContents& contents) {
  const std::vector<uint32_t> seats = SeatsOf(contents);
  uint64_t fuel = 0;
  for (std::span<const uint32_t> left = seats; !left.empty();) {
    const std::span<const uint32_t> first = FirstImages(terms.module.layout, contents, left);
    WB_ASSIGN(const uint64_t more, ExportSome(device, terms, first, contents));
    fuel = AddBounded(fuel, more);
    left = left.subspan(first.size());
  }
  return fuel;
}

std::optional<AskingInstance> AskingSeats::Take(uint32_t seat) {
  const auto at = asking_.find(seat);
  if (at == asking_.end()) return std::nullopt;
  return std::move(at->second);  // the map stays as it is, since other threads look into it
}

}  // namespace wb
