#pragma once

// The items of a run: what each instance is for. An item is a row of a table, the path of a file, a
// line of standard input, or a number.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/program/files.h"
#include "compiler/base/status.h"

namespace wb::cli {

// Where items come from; at most one of the first three.
struct ItemSource {
  std::string each;                   // FILE.csv or FILE.jsonl: a row
  std::string each_file;              // a pattern: a file
  bool each_line = false;             // of standard input
  std::optional<uint64_t> instances;  // without the others: how many
};

struct ItemList {
  // False: one instance, in whose arguments braces mean themselves.
  bool has_source = false;
  std::vector<std::string> texts;  // of each item; of a row the first field
  std::vector<uint64_t> numbers;   // of each item among all, from 0 on
  std::vector<std::string> names;  // of columns
  std::vector<std::vector<std::string>> columns;

  uint64_t size() const { return texts.size(); }
  std::optional<size_t> ColumnNamed(const std::string& name) const;
  // Leaves out the items, by their place in the list, that are unwanted.
  void Keep(const std::function<bool(uint64_t)>& is_wanted);
};

// INVALID_ARGUMENT for two sources, a table without rows, or more items than one job takes;
// IO_ERROR.
Result<ItemList> ReadItems(const ItemSource& source);

}  // namespace wb::cli
