#pragma once

// CSV and JSON Lines: their rows, one after the other, so that a table need not fit in memory; one
// column; or all of it.

#include <cstddef>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb::cli {

class TableRows {
 public:
  using Row = std::vector<std::string>;

  virtual ~TableRows() = default;
  const std::vector<std::string>& names() const { return names_; }
  // A text for each name; nullopt at the end. INVALID_ARGUMENT with the line.
  virtual Result<std::optional<Row>> Next() = 0;
  size_t line() const { return line_; }  // of the last row, from 1

 protected:
  std::vector<std::string> names_;
  size_t line_ = 0;
};

// The fields below a header (RFC 4180: quotes, doubled quotes, line ends in quotes). Fields may be
// separated by semicolons or tabs, which the header shows. The stream must outlive the rows.
Result<std::unique_ptr<TableRows>> CsvRows(std::istream& stream);

// The members of the first line's object, which every line's must have: texts as they are, numbers
// as written. No names: there is no line. The stream must outlive the rows.
Result<std::unique_ptr<TableRows>> JsonlRows(std::istream& stream);

// The fields below the header `name`. INVALID_ARGUMENT with the line.
Result<std::vector<std::string>> CsvColumn(const std::string& text, const std::string& name);

// The member `name` of each line's object.
Result<std::vector<std::string>> JsonlColumn(const std::string& text, const std::string& name);

// All columns, each with a text for each row.
struct TextTable {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> columns;
  std::vector<size_t> lines;  // of each row, from 1
};

// INVALID_ARGUMENT with the line.
Result<TextTable> CsvTable(const std::string& text);

}  // namespace wb::cli
