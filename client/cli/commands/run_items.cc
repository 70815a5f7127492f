#include "client/cli/commands/run_items.h"

#include <string>
#include <utility>
#include <vector>

namespace wb::cli {

RunItems::RunItems(const Session& session, ItemReader reader, ProgramOutput* output, bool resume,
                   uint64_t most_items)
    : session_(session),
      reader_(std::move(reader)),
      output_(*output),
      resume_(resume),
      most_items_(most_items) {}

void RunItems::LeaveOut(ItemList* items) {
  std::vector<bool> done;
  for (uint64_t place = 0; place < items->size(); ++place) {
    done.push_back(output_.IsDone(*items, place));
  }
  items->Keep([&done](uint64_t place) { return !done[place]; });
}

void RunItems::TellLeftOut() {
  if (std::exchange(has_ended_, true) || seen_ == given_) return;
  session_.Talk(std::to_string(seen_ - given_) + " of " + std::to_string(seen_) +
                " items are there already.");
}

Result<std::shared_ptr<const ItemList>> RunItems::Next() {
  auto items = std::make_shared<ItemList>();
  while (items->size() == 0 && !has_ended_) {
    WB_ASSIGN(*items, reader_.Next(most_items_));
    const uint64_t read = items->size();
    WB_TRY(output_.Check(*items));
    if (resume_) LeaveOut(items.get());
    items->first = given_;
    seen_ += read;
    given_ += items->size();
    if (read < most_items_) TellLeftOut();
  }
  if (items->size() == 0) return std::shared_ptr<const ItemList>();
  return std::shared_ptr<const ItemList>(std::move(items));
}

}  // namespace wb::cli
