#pragma once

// Items of a run: what each instance is for. An item is a row of a table, the path of a file, a
// line of standard input, or a number. Pure.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wb::cli {

// A part of a run's items, one behind the other.
struct ItemList {
  // False: one instance, in whose arguments braces mean themselves.
  bool has_source = false;
  bool differ = false;             // no two items of the run have the same text
  uint64_t first = 0;              // how many items of the run stand before these
  std::vector<std::string> texts;  // of each item; of a row the first field
  std::vector<uint64_t> numbers;   // of each item among all that the source has, from 0 on
  std::vector<std::string> names;  // of columns
  std::vector<std::vector<std::string>> columns;

  uint64_t size() const { return texts.size(); }
  std::optional<size_t> ColumnNamed(const std::string& name) const;
  // Leaves out the items, by their place in the list, that are unwanted.
  void Keep(const std::function<bool(uint64_t)>& is_wanted);
};

}  // namespace wb::cli
