#include "daemon/config/config_file.h"

#include <toml++/toml.h>
#include <fstream>
#include <iterator>
#include <optional>

#include "daemon/config/cluster_settings.h"
#include "daemon/config/default_config.h"
#include "daemon/config/metrics_address.h"
#include "daemon/config/postgres_address.h"
#include "daemon/config/s3_address.h"
#include "daemon/config/setting_table.h"
#include "daemon/config/traces_endpoint.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

Status Wrong(std::string_view file, const toml::source_region& where, const std::string& words) {
  std::string place = std::string(file) + ":" + std::to_string(where.begin.line);
  return Status(Reason::kConfigInvalid, place + ": " + words, {{"at", place}});
}

// A TOML value as the text that Assign takes, if its type suits the kind.
std::optional<std::string> TextOf(SettingKind kind, const toml::node& node) {
  if (kind == SettingKind::kBool) {
    const toml::value<bool>* flag = node.as_boolean();
    if (flag == nullptr) return std::nullopt;
    return flag->get() ? "true" : "false";
  }
  const toml::value<int64_t>* number = node.as_integer();
  bool takes_number =
      kind == SettingKind::kCount || kind == SettingKind::kBytes || kind == SettingKind::kTime;
  if (number != nullptr && takes_number) return std::to_string(number->get());
  const toml::value<std::string>* text = node.as_string();
  if (text != nullptr && kind != SettingKind::kCount) return text->get();
  return std::nullopt;
}

const Setting* Find(std::string_view section, std::string_view key) {
  for (const Setting& setting : SettingTable()) {
    if (setting.info.section == section && setting.info.key == key) return &setting;
  }
  return nullptr;
}

std::string SetRole(const std::string& name, const std::string& word, Role* role) {
  const std::optional<Role> named = RoleNamed(word);
  if (!named) {
    return "The setting " + Quoted(name) + " with value " + Quoted(word) +
           " must be none, viewer, submitter, operator or admin.";
  }
  *role = *named;
  return "";
}

bool IsSection(std::string_view name) {
  for (const Setting& setting : SettingTable()) {
    if (setting.info.section == name) return true;
  }
  return false;
}

// `but`: a key that is none of its settings.
Status ReadSection(std::string_view file, std::string_view section, const toml::table& table,
                   Config* config, std::string_view but = "") {
  for (auto&& [key, node] : table) {
    if (key.str() == but) continue;
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
    config->origins.file_settings.insert(name);
    std::string problem = AssignSetting(*setting, *text, config);
    if (!problem.empty()) {
      return Wrong(
          file, node.source(),
          "The setting " + Quoted(name) + " with value " + Quoted(*text) + " " + problem + ".");
    }
  }
  return {};
}

// A key of a table that names no setting of settings.def: what is wrong with it, or nothing.
std::string SetListen(std::string_view key, const toml::node& value, ListenSetting* listen) {
  if (key == "address" && value.is_string()) {
    Result<ListenAddress> address = ParseListenAddress(value.as_string()->get());
    if (!address.ok()) return address.status().message();
    listen->address = *address;
    return "";
  }
  if (key == "mode" && value.is_integer()) {
    const int64_t mode = value.as_integer()->get();
    if (mode < 0 || mode > 0777) return "The setting [listen.mode] must lie in 0o000 to 0o777.";
    listen->mode = static_cast<uint32_t>(mode);
    return "";
  }
  if (key == "role" && value.is_string()) {
    return SetRole("listen.role", value.as_string()->get(), &listen->role);
  }
  if (key == "tenant" && value.is_string()) {
    listen->tenant = value.as_string()->get();
    return "";
  }
  return "The setting " + Quoted("listen." + std::string(key)) +
         " is not known, or not of its kind.";
}

Status ReadListen(std::string_view file, const toml::node& node, Config* config) {
  const toml::table* entry = node.as_table();
  if (entry == nullptr) {
    return Wrong(file, node.source(), "A listener is written as a table: [[listen]].");
  }
  ListenSetting listen;
  for (auto&& [key, value] : *entry) {
    const std::string problem = SetListen(key.str(), value, &listen);
    if (!problem.empty()) return Wrong(file, value.source(), problem);
  }
  if (!entry->contains("address")) {
    return Wrong(file, node.source(), "A listener needs an [address].");
  }
  config->listen.push_back(listen);
  return {};
}

std::string SetIdentity(std::string_view key, const toml::node& value, Config::Identity* identity) {
  const toml::value<std::string>* text = value.as_string();
  if (text != nullptr && key == "user") {
    identity->user = text->get();
  } else if (text != nullptr && key == "group") {
    identity->group = text->get();
  } else if (text != nullptr && key == "certificate") {
    identity->certificate = text->get();
  } else if (text != nullptr && key == "tenant") {
    identity->tenant = text->get();
  } else if (text != nullptr && key == "role") {
    return SetRole("identity.role", text->get(), &identity->role);
  } else {
    return "The setting " + Quoted("identity." + std::string(key)) +
           " is not known, or not a text.";
  }
  return "";
}

