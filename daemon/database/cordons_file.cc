#include "daemon/database/cordons_file.h"

#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "compiler/base/digest.h"
#include "daemon/database/state_file.h"
#include "daemon/process/log.h"

namespace wb {
namespace {

constexpr std::string_view kTitle = "wasmburst cordons 1\n";
constexpr std::string_view kDigest = "sha256 ";

// "ID NANOSECONDS".
bool DecodeLine(std::string_view line, std::vector<CordonRow>& rows) {
  const size_t space = line.find(' ');
  if (space == std::string_view::npos || space == 0) return false;
  const std::string_view digits = line.substr(space + 1);
  int64_t time = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), time);
  if (error != std::errc() || end != digits.data() + digits.size()) return false;
  rows.push_back({std::string(line.substr(0, space)), time});
  return true;
}

// nullopt: it is damaged.
std::optional<std::vector<CordonRow>> Decode(std::string_view text) {
  const size_t end = text.rfind(kDigest);
  if (end == std::string_view::npos || !text.starts_with(kTitle)) return std::nullopt;
  std::string_view body = text.substr(0, end);
  const std::string digest = Sha256(AsBytes(body)).Hex() + "\n";
  if (text.substr(end + kDigest.size()) != digest) return std::nullopt;
  body.remove_prefix(kTitle.size());
  std::vector<CordonRow> rows;
  while (!body.empty()) {
    const size_t line = body.find('\n');
    if (line == std::string_view::npos || !DecodeLine(body.substr(0, line), rows)) {
      return std::nullopt;
    }
    body.remove_prefix(line + 1);
  }
  return rows;
}

}  // namespace

Result<std::vector<CordonRow>> ReadCordonsFile(const std::string& folder) {
  const std::string path = folder + "/cordons";
  WB_ASSIGN(const std::optional<std::string> text, ReadStateFile(path));
  if (!text) return std::vector<CordonRow>();
  std::optional<std::vector<CordonRow>> rows = Decode(*text);
  if (rows) return *std::move(rows);
  Log(LogLevel::kError, "cordons_damaged",
      {{"path", path}, {"message", "All devices are open; close them again."}});
  return std::vector<CordonRow>();
}

}  // namespace wb
