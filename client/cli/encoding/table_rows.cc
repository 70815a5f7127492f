#include "client/cli/encoding/table_rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

namespace wb::cli {
namespace {

// "[a], [b]"; of many the first.
std::string Listed(const std::vector<std::string>& names) {
  constexpr size_t kMost = 20;
  std::string listed;
  for (size_t i = 0; i < names.size() && i < kMost; ++i) {
    listed += (i == 0 ? "[" : ", [") + names[i] + "]";
  }
  if (names.size() > kMost) listed += " and [" + std::to_string(names.size() - kMost) + "] more";
  return listed;
}

Status AtLine(size_t line, const std::string& words) {
  return Status(Reason::kInvalidArgument, "Line " + std::to_string(line) + " " + words + ".",
                {{"line", std::to_string(line)}});
}

// A stream whose first line can be looked at before it is read.
class Bytes {
 public:
  static constexpr int kEnd = std::istream::traits_type::eof();

  explicit Bytes(std::istream& stream) : stream_(*stream.rdbuf()) {}

  const std::string& LookAtLine() {
    for (int c = stream_.sgetc(); c != kEnd; c = stream_.snextc()) {
      ahead_ += static_cast<char>(c);
      if (c == '\n') break;
    }
    if (ahead_.ends_with('\n')) stream_.sbumpc();
    return ahead_;
  }
  int Peek() {
    return at_ < ahead_.size() ? static_cast<unsigned char>(ahead_[at_]) : stream_.sgetc();
  }
  int Get() {
    return at_ < ahead_.size() ? static_cast<unsigned char>(ahead_[at_++]) : stream_.sbumpc();
  }
  void Skip(size_t bytes) { at_ += bytes; }  // of the line that was looked at

 private:
  std::streambuf& stream_;
  std::string ahead_;
  size_t at_ = 0;
};

class Csv : public TableRows {
 public:
  explicit Csv(std::istream& stream) : bytes_(stream) {}

  Status Begin();
  Result<std::optional<Row>> Next() override;

 private:
  // Spreadsheets of many countries write semicolons, since their numbers have commas.
  static char SeparatorOf(std::string_view header);
  // One record; nullopt at the end.
  Result<std::optional<Row>> Record();
  // An empty line between records of several fields.
  bool IsBlank(const Row& record) const {
    return record.size() == 1 && record.front().empty() && names_.size() > 1;
  }

  Bytes bytes_;
  char separator_ = ',';
  size_t lines_ = 0;  // whose ends were read
};

char Csv::SeparatorOf(std::string_view header) {
  for (const char separator : {',', ';', '\t'}) {
    if (header.find(separator) != std::string_view::npos) return separator;
  }
  return ',';
}

Result<std::optional<TableRows::Row>> Csv::Record() {
  if (bytes_.Peek() == Bytes::kEnd) return std::optional<Row>();
  line_ = lines_ + 1;
  Row fields(1);
  bool quoted = false;
  for (int c = bytes_.Get(); c != Bytes::kEnd; c = bytes_.Get()) {
    if (c == '\n') ++lines_;
    if (quoted && c == '"' && bytes_.Peek() == '"') {
      fields.back() += static_cast<char>(bytes_.Get());
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      fields.back() += static_cast<char>(c);
    } else if (c == separator_) {
      fields.emplace_back();
    } else if (c == '\n') {
      break;
    } else if (c != '\r') {
      fields.back() += static_cast<char>(c);
    }
  }
  if (quoted) return AtLine(line_, "has a quote that is not closed");
  return std::optional<Row>(std::move(fields));
}

Status Csv::Begin() {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const std::string& first = bytes_.LookAtLine();
  if (first.starts_with(kByteOrderMark)) bytes_.Skip(kByteOrderMark.size());
  separator_ = SeparatorOf(first);
  WB_ASSIGN(std::optional<Row> header, Record());
  if (!header) return AtLine(1, "is missing; the CSV file is empty");
  names_ = std::move(*header);
  return {};
}

Result<std::optional<TableRows::Row>> Csv::Next() {
  std::optional<Row> record;
  do {
    WB_ASSIGN(record, Record());
  } while (record && IsBlank(*record));
  if (!record || record->size() == names_.size()) return record;
  return AtLine(line_, "has [" + std::to_string(record->size()) + "] fields; the header has [" +
                           std::to_string(names_.size()) + "]");
}

// Members in the order in which they were written: the first one is the item of a row.
using JsonObject = nlohmann::ordered_json;

// That of a line with text; nullopt of one without.
Result<std::optional<JsonObject>> ObjectOf(const std::string& line, size_t number) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return std::optional<JsonObject>();
  JsonObject object = JsonObject::parse(line, nullptr, false);
  if (!object.is_object()) return AtLine(number, "is no JSON object");
  return std::optional<JsonObject>(std::move(object));
}

Result<std::string> TextOf(const JsonObject& member, const std::string& name, size_t line) {
  if (member.is_string()) return member.get<std::string>();
  if (member.is_number()) return member.dump();
  return AtLine(line, "has a member [" + name + "] that is neither number nor text");
}

std::vector<std::string> NamesOf(const JsonObject& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) names.push_back(name);
  return names;
}

