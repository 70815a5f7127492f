#include "daemon/config/shown_settings.h"

#include <chrono>
#include <cstdio>
#include <utility>
#include <variant>

#include "daemon/config/default_config.h"
#include "daemon/config/units.h"

namespace wb {
namespace {

std::string NumberText(SettingKind kind, uint64_t number) {
  if (kind == SettingKind::kBytes) return ByteSizeText(number);
  if (kind == SettingKind::kTime) return DurationText(static_cast<int64_t>(number));
  return std::to_string(number);
}

std::string OriginOf(const std::string& name, const Config::Origins& origins) {
  if (origins.reloaded.contains(name)) return "reloaded";
  if (origins.flags.contains(name)) return "flag";
  return origins.file_settings.contains(name) ? "file" : "default";
}

std::string ListenText(const ListenSetting& listen) {
  std::string text = listen.address.ToString();
  if (listen.address.kind == ListenAddress::Kind::kUnix) {
    char mode[16];
    std::snprintf(mode, sizeof(mode), " mode=0o%o", listen.mode);
    text += mode;
  }
  if (listen.role != Role::kNone) text += " role=" + std::string(RoleName(listen.role));
  if (!listen.tenant.empty()) text += " tenant=" + listen.tenant;
  return text;
}

std::string IdentityText(const Config::Identity& identity) {
  std::string text;
  if (!identity.user.empty()) text = "user=" + identity.user;
  if (!identity.group.empty()) text = "group=" + identity.group;
  if (!identity.certificate.empty()) text = "certificate=" + identity.certificate;
  if (identity.tenant) text += " tenant=" + *identity.tenant;
  return text + " role=" + std::string(RoleName(identity.role));
}

std::string TenantText(const std::string& name, const Config::Tenant& tenant) {
  return name + " weight=" + std::to_string(tenant.weight) +
         " max_running_jobs=" + std::to_string(tenant.max_running_jobs) +
         " max_jobs=" + std::to_string(tenant.max_jobs) +
         " max_memory_bytes=" + ByteSizeText(tenant.max_memory_bytes);
}

// The tables, which have no row in settings.def.
std::vector<std::pair<std::string, std::string>> TablesOf(const Config& config) {
  std::vector<std::pair<std::string, std::string>> tables;
  for (const ListenSetting& listen : config.listen)
    tables.emplace_back("listen", ListenText(listen));
  for (const auto& identity : config.identities) {
    tables.emplace_back("identity", IdentityText(identity));
  }
  for (const auto& [name, tenant] : config.tenants) {
    tables.emplace_back("tenant", TenantText(name, tenant));
  }
  return tables;
}

}  // namespace

std::string SettingText(const Setting& setting, const Config& config) {
  Config copy = config;  // settings are found in what may be changed
  const SettingTarget target = setting.target(&copy);
  if (const auto* flag = std::get_if<bool*>(&target)) return **flag ? "true" : "false";
  if (const auto* text = std::get_if<std::string*>(&target)) return **text;
  uint64_t number = 0;
  if (const auto* count = std::get_if<uint64_t*>(&target)) number = **count;
  if (const auto* time = std::get_if<int64_t*>(&target)) number = static_cast<uint64_t>(**time);
  if (const auto* time = std::get_if<std::chrono::milliseconds*>(&target)) {
    number = static_cast<uint64_t>(std::chrono::nanoseconds(**time).count());
  }
  return NumberText(setting.kind, number);
}

std::vector<ShownSetting> ShowSettings(const Config& config) {
  const Config defaults = DefaultConfig();
  const Config::Origins& origins = config.origins;
  std::vector<ShownSetting> shown;
  const auto add = [&](const std::string& name, std::string value, std::string fallback) {
    ShownSetting setting{name, std::move(value), OriginOf(name, origins), std::move(fallback)};
    setting.reloads = Reloads(name);
    const auto later = origins.after_restart.find(name);
    if (later != origins.after_restart.end()) setting.after_restart = later->second;
    shown.push_back(std::move(setting));
  };
  for (const Setting& setting : SettingTable()) {
    add(NameOf(setting.info), SettingText(setting, config), SettingText(setting, defaults));
  }
  for (auto& [name, text] : TablesOf(config)) {
    add(name, std::move(text), name == "listen" ? ListenText(defaults.listen[0]) : "");
  }
  return shown;
}

}  // namespace wb
