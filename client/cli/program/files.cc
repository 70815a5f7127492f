#include "client/cli/program/files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

namespace wb::cli {
namespace {

Status Unreadable(const std::string& path, const char* verb) {
  return Status(Reason::kIoError,
                "The file [" + path + "] cannot be " + verb + " (" + std::strerror(errno) + ").",
                {{"file", path}});
}

Status AtLine(size_t line, const std::string& words) {
  return Status(Reason::kInvalidArgument, "Line " + std::to_string(line) + " " + words + ".",
                {{"line", std::to_string(line)}});
}

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

// Reads one record at a time.
class CsvReader {
 public:
  explicit CsvReader(const std::string& text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
    separator_ = SeparatorOf(std::string_view(text_).substr(at_, text_.find('\n', at_) - at_));
  }

  size_t line() const { return record_line_; }

  // Nullopt at the end; an error for a quote that is not closed.
  Result<std::optional<std::vector<std::string>>> Next() {
    std::optional<std::vector<std::string>> none;
    if (at_ >= text_.size()) return none;
    record_line_ = line_ + 1;
    std::vector<std::string> fields(1);
    bool quoted = false;
    while (at_ < text_.size()) {
      char c = text_[at_++];
      if (c == '\n') ++line_;
      if (quoted) {
        if (c == '"' && at_ < text_.size() && text_[at_] == '"') {
          fields.back() += text_[at_++];
        } else if (c == '"') {
          quoted = false;
        } else {
          fields.back() += c;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == separator_) {
        fields.emplace_back();
      } else if (c == '\n') {
        break;
      } else if (c != '\r') {
        fields.back() += c;
      }
    }
    if (quoted) return AtLine(record_line_, "has a quote that is not closed");
    return std::optional<std::vector<std::string>>(std::move(fields));
  }

 private:
  // Spreadsheets of many countries write semicolons, since their numbers have commas.
  static char SeparatorOf(std::string_view header) {
    for (const char separator : {',', ';', '\t'}) {
      if (header.find(separator) != std::string_view::npos) return separator;
    }
    return ',';
  }

  const std::string& text_;
  char separator_ = ',';
  size_t at_ = 0;
  size_t line_ = 0;
  size_t record_line_ = 0;
};

// An empty line between records of several fields.
bool IsBlank(const std::vector<std::string>& record, const std::vector<std::string>& header) {
  return record.size() == 1 && record.front().empty() && header.size() > 1;
}

Status CheckFields(const CsvReader& reader, const std::vector<std::string>& record,
                   const std::vector<std::string>& header) {
  if (record.size() == header.size()) return {};
  return AtLine(reader.line(), "has [" + std::to_string(record.size()) +
                                   "] fields; the header has [" + std::to_string(header.size()) +
                                   "]");
}

template <typename Json>
Result<std::string> MemberText(const Json& member, const std::string& name, size_t line) {
  if (member.is_string()) return member.template get<std::string>();
  if (member.is_number()) return member.dump();
  return AtLine(line, "has a member [" + name + "] that is neither number nor text");
}

}  // namespace

Result<std::string> ReadFile(const std::string& path) {
  if (path == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>());
  }
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    errno = EISDIR;
    return Unreadable(path, "read");
  }
  std::ifstream stream(path, std::ios::binary);
  if (!stream.is_open()) return Unreadable(path, "read");
  std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (stream.bad()) return Unreadable(path, "read");
  return bytes;
}

Status CheckWritable(const std::string& path) {
  std::ofstream stream(path, std::ios::binary | std::ios::app);
  if (!stream.is_open()) return Unreadable(path, "written");
  return {};
}

Status WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream stream(path, std::ios::binary | std::ios::trunc);
  stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  stream.close();
  if (!stream) return Unreadable(path, "written");
  return {};
}

Result<std::vector<std::string>> CsvColumn(const std::string& text, const std::string& name) {
  CsvReader reader(text);
  WB_ASSIGN(auto header, reader.Next());
  auto at = header ? std::find(header->begin(), header->end(), name) : decltype(header->end())();
  if (!header || at == header->end()) {
    return Status(Reason::kInvalidArgument,
                  "The CSV file has no column [" + name + "]; it has " +
                      (header ? Listed(*header) : std::string("no line")) + ".",
                  {{"column", name}});
  }
  size_t index = static_cast<size_t>(at - header->begin());
  std::vector<std::string> values;
  while (true) {
    WB_ASSIGN(auto record, reader.Next());
    if (!record) return values;
    if (IsBlank(*record, *header)) continue;
    WB_TRY(CheckFields(reader, *record, *header));
    values.push_back((*record)[index]);
  }
}

Result<std::vector<std::string>> JsonlColumn(const std::string& text, const std::string& name) {
  std::istringstream lines(text);
  std::vector<std::string> values;
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    auto object = nlohmann::json::parse(line, nullptr, false);
    if (!object.is_object()) return AtLine(number, "is no JSON object");
    auto member = object.find(name);
    if (member == object.end()) {
      std::vector<std::string> found;
      for (const auto& [key, value] : object.items()) found.push_back(key);
      return AtLine(number, "has no member [" + name + "]; it has " + Listed(found));
    }
    WB_ASSIGN(std::string value, MemberText(*member, name, number));
    values.push_back(std::move(value));
  }
  return values;
}

Result<TextTable> CsvTable(const std::string& text) {
  CsvReader reader(text);
  WB_ASSIGN(auto header, reader.Next());
  if (!header) return AtLine(1, "is missing; the CSV file is empty");
  TextTable table;
  table.names = std::move(*header);
  table.columns.resize(table.names.size());
  while (true) {
    WB_ASSIGN(auto record, reader.Next());
    if (!record) return table;
    if (IsBlank(*record, table.names)) continue;
    WB_TRY(CheckFields(reader, *record, table.names));
    table.lines.push_back(reader.line());
    for (size_t i = 0; i < record->size(); ++i) {
      table.columns[i].push_back(std::move((*record)[i]));
    }
  }
}

Result<TextTable> JsonlTable(const std::string& text) {
  std::istringstream lines(text);
  TextTable table;
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    // Members in the order in which they were written: the first one is the item.
    const auto object = nlohmann::ordered_json::parse(line, nullptr, false);
    if (!object.is_object()) return AtLine(number, "is no JSON object");
    if (table.names.empty()) {
      for (const auto& [key, value] : object.items()) table.names.push_back(key);
      table.columns.resize(table.names.size());
    }
    table.lines.push_back(number);
    for (size_t i = 0; i < table.names.size(); ++i) {
      const auto member = object.find(table.names[i]);
      if (member == object.end()) {
        return AtLine(number, "has no member [" + table.names[i] + "], which the first line has");
      }
      WB_ASSIGN(std::string value, MemberText(*member, table.names[i], number));
      table.columns[i].push_back(std::move(value));
    }
  }
  return table;
}

}  // namespace wb::cli
