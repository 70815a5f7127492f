#pragma once

// The items of a run, a part at a time: memory holds one part, however many there are. Of files
// their paths are held, since they are sorted.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "client/cli/run/item_list.h"
#include "compiler/base/status.h"

namespace wb::cli {

// Where items come from; at most one of the first three.
struct ItemSource {
  std::string each;                   // FILE.csv or FILE.jsonl: a row
  std::string each_file;              // a pattern: a file
  bool each_line = false;             // of standard input
  std::optional<uint64_t> instances;  // without the others: how many
};

// What ends a part; it has at least one item.
struct PartBounds {
  uint64_t most_items = 1'000'000;
  uint64_t most_bytes = uint64_t{256} << 20;  // of texts and columns
};

class ItemReader {
 public:
  // `goes_on` is asked while lines of standard input are waited for; its error ends the wait.
  // INVALID_ARGUMENT for two sources or a table without rows; IO_ERROR.
  static Result<ItemReader> Open(const ItemSource& source, std::function<Status()> goes_on);

  // A list without items that says what those to come have.
  const ItemList& form() const { return form_; }
  // The next part, of which `first` is not set; no item behind the last. INVALID_ARGUMENT, with the
  // line of a table, where an item is none; IO_ERROR.
  Result<ItemList> Next(const PartBounds& bounds);
  // The last item was read.
  bool has_ended() const { return has_ended_; }

 private:
  // Adds an item; false: there are no more.
  using AddNext = std::function<Result<bool>(ItemList* to)>;

  Status OpenRows(const std::string& path);
  void OpenLines(std::function<Status()> goes_on);
  Status OpenNumbers(uint64_t count);
  Status OpenFiles(const std::string& pattern);

  ItemList form_;
  AddNext add_next_;
  std::string why_none_;  // what is wrong where the source has no item
  uint64_t number_ = 0;   // of the next item
  bool has_ended_ = false;
};

}  // namespace wb::cli
