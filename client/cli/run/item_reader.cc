#include "client/cli/run/item_reader.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "client/cli/encoding/table_rows.h"
#include "client/cli/program/each_file.h"
#include "client/cli/program/files.h"
#include "client/cli/run/input_lines.h"

namespace wb::cli {
namespace {

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

// Arguments and paths end at a NUL.
Status CheckText(const std::string& text, uint64_t number) {
  if (text.find('\0') == std::string::npos) return {};
  return BadItems("The item [" + std::to_string(number) +
                  "] has a NUL byte, which no argument may have.");
}

// A table and the stream it is read from.
struct OpenTable {
  std::ifstream stream;
  std::unique_ptr<TableRows> rows;
};

}  // namespace

Status ItemReader::OpenRows(const std::string& path) {
  const std::string kind = std::filesystem::path(path).extension().string();
  if (kind != ".csv" && kind != ".jsonl") {
    return BadItems("The file [" + path + "] of --each is neither .csv nor .jsonl.");
  }
  auto table = std::make_shared<OpenTable>();
  WB_ASSIGN(table->stream, OpenFile(path));
  WB_ASSIGN(table->rows, kind == ".csv" ? CsvRows(table->stream) : JsonlRows(table->stream));
  form_.names = table->rows->names();
  why_none_ = "The file [" + path + "] of --each has no rows.";
  if (form_.names.empty()) return BadItems(why_none_);
  form_.columns.resize(form_.names.size());
  add_next_ = [table, path](ItemList* to) -> Result<bool> {
    WB_ASSIGN(std::optional<TableRows::Row> row, table->rows->Next());
    if (table->stream.bad()) return Status(Reason::kIoError, "The file [" + path + "] ends early.");
    if (!row) return false;
    to->texts.push_back(row->front());
    for (size_t i = 0; i < row->size(); ++i) to->columns[i].push_back(std::move((*row)[i]));
    return true;
  };
  return {};
}

void ItemReader::OpenLines(std::function<Status()> goes_on) {
  auto lines = std::make_shared<InputLines>(STDIN_FILENO, std::move(goes_on));
  why_none_ = "Standard input has no line for --each-line.";
  add_next_ = [lines](ItemList* to) -> Result<bool> {
    WB_ASSIGN(std::optional<std::string> line, lines->Next());
    if (line) to->texts.push_back(std::move(*line));
    return line.has_value();
  };
}

Status ItemReader::OpenNumbers(uint64_t count) {
  if (count == 0) return BadItems("The flag [-n] takes at least [1] instance.");
  form_.differ = true;
  add_next_ = [count, next = uint64_t{0}](ItemList* to) mutable -> Result<bool> {
    if (next == count) return false;
    to->texts.push_back(std::to_string(next++));
    return true;
  };
  return {};
}

Status ItemReader::OpenFiles(const std::string& pattern) {
  WB_ASSIGN(std::vector<std::string> paths, ListEachFile(pattern));
  form_.differ = true;
  add_next_ = [paths = std::move(paths), next = size_t{0}](ItemList* to) mutable -> Result<bool> {
    if (next == paths.size()) return false;
    to->texts.push_back(std::move(paths[next++]));
    return true;
  };
  return {};
}

Result<ItemReader> ItemReader::Open(const ItemSource& source, std::function<Status()> goes_on) {
  WB_TRY(CheckOneSource(source));
  ItemReader reader;
  reader.form_.has_source = true;
  if (!source.each.empty()) {
    WB_TRY(reader.OpenRows(source.each));
  } else if (source.each_line) {
    reader.OpenLines(std::move(goes_on));
  } else if (source.instances) {
    WB_TRY(reader.OpenNumbers(*source.instances));
  } else if (!source.each_file.empty()) {
    WB_TRY(reader.OpenFiles(source.each_file));
  } else {
    reader.form_.has_source = false;
    reader.add_next_ = [is_done = false](ItemList* to) mutable -> Result<bool> {
      if (std::exchange(is_done, true)) return false;
      to->texts.emplace_back();
      return true;
    };
  }
  return reader;
}

Result<ItemList> ItemReader::Next(const PartBounds& bounds) {
  ItemList items = form_;
  for (uint64_t bytes = 0; items.size() < bounds.most_items && bytes < bounds.most_bytes;
       ++number_) {
    WB_ASSIGN(const bool has_more, add_next_(&items));
    has_ended_ = !has_more;
    if (has_ended_) break;
    WB_TRY(CheckText(items.texts.back(), number_));
    bytes += items.texts.back().size();
    for (const auto& column : items.columns) {
      WB_TRY(CheckText(column.back(), number_));
      bytes += column.back().size();
    }
    items.numbers.push_back(number_);
  }
  if (number_ == 0) return BadItems(why_none_);
  return items;
}

}  // namespace wb::cli
