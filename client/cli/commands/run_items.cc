#include "client/cli/commands/run_items.h"

#include <string>
#include <utility>
#include <vector>

namespace wb::cli {

RunItems::RunItems(const Invocation& invocation, ItemReader reader, ProgramOutput* output,
                   bool resume, const PartBounds& bounds)
    : invocation_(invocation),
      reader_(std::move(reader)),
      output_(*output),
      resume_(resume),
      bounds_(bounds) {}

void RunItems::LeaveOut(ItemList* items) {
  std::vector<bool> done;
  for (uint64_t place = 0; place < items->size(); ++place) {
    done.push_back(output_.IsDone(*items, place));
  }
  items->Keep([&done](uint64_t place) { return !done[place]; });
}

void RunItems::TellLeftOut() {
  if (seen_ == given_) return;
  invocation_.Talk(std::to_string(seen_ - given_) + " of " + std::to_string(seen_) +
                   " items are there already.");
}

Result<std::shared_ptr<const ItemList>> RunItems::Next() {
  auto items = std::make_shared<ItemList>();
  while (items->size() == 0 && !reader_.has_ended()) {
    WB_ASSIGN(*items, reader_.Next(bounds_));
    seen_ += items->size();
    WB_TRY(output_.Check(*items));
    if (resume_) LeaveOut(items.get());
    items->first = given_;
    given_ += items->size();
    if (reader_.has_ended()) TellLeftOut();
  }
  if (items->size() == 0) return std::shared_ptr<const ItemList>();
  return std::shared_ptr<const ItemList>(std::move(items));
}

}  // namespace wb::cli