Status ReadIdentity(std::string_view file, const toml::node& node, Config* config) {
  const toml::table* entry = node.as_table();
  if (entry == nullptr) {
    return Wrong(file, node.source(), "An identity is written as a table: [[identity]].");
  }
  Config::Identity identity;
  for (auto&& [key, value] : *entry) {
    const std::string problem = SetIdentity(key.str(), value, &identity);
    if (!problem.empty()) return Wrong(file, value.source(), problem);
  }
  const int named =
      !identity.user.empty() + !identity.group.empty() + !identity.certificate.empty();
  if (named != 1) {
    return Wrong(file, node.source(),
                 "An identity needs one of [user], [group] and [certificate].");
  }
  if (!entry->contains("role")) return Wrong(file, node.source(), "An identity needs a [role].");
  config->identities.push_back(std::move(identity));
  return {};
}

Status ReadIdentities(std::string_view file, const toml::node& node, Config* config) {
  const toml::array* entries = node.as_array();
  if (entries == nullptr) {
    return Wrong(file, node.source(), "Identities are written as tables: [[identity]].");
  }
  for (const toml::node& entry : *entries) WB_TRY(ReadIdentity(file, entry, config));
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

// A tenant's own table: the settings of [tenants], where it says them.
Status ReadTenant(std::string_view file, const toml::node& node, Config* config) {
  const toml::table* entry = node.as_table();
  if (entry == nullptr) {
    return Wrong(file, node.source(), "A tenant is written as a table: [[tenant]].");
  }
  const toml::value<std::string>* name = (*entry)["name"].as_string();
  if (name == nullptr) return Wrong(file, node.source(), "A tenant needs a [name], a text.");
  // As if they stood in [tenants], into a copy: one table of names, kinds and ranges.
  Config own = *config;
  WB_TRY(ReadSection(file, "tenants", *entry, &own, "name"));
  if (config->tenants.emplace(name->get(), own.other_tenants).second) return {};
  return Wrong(file, node.source(), "The tenant " + Quoted(name->get()) + " is given twice.");
}

Status ReadTenants(std::string_view file, const toml::node& node, Config* config) {
  const toml::array* entries = node.as_array();
  if (entries == nullptr) {
    return Wrong(file, node.source(), "Tenants are written as tables: [[tenant]].");
  }
  for (const toml::node& entry : *entries) WB_TRY(ReadTenant(file, entry, config));
  return {};
}

Status CheckListeners(std::string_view file, const Config& config) {
  const Status status = CheckTls(config);
  if (status.ok()) return {};
  return Status(status.reason(), std::string(file) + ": " + status.message(),
                {{"at", std::string(file)}});
}

Status CheckAddresses(const Config& config) {
  if (!config.metrics_address.empty()) {
    WB_TRY(ParseMetricsAddress(config.metrics_address).status());
  }
  if (!config.postgres.empty()) WB_TRY(CheckPostgresAddress(config.postgres));
  WB_TRY(CheckBlobPlaces(config));
  WB_TRY(CheckCluster(config));
  return config.traces_endpoint.empty() ? Status() : CheckTracesEndpoint(config.traces_endpoint);
}

Status CheckTogether(std::string_view file, const Config& config) {
  if (const Status status = CheckAddresses(config); !status.ok()) {
    return Status(status.reason(), std::string(file) + ": " + status.message(), status.details());
  }
  const Config::Limits& low = config.default_limits;
  const Config::Limits& high = config.highest_limits;
  const char* wrong = nullptr;
  if (low.max_fuel > high.max_fuel) wrong = "limits.fuel";
  if (low.max_memory_bytes > high.max_memory_bytes) wrong = "limits.memory_bytes";
  if (low.max_stack > high.max_stack) wrong = "limits.stack_slots";
  if (low.max_output_bytes > high.max_output_bytes) wrong = "limits.output_bytes";
  if (config.max_job_results_bytes > config.max_results_bytes) wrong = "results.max_job_bytes";
  if (wrong == nullptr) return CheckListeners(file, config);
  return Status(Reason::kConfigInvalid,
                std::string(file) + ": The setting " + Quoted(wrong) +
                    " is higher than the maximum that stands beside it.",
                {{"at", std::string(file)}});
}

Status ReadTop(std::string_view file, const toml::table& top, Config* config) {
  for (auto&& [key, node] : top) {
    config->origins.file_settings.emplace(key.str());
    if (key.str() == "version") {
      if (node.as_integer() == nullptr || node.as_integer()->get() != 1) {
        return Wrong(file, node.source(), "The setting [version] must be 1.");
      }
    } else if (key.str() == "listen") {
      WB_TRY(ReadListeners(file, node, config));
    } else if (key.str() == "identity") {
      WB_TRY(ReadIdentities(file, node, config));
    } else if (key.str() == "tenant") {
      continue;  // below: what [tenants] says holds for it too, wherever that stands
    } else if (IsSection(key.str()) && node.is_table()) {
      WB_TRY(ReadSection(file, key.str(), *node.as_table(), config));
    } else {
      return Wrong(file, node.source(),
                   "The section or setting " + Quoted(key.str()) + " is not known.");
    }
  }
  const toml::node* tenants = top.get("tenant");
  return tenants == nullptr ? Status() : ReadTenants(file, *tenants, config);
}

}  // namespace

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
  Result<Config> config = ParseConfig(text, file);
  if (config.ok()) config->origins.file = file;
  return config;
}

}  // namespace wb
