#include "daemon/config.h"

#include <toml++/toml.h>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <variant>

#include "compiler/base/check.h"
#include "daemon/units.h"

namespace wb {
namespace {

constexpr int64_t kMillisecond = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;
constexpr uint64_t kMaxBytes = uint64_t{1} << 50;
constexpr std::string_view kDefaultListen = "unix:///run/wasmburst/wasmburstd.sock";

enum class Kind : uint8_t { kBool, kCount, kBytes, kTime, kText, kChoice };

using Target = std::variant<bool*, uint64_t*, int64_t*, std::string*>;

// A row of the table, and how to find its field.
struct Setting {
  SettingInfo info;
  Kind kind;
  uint64_t min;
  uint64_t max;
  Target (*target)(Config*);
};

const std::vector<Setting>& Table() {
  static const std::vector<Setting> table = {
#define WB_SETTING(section, key, member, type, fallback, low, high, meaning) \
  {{#section, #key, #type, fallback, meaning},                               \
   Kind::k##type,                                                            \
   static_cast<uint64_t>(low),                                               \
   static_cast<uint64_t>(high),                                              \
   [](Config* config) -> Target { return &config->member; }},
#include "daemon/settings.def"
#undef WB_SETTING
  };
  return table;
}

std::string Quoted(std::string_view text) { return "[" + std::string(text) + "]"; }

std::string KindWords(Kind kind) {
  switch (kind) {
    case Kind::kBool: return "true or false";
    case Kind::kCount: return "a whole number";
    case Kind::kBytes: return "a size such as \"64MiB\"";
    case Kind::kTime: return "a time such as \"500ms\"";
    case Kind::kText: return "a text";
    case Kind::kChoice: return "one of its words";
  }
  return "";
}

// The number that `text` means for this kind, if it is one.
std::optional<uint64_t> NumberOf(Kind kind, std::string_view text) {
  if (kind == Kind::kTime) {
    std::optional<int64_t> time = ParseDuration(text);
    if (!time) return std::nullopt;
    return static_cast<uint64_t>(*time);
  }
  if (kind == Kind::kBytes) return ParseByteSize(text);
  if (kind == Kind::kBool && (text == "true" || text == "false")) return text == "true" ? 1 : 0;
  if (kind == Kind::kCount && !text.empty() &&
      text.find_first_not_of("0123456789") == std::string_view::npos && text.size() < 20) {
    return std::stoull(std::string(text));
  }
  return std::nullopt;
}

// Stores `text` into the setting's field. Returns what is wrong with it, or nothing.
std::string Assign(const Setting& setting, std::string_view text, Config* config) {
  Target target = setting.target(config);
  if (setting.kind == Kind::kText || setting.kind == Kind::kChoice) {
    std::string word = "|" + std::string(text) + "|";
    bool known =
        setting.kind == Kind::kText || (text.find('|') == std::string_view::npos &&
                                        setting.info.meaning.find(word) != std::string_view::npos);
    if (!known) return "must be one of " + std::string(setting.info.meaning);
    *std::get<std::string*>(target) = std::string(text);
    return "";
  }
  std::optional<uint64_t> number = NumberOf(setting.kind, text);
  if (!number) return "is not " + KindWords(setting.kind);
  if (*number < setting.min || *number > setting.max) {
    std::string unit = setting.kind == Kind::kTime ? " nanoseconds" : "";
    return "must lie between " + std::to_string(setting.min) + " and " +
           std::to_string(setting.max) + unit;
  }
  if (auto* flag = std::get_if<bool*>(&target)) **flag = *number != 0;
  if (auto* count = std::get_if<uint64_t*>(&target)) **count = *number;
  if (auto* time = std::get_if<int64_t*>(&target)) **time = static_cast<int64_t>(*number);
  return "";
}

Status Wrong(std::string_view file, const toml::source_region& where, const std::string& words) {
  std::string place = std::string(file) + ":" + std::to_string(where.begin.line);
  return Status(Reason::kConfigInvalid, place + ": " + words, {{"at", place}});
}

// A TOML value as the text that Assign takes, if its type suits the kind.
std::optional<std::string> TextOf(Kind kind, const toml::node& node) {
  if (kind == Kind::kBool) {
    const toml::value<bool>* flag = node.as_boolean();
    if (flag == nullptr) return std::nullopt;
    return flag->get() ? "true" : "false";
  }
  const toml::value<int64_t>* number = node.as_integer();
  bool takes_number = kind == Kind::kCount || kind == Kind::kBytes || kind == Kind::kTime;
  if (number != nullptr && takes_number) return std::to_string(number->get());
  const toml::value<std::string>* text = node.as_string();
  if (text != nullptr && kind != Kind::kCount) return text->get();
  return std::nullopt;
}

const Setting* Find(std::string_view section, std::string_view key) {
  for (const Setting& setting : Table()) {
    if (setting.info.section == section && setting.info.key == key) return &setting;
  }
  return nullptr;
}

bool IsSection(std::string_view name) {
  for (const Setting& setting : Table()) {
    if (setting.info.section == name) return true;
  }
  return false;
}

Status ReadSection(std::string_view file, std::string_view section, const toml::table& table,
                   Config* config) {
  for (auto&& [key, node] : table) {
    std::string name = std::string(section) + "." + std::string(key.str());
    const Setting* setting = Find(section, key.str());
    if (setting == nullptr) {
      return Wrong(file, node.source(), "The setting " + Quoted(name) + " is not known.");
    }
    std::optional<std::string> text = TextOf(setting->kind, node);
    if (!text) {
      return Wrong(file, node.source(),
                   "The setting " + Quoted(name) + " must be " + KindWords(setting->kind) + ".");
    }
    std::string problem = Assign(*setting, *text, config);
    if (!problem.empty()) {
      return Wrong(
          file, node.source(),
          "The setting " + Quoted(name) + " with value " + Quoted(*text) + " " + problem + ".");
    }
  }
  return {};
}

Status ReadListen(std::string_view file, const toml::node& node, Config* config) {
  const toml::table* entry = node.as_table();
  if (entry == nullptr) {
    return Wrong(file, node.source(), "A listener is written as a table: [[listen]].");
  }
  ListenSetting listen;
  bool has_address = false;
  for (auto&& [key, value] : *entry) {
    if (key.str() == "address" && value.is_string()) {
      Result<ListenAddress> address = ParseListenAddress(value.as_string()->get());
      if (!address.ok()) return Wrong(file, value.source(), address.status().message());
      listen.address = *address;
      has_address = true;
    } else if (key.str() == "mode" && value.is_integer()) {
      int64_t mode = value.as_integer()->get();
      if (mode < 0 || mode > 0777) {
        return Wrong(file, value.source(), "The setting [listen.mode] must lie in 0o000 to 0o777.");
      }
      listen.mode = static_cast<uint32_t>(mode);
    } else {
      std::string name = "listen." + std::string(key.str());
      return Wrong(file, value.source(),
                   "The setting " + Quoted(name) + " is not known, or not of its kind.");
    }
  }
  if (!has_address) return Wrong(file, node.source(), "A listener needs an [address].");
  config->listen.push_back(listen);
  return {};
}

Status ReadListeners(std::string_view file, const toml::node& node, Config* config) {
  const toml::array* entries = node.as_array();
  if (entries == nullptr || entries->empty()) {
    return Wrong(file, node.source(), "Listeners are written as tables: [[listen]].");
  }
  config->listen.clear();
  for (const toml::node& entry : *entries) WB_TRY(ReadListen(file, entry, config));
  return {};
}

Status CheckTogether(std::string_view file, const Config& config) {
  const Config::Limits& low = config.default_limits;
  const Config::Limits& high = config.highest_limits;
  const char* wrong = nullptr;
  if (low.max_fuel > high.max_fuel) wrong = "limits.fuel";
  if (low.max_memory_bytes > high.max_memory_bytes) wrong = "limits.memory_bytes";
  if (low.max_stack > high.max_stack) wrong = "limits.stack_slots";
  if (low.max_output_bytes > high.max_output_bytes) wrong = "limits.output_bytes";
  if (config.max_job_results_bytes > config.max_results_bytes) wrong = "results.max_job_bytes";
  if (wrong == nullptr) return {};
  return Status(Reason::kConfigInvalid,
                std::string(file) + ": The setting " + Quoted(wrong) +
                    " is higher than the maximum that stands beside it.",
                {{"at", std::string(file)}});
}

Status ReadTop(std::string_view file, const toml::table& top, Config* config) {
  for (auto&& [key, node] : top) {
    if (key.str() == "version") {
      if (node.as_integer() == nullptr || node.as_integer()->get() != 1) {
        return Wrong(file, node.source(), "The setting [version] must be 1.");
      }
    } else if (key.str() == "listen") {
      WB_TRY(ReadListeners(file, node, config));
    } else if (IsSection(key.str()) && node.is_table()) {
      WB_TRY(ReadSection(file, key.str(), *node.as_table(), config));
    } else {
      return Wrong(file, node.source(),
                   "The section or setting " + Quoted(key.str()) + " is not known.");
    }
  }
  return {};
}

}  // namespace

const std::vector<SettingInfo>& Settings() {
  static const std::vector<SettingInfo> infos = [] {
    std::vector<SettingInfo> rows;
    for (const Setting& setting : Table()) rows.push_back(setting.info);
    return rows;
  }();
  return infos;
}

Config DefaultConfig() {
  Config config;
  for (const Setting& setting : Table()) {
    std::string problem = Assign(setting, setting.info.default_text, &config);
    WB_CHECK(problem.empty());
  }
  ListenSetting listen;
  listen.address = ParseListenAddress(kDefaultListen).value();
  config.listen = {listen};
  return config;
}

Result<Config> ParseConfig(std::string_view text, std::string_view file) {
  Config config = DefaultConfig();
  try {
    toml::table top = toml::parse(text, file);
    WB_TRY(ReadTop(file, top, &config));
  } catch (const toml::parse_error& error) {
    return Wrong(file, error.source(),
                 "The file is not TOML: " + std::string(error.description()) + ".");
  }
  WB_TRY(CheckTogether(file, config));
  return config;
}

Result<Config> LoadConfig(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  if (!stream.is_open() || stream.bad()) {
    return Status(Reason::kIoError, "The configuration file [" + file + "] cannot be read.",
                  {{"file", file}});
  }
  return ParseConfig(text, file);
}

std::string DefaultConfigText() {
  std::ostringstream out;
  out << "# Configuration of wasmburstd. Every setting stands here with its default.\n"
      << "# Sizes: \"64MiB\", \"20GB\". Times: \"500ms\", \"24h\". An unknown setting is refused.\n"
      << "version = 1\n\n"
      << "# Where it listens: unix:///path (with a mode), tcp://127.0.0.1:PORT, tcp://[::1]:PORT.\n"
      << "[[listen]]\naddress = \"" << kDefaultListen << "\"\nmode = 0o660\n";
  std::string_view section;
  for (const Setting& setting : Table()) {
    if (setting.info.section != section) {
      section = setting.info.section;
      out << "\n[" << section << "]\n";
    }
    bool bare = setting.kind == Kind::kBool || setting.kind == Kind::kCount;
    std::string quote = bare ? "" : "\"";
    out << "# " << setting.info.meaning << "\n"
        << setting.info.key << " = " << quote << setting.info.default_text << quote << "\n";
  }
  return out.str();
}

}  // namespace wb