class Jsonl : public TableRows {
 public:
  explicit Jsonl(std::istream& stream) : stream_(stream) {}

  Status Begin();
  Result<std::optional<Row>> Next() override;

 private:
  // Of the next line that has one; nullopt at the end.
  Result<std::optional<JsonObject>> NextObject();

  std::istream& stream_;
  size_t lines_ = 0;
  std::optional<JsonObject> first_;  // not handed out yet
};

Result<std::optional<JsonObject>> Jsonl::NextObject() {
  std::optional<JsonObject> object;
  for (std::string line; !object && std::getline(stream_, line);) {
    WB_ASSIGN(object, ObjectOf(line, ++lines_));
  }
  return object;
}

Status Jsonl::Begin() {
  WB_ASSIGN(first_, NextObject());
  if (first_) names_ = NamesOf(*first_);
  return {};
}

Result<std::optional<TableRows::Row>> Jsonl::Next() {
  std::optional<JsonObject> object = std::exchange(first_, std::nullopt);
  if (!object) {
    WB_ASSIGN(object, NextObject());
  }
  if (!object) return std::optional<Row>();
  line_ = lines_;
  Row row;
  for (const std::string& name : names_) {
    const auto member = object->find(name);
    if (member == object->end()) {
      return AtLine(line_, "has no member [" + name + "], which the first line has");
    }
    WB_ASSIGN(std::string text, TextOf(*member, name, line_));
    row.push_back(std::move(text));
  }
  return std::optional<Row>(std::move(row));
}

template <typename Rows>
Result<std::unique_ptr<TableRows>> Begun(std::istream& stream) {
  auto rows = std::make_unique<Rows>(stream);
  WB_TRY(rows->Begin());
  return std::unique_ptr<TableRows>(std::move(rows));
}

}  // namespace

Result<std::unique_ptr<TableRows>> CsvRows(std::istream& stream) { return Begun<Csv>(stream); }

Result<std::unique_ptr<TableRows>> JsonlRows(std::istream& stream) { return Begun<Jsonl>(stream); }

Result<TextTable> CsvTable(const std::string& text) {
  std::istringstream stream(text);
  WB_ASSIGN(const std::unique_ptr<TableRows> rows, CsvRows(stream));
  TextTable table;
  table.names = rows->names();
  table.columns.resize(table.names.size());
  while (true) {
    WB_ASSIGN(std::optional<TableRows::Row> row, rows->Next());
    if (!row) return table;
    table.lines.push_back(rows->line());
    for (size_t i = 0; i < row->size(); ++i) table.columns[i].push_back(std::move((*row)[i]));
  }
}

Result<std::vector<std::string>> CsvColumn(const std::string& text, const std::string& name) {
  TextTable table;
  if (!text.empty()) {
    WB_ASSIGN(table, CsvTable(text));
  }
  const auto at = std::find(table.names.begin(), table.names.end(), name);
  if (at != table.names.end()) {
    return std::move(table.columns[static_cast<size_t>(at - table.names.begin())]);
  }
  return Status(Reason::kInvalidArgument,
                "The CSV file has no column [" + name + "]; it has " +
                    (text.empty() ? std::string("no line") : Listed(table.names)) + ".",
                {{"column", name}});
}

Result<std::vector<std::string>> JsonlColumn(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  std::vector<std::string> values;
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    WB_ASSIGN(const std::optional<JsonObject> object, ObjectOf(line, number));
    if (!object) continue;
    const auto member = object->find(name);
    if (member == object->end()) {
      return AtLine(number, "has no member [" + name + "]; it has " + Listed(NamesOf(*object)));
    }
    WB_ASSIGN(std::string value, TextOf(*member, name, number));
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace wb::cli
