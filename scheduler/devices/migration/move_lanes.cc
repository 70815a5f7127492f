#include "scheduler/devices/migration/move_lanes.h"

#include <atomic>
#include <map>
#include <random>
#include <utility>

#include "compiler/abi/lane.h"

namespace wb {
namespace {

std::span<uint32_t> RecordOf(Dispatch& dispatch, uint32_t seat) {
  const size_t words = dispatch.shape().RecordWords();
  return dispatch.records().subspan(seat * words, words);
}

bool IsLeft(Dispatch& dispatch, uint32_t seat) {
  return seat < dispatch.shape().Seats() && IsLeftMidway(RecordOf(dispatch, seat));
}

// The instance has ended, and its lane has had no other since.
bool HasEnded(const MovingPlace& place, uint32_t seat) {
  return !place.queued && seat < place.dispatch.shape().Seats() &&
         RecordOf(place.dispatch, seat)[abi::RECORD_SEAT] == abi::SEAT_DONE;
}

// The seat was given to no other instance since the lane took it.
bool Holds(Dispatch& dispatch, const LaneWords& lane, uint32_t seat) {
  return IsLeft(dispatch, seat) &&
         RecordOf(dispatch, seat)[abi::RECORD_TURN] == lane.at(abi::LANE_TURN);
}

// Which seat is in which lane.
struct Lanes {
  std::map<uint32_t, uint32_t> of_seat;
  std::vector<uint32_t> free;  // the next one last
};

Result<Lanes> FindLanes(const MovingPlace& place) {
  Lanes lanes;
  for (uint32_t lane = place.dispatch.shape().lanes; lane-- > 0;) {
    WB_TRY(place.store.Fetch(lane, {0, abi::LANE_STAGE}));
    const LaneWords words = place.store.words(lane);
    const uint32_t seat = words.at(abi::LANE_SEAT) - 1;
    if (Holds(place.dispatch, words, seat)) {
      lanes.of_seat[seat] = lane;
    } else {
      lanes.free.push_back(lane);
    }
  }
  return lanes;
}

// No two lanes have the same, of this process or of another one.
uint64_t NextNumber() {
  static std::atomic<uint64_t> last = [] {
    std::random_device random;
    return uint64_t{random()} << 32 | random();
  }();
  const uint64_t next = ++last;
  return next != 0 ? next : ++last;
}

Status FetchAll(LaneStore& store, uint32_t lane, const std::vector<LaneRange>& ranges) {
  for (const LaneRange& range : ranges) WB_TRY(store.Fetch(lane, range));
  return {};
}

Result<std::optional<LaneImage>> TakeOutEnded(const MovingPlace& place, const LaneCodec& codec,
                                              uint32_t lane, std::span<const uint32_t> record) {
  LaneStore& store = place.store;
  const std::span<const uint32_t> base =
      place.held == nullptr ? std::span<const uint32_t>() : (*place.held)[lane].lent.words;
  const LaneMap& map = codec.map();
  WB_TRY(FetchAll(
      store, lane,
      base.empty() ? map.Rest(store.words(lane)) : map.RestOfChange(store.words(lane), base)));
  std::optional<LaneImage> image = base.empty() ? codec.TakeEnded(store.words(lane), record)
                                                : codec.TakeChange(store.words(lane), record, base);
  if (image && place.held != nullptr) {
    image->left_as = (*place.held)[lane].left_as = NextNumber();
  }
  return image;
}

Result<std::optional<LaneImage>> TakeOut(const MovingPlace& place, const LaneCodec& codec,
                                         uint32_t lane, uint32_t seat) {
  WB_TRY(place.store.Fetch(lane, codec.map().Head()));
  const std::span<const uint32_t> record = RecordOf(place.dispatch, seat);
  if (HasEnded(place, seat)) return TakeOutEnded(place, codec, lane, record);
  WB_TRY(FetchAll(place.store, lane, codec.map().Rest(place.store.words(lane))));
  return codec.Take(place.store.words(lane), record);
}

Status Put(const MovingPlace& place, const LaneCodec& codec, uint32_t lane,
           const LanePlace& which) {
  HeldWords* held = place.held == nullptr ? nullptr : &(*place.held)[lane];
  LaneCodec::PutTerms terms;
  terms.memory_is_zero = place.memory_is_zero;
  terms.held = place.queued ? which.seat + 1 : 0;
  terms.memories_are_there =
      held != nullptr && held->left_as != 0 && held->left_as == which.image->left_as;
  WB_TRY(place.store.Fetch(lane, codec.map().Head()));
  if (!terms.memories_are_there) {
    WB_TRY(FetchAll(place.store, lane, codec.map().RestOf(*which.image)));
  }
  codec.Put(*which.image, terms, place.store.words(lane), RecordOf(place.dispatch, which.seat));
  if (place.queued) RecordOf(place.dispatch, which.seat)[abi::RECORD_LANE] = lane + 1;
  place.store.RecordChanged(lane);
  if (held != nullptr) {
    *held = {which.image->lent, terms.memories_are_there ? held->left_as : 0};
  }
  return {};
}

Status CheckSeat(const MovingPlace& place, uint32_t seat) {
  const bool may = seat < place.dispatch.shape().Seats() &&
                   RecordOf(place.dispatch, seat)[abi::RECORD_SEAT] == abi::SEAT_START;
  if (may) return {};
  return Status(Reason::kInvalidArgument, "A lane is to be put in where nobody is to start.");
}

}  // namespace

void ForgetRun(Dispatch& dispatch, std::vector<HeldWords>& held) {
  for (uint32_t lane = 0; lane < held.size(); ++lane) {
    const uint32_t seat = RecordOf(dispatch, lane)[abi::RECORD_SEAT];
    if (seat == abi::SEAT_START) held[lane] = {};
    if (seat == abi::SEAT_RUNNING) held[lane].left_as = 0;
  }
}

Result<std::vector<std::optional<LaneImage>>> ExportFrom(const MovingPlace& place,
                                                         std::span<const uint32_t> seats) {
  std::vector<std::optional<LaneImage>> images(seats.size());
  if (!place.dispatch.shape().window.is_all()) return images;
  const LaneMap map(place.module, place.dispatch.shape());
  const LaneCodec codec(map);
  Lanes lanes;
  if (place.queued) {
    WB_ASSIGN(lanes, FindLanes(place));
  }
  for (size_t i = 0; i < seats.size(); ++i) {
    if (!IsLeft(place.dispatch, seats[i]) && !HasEnded(place, seats[i])) continue;
    const auto found = lanes.of_seat.find(seats[i]);
    if (place.queued && found == lanes.of_seat.end()) continue;
    const uint32_t lane = place.queued ? found->second : seats[i];
    WB_ASSIGN(images[i], TakeOut(place, codec, lane, seats[i]));
  }
  return images;
}

Result<std::vector<Status>> ImportInto(const MovingPlace& place, std::span<const LanePlace> which) {
  if (!place.dispatch.shape().window.is_all()) {
    const Status parts(Reason::kInvalidArgument, "Lanes that hold a part of memory take none in.");
    return std::vector<Status>(which.size(), parts);
  }
  const LaneMap map(place.module, place.dispatch.shape());
  const LaneCodec codec(map);
  Lanes lanes;
  if (place.queued) {
    WB_ASSIGN(lanes, FindLanes(place));
  }
  std::vector<Status> put;
  for (const LanePlace& one : which) {
    Status status = CheckSeat(place, one.seat);
    if (status.ok()) status = codec.verifier().Check(*one.image);
    if (status.ok() && place.queued && lanes.free.empty()) {
      status = Status(Reason::kNoDeviceFits, "All lanes of the dispatch hold an instance.");
    }
    if (status.ok()) {
      const uint32_t lane = place.queued ? lanes.free.back() : one.seat;
      status = place.store.MakeRoom(lane, map.PagesFor(*one.image));
      if (status.reason() == Reason::kDeviceLost) return status;
      if (status.ok()) {
        if (place.queued) lanes.free.pop_back();
        WB_TRY(Put(place, codec, lane, one));
      }
    }
    put.push_back(std::move(status));
  }
  WB_TRY(place.store.Flush());
  return put;
}

uint64_t BytesThatEnded(const std::vector<std::optional<LaneImage>>& images) {
  uint64_t bytes = 0;
  for (const std::optional<LaneImage>& image : images) {
    if (image && image->left_as != 0) bytes += image->bytes();
  }
  return bytes;
}

LaneWords WordsInGroup(uint32_t* group, uint32_t lane, MemoryLayout order) {
  const uint32_t in_group = lane % abi::GROUP_LANES;
  LaneWords words{group + in_group, abi::GROUP_LANES};
  words.in_group = in_group;
  if (order == MemoryLayout::kTiled) words.memory_tile = abi::TILE_WORDS;
  return words;
}

LaneWords HostLanes::words(uint32_t lane) {
  if (order_ == MemoryLayout::kContiguous) return {state_ + lane * lane_words_, 1};
  return WordsInGroup(state_ + lane / abi::GROUP_LANES * abi::GROUP_LANES * lane_words_, lane,
                      order_);
}

}  // namespace wb
