#include "client/cli/run/item_list.h"

#include <algorithm>
#include <utility>

namespace wb::cli {

std::optional<size_t> ItemList::ColumnNamed(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<size_t>(at - names.begin());
}

void ItemList::Keep(const std::function<bool(uint64_t)>& is_wanted) {
  size_t kept = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    if (!is_wanted(i)) continue;
    if (kept != i) {
      texts[kept] = std::move(texts[i]);
      numbers[kept] = numbers[i];
      for (auto& column : columns) column[kept] = std::move(column[i]);
    }
    ++kept;
  }
  texts.resize(kept);
  numbers.resize(kept);
  for (auto& column : columns) column.resize(kept);
}

}  // namespace wb::cli
