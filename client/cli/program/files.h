#pragma once

// Files as the client reads them: whole, and columns of CSV and JSON Lines.

#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb::cli {

Result<std::string> ReadFile(const std::string& path);  // "-": standard input; IO_ERROR
// IO_ERROR where WriteFile would fail; leaves a new file empty and an old one as it is.
Status CheckWritable(const std::string& path);
Status WriteFile(const std::string& path, std::string_view bytes);  // IO_ERROR

// The fields below the header `name` (RFC 4180: quotes, doubled quotes, line ends in quotes).
// INVALID_ARGUMENT with the line.
Result<std::vector<std::string>> CsvColumn(const std::string& text, const std::string& name);

// The member `name` of each line's object: texts as they are, numbers as written.
Result<std::vector<std::string>> JsonlColumn(const std::string& text, const std::string& name);

// All columns of a file, each with a text for each row.
struct TextTable {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> columns;
  std::vector<size_t> lines;  // of each row, from 1
};

// INVALID_ARGUMENT with the line.
Result<TextTable> CsvTable(const std::string& text);
// The members of the first line's object, which every line's must have.
Result<TextTable> JsonlTable(const std::string& text);

}  // namespace wb::cli
