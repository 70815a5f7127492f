// SeatTable: instances that wait for an answer of the job's caller leave their seats.

#include <algorithm>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/run/seats/record.h"
#include "scheduler/run/seats/seat_table.h"

namespace wb {
namespace {

// As in seat_table_moves.cc.
constexpr uint64_t kBytesAtOnce = uint64_t{32} << 20;

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
  if (!share && terms.job.HasAnswer(call.instance, call.number)) share = budget.HoldBeyond(bytes);
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

}  // namespace

std::vector<uint32_t> SeatTable::AskingSeats() {
  std::vector<uint32_t> seats;
  for (uint32_t seat = 0; seat < seats_.size(); ++seat) {
    if (seats_[seat] && AsksHost(RecordAt(*dispatch_, seat))) seats.push_back(seat);
  }
  return seats;
}

Result<uint64_t> SeatTable::AskSome(Device& device, const AskingTerms& terms,
                                    std::span<const uint32_t> seats) {
  WB_ASSIGN(std::vector<std::optional<LaneImage>> images, device.ExportLanes(*dispatch_, seats));
  uint64_t fuel = 0;
  for (size_t i = 0; i < seats.size(); ++i) {
    if (i >= images.size() || !images[i]) return UnsoundRecord(device.info().id);
    InstanceRef instance = *seats_[seats[i]];
    instance.moved.reset();
    std::optional<AskingInstance> asking =
        AskingOf(terms, std::move(instance), *std::move(images[i]), drained_.Take(seats[i]));
    if (!asking) return UnsoundRecord(device.info().id);
    const uint64_t used = asking->state ? asking->state->fuel : 0;
    fuel = AddBounded(fuel, used - std::min(used, asking->instance.brought));
    asking_[seats[i]] = *std::move(asking);
  }
  return fuel;
}

Result<uint64_t> SeatTable::ExportAsking(Device& device, const AskingTerms& terms) {
  const std::vector<uint32_t> seats = AskingSeats();
  uint64_t fuel = 0;
  for (size_t first = 0, end = 0; first < seats.size(); first = end) {
    uint64_t bytes = 0;
    for (; end < seats.size() && (bytes < kBytesAtOnce || end == first); ++end) {
      bytes += MostImageBytes(terms.module.layout, shape(), RecordAt(*dispatch_, seats[end]));
    }
    WB_ASSIGN(const uint64_t more,
              AskSome(device, terms, std::span(seats).subspan(first, end - first)));
    fuel = AddBounded(fuel, more);
  }
  return fuel;
}

// False: the call was not read.
bool SeatTable::TakeAsking(const Origin& origin, uint32_t seat, Harvest& harvest) {
  const auto at = asking_.find(seat);
  if (at == asking_.end()) return false;
  AskingInstance asking = std::move(at->second);  // seats are reaped by one thread each
  asking.if_failed.instance = asking.instance.instance;
  asking.if_failed.attempt = asking.instance.attempt;
  asking.if_failed.device = origin.device;
  asking.if_failed.fast32 = origin.fast32;
  asking.if_failed.build = origin.build;
  harvest.asking.push_back(std::move(asking));
  return true;
}

}  // namespace wb
