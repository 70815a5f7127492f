#pragma once

// SeatedInstances: which instance sits in which seat of a dispatch. Seats come by the million, and
// most instances differ from their neighbours by their number alone: those take one word each.
//
// Between launches; a seat is one thread's at a time.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scheduler/job/backlog.h"

namespace wb {

class SeatedInstances {
 public:
  explicit SeatedInstances(size_t seats) : words_(seats, kEmpty), details_(seats) {}

  size_t size() const { return words_.size(); }  // seats
  // Most of those that come now have the attempt and the class of `like`. Nobody is seated.
  void Expect(const InstanceRef& like);

  bool Has(uint32_t seat) const { return words_[seat] != kEmpty; }
  // All but its number is as expected: it has brought nothing, and has no room.
  bool IsPlain(uint32_t seat) const { return words_[seat] < kDetailed; }
  // Of a seat that is plain.
  uint64_t Number(uint32_t seat) const { return words_[seat]; }
  uint32_t expected_attempt() const { return expected_.attempt; }
  bool HasRoom(uint32_t seat) const {
    return words_[seat] == kDetailed && details_[seat]->room != nullptr;
  }

  // Of a seat that somebody has.
  InstanceRef At(uint32_t seat) const;
  InstanceRef& Edit(uint32_t seat);  // until it leaves
  InstanceRef Take(uint32_t seat);
  void Clear(uint32_t seat) {
    if (words_[seat] == kDetailed) details_[seat].reset();
    words_[seat] = kEmpty;
  }

  // Of a seat that nobody has.
  void Put(uint32_t seat, InstanceRef instance);
  // `first` and those that follow it: as many as seats.
  void PutRow(std::span<const uint32_t> seats, InstanceRef first);

 private:
  bool IsAsExpected(const InstanceRef& instance) const;

  static constexpr uint64_t kDetailed = uint64_t{1} << 63;  // the instance is in `details_`
  static constexpr uint64_t kEmpty = kDetailed + 1;

  InstanceRef expected_;
  std::vector<uint64_t> words_;  // by seat: a plain instance's number, kDetailed or kEmpty
  std::vector<std::unique_ptr<InstanceRef>> details_;  // by seat
};

}  // namespace wb
