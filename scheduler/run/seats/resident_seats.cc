#include "scheduler/run/seats/resident_seats.h"

#include <memory>
#include <optional>
#include <utility>

#include "scheduler/run/seats/lane_moves.h"

namespace wb {
namespace {

// States that the device reads where they are cost no copy on the way, but it answers in good time.
constexpr uint64_t kReadThereShare = 8;

// What the instance came to is a state that it goes on with. One that ended by a limit was stopped
// somewhere in its call, and one that trapped as it was instantiated is none.
bool LeavesState(std::span<const uint32_t> record) {
  if (record[abi::RECORD_SEAT] != abi::SEAT_DONE || record[abi::RECORD_STEP] == 0) return false;
  const auto end = static_cast<End>(record[abi::RECORD_END]);
  return end == End::kReturned || end == End::kTrapped || end == End::kExited;
}

std::vector<uint32_t> SeatsThatEnded(SeatContents& contents) {
  std::vector<uint32_t> seats;
  for (uint32_t seat = 0; seat < contents.instances.size(); ++seat) {
    if (contents.instances.Has(seat) && LeavesState(contents.RecordOf(seat))) seats.push_back(seat);
  }
  return seats;
}

// Adds to `refused` the seats that took none.
Status ImportStates(Device& device, std::span<const LanePlace> places, SeatContents& contents,
                    std::vector<uint32_t>& refused) {
  WB_ASSIGN(const std::vector<Status> put, device.ImportLanes(*contents.dispatch, places));
  for (size_t i = 0; i < places.size(); ++i) {
    if (i >= put.size() || !put[i].ok()) refused.push_back(places[i].seat);
  }
  return {};
}

}  // namespace

Result<std::vector<uint32_t>> ResidentSeats::Import(Device& device, const LoweredModule& module,
                                                    const ResidentInstances& residents,
                                                    SeatContents& contents) {
  std::vector<uint32_t> refused;
  std::vector<LanePlace> places;
  uint64_t bytes = 0;
  const Digest form = FormOf(module, contents.shape());
  for (uint32_t seat = 0; seat < contents.instances.size(); ++seat) {
    if (!contents.instances.Has(seat)) continue;
    if (contents.RecordOf(seat)[abi::RECORD_SEAT] != abi::SEAT_START) continue;
    const uint64_t instance = contents.instances.At(seat).instance;
    const RestingInstance resting = residents.Resting(instance);
    began_[instance] = resting.state;
    if (resting.state == nullptr) continue;
    const bool is_read_there = resting.state->placed != nullptr;
    auto image = std::make_shared<LaneImage>(StartOfCall(form, contents.shape(), resting.state));
    image->left_as = resting.left_as;
    bytes += is_read_there ? image->bytes() / kReadThereShare : image->bytes();
    places.push_back({seat, std::move(image)});
    if (bytes < kBytesAtOnce) continue;
    WB_TRY(ImportStates(device, places, contents, refused));
    places.clear();
    bytes = 0;
  }
  if (!places.empty()) WB_TRY(ImportStates(device, places, contents, refused));
  return refused;
}

std::optional<EndedState> ResidentSeats::EndedOf(const LoweredModule& module, uint64_t instance,
                                                 LaneImage image) const {
  EndedState ended;
  ended.left_as = image.left_as;
  if (!image.is_change) {
    Result<ResidentState> state = RestingStateOf(module, std::move(image));
    if (!state.ok()) return std::nullopt;
    ended.whole = std::make_shared<const ResidentState>(std::move(state).value());
    return ended;
  }
  const auto began = began_.find(instance);
  if (began == began_.end() || began->second == nullptr) return std::nullopt;
  Result<ResidentChange> change = ChangeOf(module, *began->second, std::move(image));
  if (!change.ok()) return std::nullopt;
  ended.base = began->second;
  ended.change = std::move(change).value();
  return ended;
}

Status ResidentSeats::Export(Device& device, const LoweredModule& module, SeatContents& contents) {
  const std::vector<uint32_t> seats = SeatsThatEnded(contents);
  for (std::span<const uint32_t> left = seats; !left.empty();) {
    const std::span<const uint32_t> some = FirstImages(module.layout, contents, left);
    WB_ASSIGN(std::vector<std::optional<LaneImage>> images,
              device.ExportLanes(*contents.dispatch, some));
    for (size_t i = 0; i < some.size(); ++i) {
      if (i >= images.size() || !images[i]) return UnsoundRecord(device.info().id);
      const uint64_t instance = contents.instances.At(some[i]).instance;
      std::optional<EndedState> ended = EndedOf(module, instance, *std::move(images[i]));
      if (!ended) return UnsoundRecord(device.info().id);
      ended_[instance] = *std::move(ended);
    }
    left = left.subspan(some.size());
  }
  return {};
}

void ResidentSeats::Keep(std::span<const uint64_t> instances, ResidentInstances& residents) {
  for (const uint64_t instance : instances) {
    began_.erase(instance);
    const auto at = ended_.find(instance);
    if (at == ended_.end()) continue;
    residents.End(instance, std::move(at->second));
    ended_.erase(at);
  }
}

}  // namespace wb
