#include "client/cli/program/lookup_file.h"

#include <sstream>
#include <vector>

#include "client/cli/encoding/table_rows.h"
#include "client/cli/program/files.h"
#include "client/cli/program/literal.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

struct LookupColumn {
  bool is_result = false;
  v1::ValueType type = v1::VALUE_TYPE_UNSPECIFIED;
};

Status WrongTable(const std::string& path, const std::string& words) {
  return Status(Reason::kInvalidArgument, "The look-up table [" + path + "]: " + words);
}

bool IsNumber(v1::ValueType type) {
  return type == v1::I32 || type == v1::I64 || type == v1::F32 || type == v1::F64;
}

Result<LookupColumn> ColumnNamed(const std::string& name, const std::string& path) {
  const size_t colon = name.find(':');
  const std::string role = name.substr(0, colon);
  const std::string type_name = colon == std::string::npos ? "" : name.substr(colon + 1);
  const v1::ValueType type = TypeNamed(type_name).value_or(v1::VALUE_TYPE_UNSPECIFIED);
  if ((role != "arg" && role != "result") || !IsNumber(type)) {
    return WrongTable(path,
                      "Line 1 has a column [" + name +
                          "]; a column is arg:TYPE or result:TYPE, of the types i32, i64, f32 and "
                          "f64, such as arg:i32,result:f64.");
  }
  return LookupColumn{role == "result", type};
}

Result<std::vector<LookupColumn>> Columns(const TextTable& table, const std::string& path) {
  std::vector<LookupColumn> columns;
  for (const std::string& name : table.names) {
    WB_ASSIGN(const LookupColumn column, ColumnNamed(name, path));
    if (!column.is_result && !columns.empty() && columns.back().is_result) {
      return WrongTable(
          path, "Line 1 has the column [" + name + "] behind a result; arguments come first.");
    }
    columns.push_back(column);
  }
  return columns;
}

Status AddRow(const TextTable& table, const std::vector<LookupColumn>& columns, size_t row,
              const std::string& path, v1::Binding::LookupRow* to) {
  for (size_t i = 0; i < columns.size(); ++i) {
    const Result<v1::Value> value = ParseValue(table.columns[i][row], columns[i].type);
    if (!value.ok()) {
      return WrongTable(path, "Line " + std::to_string(table.lines[row]) + ", column " +
                                  std::to_string(i + 1) + ": " + value.status().message());
    }
    *(columns[i].is_result ? to->add_results() : to->add_args()) = *value;
  }
  return {};
}

Status AddOtherwise(const std::string& otherwise, const std::vector<LookupColumn>& columns,
                    const std::string& path, v1::Binding::Lookup* lookup) {
  std::vector<v1::ValueType> types;
  for (const LookupColumn& column : columns) {
    if (column.is_result) types.push_back(column.type);
  }
  std::vector<std::string> texts;
  std::istringstream rest(otherwise);
  for (std::string text; std::getline(rest, text, ',');) texts.push_back(text);
  if (texts.size() != types.size()) {
    return WrongTable(path, "otherwise has [" + std::to_string(texts.size()) + "] values for [" +
                                std::to_string(types.size()) + "] results.");
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    const Result<v1::Value> value = ParseValue(texts[i], types[i]);
    if (!value.ok()) return WrongTable(path, "otherwise: " + value.status().message());
    *lookup->add_otherwise() = *value;
  }
  return {};
}

}  // namespace

Result<v1::Binding::Lookup> ParseLookup(const std::string& csv, const std::string& path,
                                        const std::string& otherwise) {
  const Result<TextTable> table = CsvTable(csv);
  if (!table.ok()) return WrongTable(path, table.status().message());
  WB_ASSIGN(const std::vector<LookupColumn> columns, Columns(*table, path));
  if (table->lines.empty()) return WrongTable(path, "There is no row below the header.");
  v1::Binding::Lookup lookup;
  for (size_t row = 0; row < table->lines.size(); ++row) {
    WB_TRY(AddRow(*table, columns, row, path, lookup.add_rows()));
  }
  if (!otherwise.empty()) WB_TRY(AddOtherwise(otherwise, columns, path, &lookup));
  return lookup;
}

}  // namespace wb::cli
