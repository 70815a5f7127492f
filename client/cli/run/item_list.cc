#include "client/cli/run/item_list.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <utility>

#include "client/cli/program/each_file.h"

namespace wb::cli {
namespace {

constexpr uint64_t kMostItems = 10'000'000;

Status BadItems(const std::string& words) { return Status(Reason::kInvalidArgument, words); }

Status CheckOneSource(const ItemSource& source) {
  const int sources =
      static_cast<int>(!source.each.empty()) + static_cast<int>(!source.each_file.empty()) +
      static_cast<int>(source.each_line) + static_cast<int>(source.instances.has_value());
  if (sources <= 1) return {};
  return BadItems(
      "Give one of --each, --each-file, --each-line and -n: each says how many instances there "
      "are.");
}

Result<ItemList> RowsOf(const std::string& path) {
  const std::string kind = std::filesystem::path(path).extension().string();
  if (kind != ".csv" && kind != ".jsonl") {
    return BadItems("The file [" + path + "] of --each is neither .csv nor .jsonl.");
  }
  WB_ASSIGN(const std::string text, ReadFile(path));
  WB_ASSIGN(TextTable table, kind == ".csv" ? CsvTable(text) : JsonlTable(text));
  if (table.columns.empty() || table.columns[0].empty()) {
    return BadItems("The file [" + path + "] of --each has no rows.");
  }
  ItemList items;
  items.names = std::move(table.names);
  items.columns = std::move(table.columns);
  items.texts = items.columns[0];
  return items;
}

Result<ItemList> LinesOfInput() {
  WB_ASSIGN(const std::string text, ReadFile("-"));
  ItemList items;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    items.texts.push_back(std::move(line));
  }
  if (items.texts.empty()) return BadItems("Standard input has no line for --each-line.");
  return items;
}

Result<ItemList> NumbersTo(uint64_t count) {
  if (count == 0 || count > kMostItems) {
    return BadItems("The flag [-n] takes 1 to [" + std::to_string(kMostItems) + "] instances.");
  }
  ItemList items;
  for (uint64_t i = 0; i < count; ++i) items.texts.push_back(std::to_string(i));
  return items;
}

// Arguments and paths end at a NUL.
Status CheckTexts(const ItemList& items) {
  const auto check = [](const std::vector<std::string>& texts) {
    for (size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].find('\0') == std::string::npos) continue;
      return BadItems("The item [" + std::to_string(i) +
                      "] has a NUL byte, which no argument may have.");
    }
    return Status();
  };
  WB_TRY(check(items.texts));
  for (const auto& column : items.columns) WB_TRY(check(column));
  return {};
}

Result<ItemList> ItemsOf(const ItemSource& source) {
  if (!source.each.empty()) return RowsOf(source.each);
  if (source.each_line) return LinesOfInput();
  if (source.instances) return NumbersTo(*source.instances);
  ItemList items;
  items.texts = {""};
  if (source.each_file.empty()) return items;
  WB_ASSIGN(items.texts, ListEachFile(source.each_file));
  return items;
}

}  // namespace

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

Result<ItemList> ReadItems(const ItemSource& source) {
  WB_TRY(CheckOneSource(source));
  WB_ASSIGN(ItemList items, ItemsOf(source));
  items.has_source =
      source.instances || source.each_line || !source.each.empty() || !source.each_file.empty();
  if (items.size() > kMostItems) {
    return BadItems("There are [" + std::to_string(items.size()) + "] items; one run takes [" +
                    std::to_string(kMostItems) + "].");
  }
  WB_TRY(CheckTexts(items));
  items.numbers.resize(items.size());
  std::iota(items.numbers.begin(), items.numbers.end(), uint64_t{0});
  return items;
}

}  // namespace wb::cli
