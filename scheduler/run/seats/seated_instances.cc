#include "scheduler/run/seats/seated_instances.h"

#include <utility>

#include "compiler/base/check.h"

namespace wb {

void SeatedInstances::Expect(const InstanceRef& like) {
  expected_.attempt = like.attempt;
  expected_.seat_class = like.seat_class;
}

InstanceRef SeatedInstances::At(uint32_t seat) const {
  WB_CHECK(Has(seat));
  if (!IsPlain(seat)) return *details_[seat];
  InstanceRef instance = expected_;
  instance.instance = words_[seat];
  return instance;
}

InstanceRef& SeatedInstances::Edit(uint32_t seat) {
  if (IsPlain(seat)) {
    details_[seat] = std::make_unique<InstanceRef>(At(seat));
    words_[seat] = kDetailed;
  }
  WB_CHECK(Has(seat));
  return *details_[seat];
}

InstanceRef SeatedInstances::Take(uint32_t seat) {
  InstanceRef instance = IsPlain(seat) ? At(seat) : std::move(Edit(seat));
  Clear(seat);
  return instance;
}

bool SeatedInstances::IsAsExpected(const InstanceRef& instance) const {
  return instance.attempt == expected_.attempt && instance.seat_class == expected_.seat_class &&
         !instance.HasState() && instance.brought == 0 && instance.room == nullptr;
}

void SeatedInstances::Put(uint32_t seat, InstanceRef instance) {
  WB_CHECK(instance.instance < kDetailed);
  if (IsAsExpected(instance)) {
    words_[seat] = instance.instance;
    return;
  }
  details_[seat] = std::make_unique<InstanceRef>(std::move(instance));
  words_[seat] = kDetailed;
}

void SeatedInstances::PutRow(std::span<const uint32_t> seats, InstanceRef first) {
  const bool plain = IsAsExpected(first);
  for (const uint32_t seat : seats) {
    if (plain) {
      words_[seat] = first.instance;
    } else {
      Put(seat, first);
    }
    ++first.instance;
  }
}

}  // namespace wb
