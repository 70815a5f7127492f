#pragma once

// Reads the text format of Prometheus strictly: what it does not understand is an error.

#include <cctype>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

struct MetricText {
  std::vector<std::string> names;            // as described, in order
  std::map<std::string, std::string> types;  // by name
  std::map<std::string, double> series;      // by name{label="value",...}
  std::vector<std::string> errors;

  bool Has(const std::string& key) const { return series.count(key) > 0; }
  // -1: there is no such series.
  double Value(const std::string& key) const {
    const auto at = series.find(key);
    return at == series.end() ? -1 : at->second;
  }
};

// The length of a name or, behind it, of labels in braces; quotes may hold braces and escapes.
inline size_t LengthOfSeries(std::string_view line) {
  size_t at = 0;
  const auto in_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
  };
  while (at < line.size() && in_name(line[at])) ++at;
  if (at == 0 || at == line.size() || line[at] != '{') return at;
  bool quoted = false;
  for (++at; at < line.size(); ++at) {
    if (quoted && line[at] == '\\') {
      ++at;
    } else if (line[at] == '"') {
      quoted = !quoted;
    } else if (!quoted && line[at] == '}') {
      return at + 1;
    }
  }
  return 0;
}

inline void ReadSeries(const std::string& line, MetricText* text) {
  const size_t length = LengthOfSeries(line);
  if (length == 0 || length + 1 >= line.size() || line[length] != ' ') {
    return text->errors.push_back(line);
  }
  const std::string key = line.substr(0, length);
  const std::string number = line.substr(length + 1);
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (*end != '\0' || end == number.c_str()) return text->errors.push_back(line);
  if (!text->series.emplace(key, value).second) text->errors.push_back("twice: " + line);
}

inline void ReadDescription(const std::string& line, MetricText* text) {
  std::istringstream words(line);
  std::string mark, word, name, rest;
  words >> mark >> word >> name;
  std::getline(words, rest);
  if (rest.size() < 2) return text->errors.push_back(line);
  if (word == "HELP") {
    text->names.push_back(name);
  } else if (word == "TYPE" && !text->names.empty() && text->names.back() == name) {
    text->types[name] = rest.substr(1);
  } else {
    text->errors.push_back(line);
  }
}

inline MetricText ReadMetricText(const std::string& all) {
  MetricText text;
  if (all.empty() || all.back() != '\n') text.errors.push_back("no line end at the end");
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    if (line[0] == '#') {
      ReadDescription(line, &text);
    } else {
      ReadSeries(line, &text);
    }
  }
  return text;
}

}  // namespace wb
