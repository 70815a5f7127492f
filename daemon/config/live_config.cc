#include "daemon/config/live_config.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <variant>

#include "daemon/config/setting_table.h"
#include "daemon/config/shown_settings.h"

namespace wb {
namespace {

// Where the setting lies in both. True: its values differ; with `take` the first gets the other's.
bool Differ(const Setting& setting, Config* config, Config* other, bool take) {
  return std::visit(
      [&](auto* value) {
        using Target = decltype(value);
        auto* const others = std::get<Target>(setting.target(other));
        const bool differs = *value != *others;
        if (take) *value = *others;
        return differs;
      },
      setting.target(config));
}

bool SameListeners(const Config& a, const Config& b) {
  return std::equal(a.listen.begin(), a.listen.end(), b.listen.begin(), b.listen.end(),
                    [](const ListenSetting& x, const ListenSetting& y) {
                      return x.address == y.address && x.mode == y.mode && x.role == y.role &&
                             x.tenant == y.tenant;
                    });
}

bool SameTenants(const Config& a, const Config& b) {
  return std::equal(a.tenants.begin(), a.tenants.end(), b.tenants.begin(), b.tenants.end());
}

// What the running configuration lacks of the file as it was read now.
std::map<std::string, std::string> TextsOf(const std::vector<std::string>& names,
                                           const Config& read) {
  std::map<std::string, std::string> texts;
  for (const ShownSetting& setting : ShowSettings(read)) {
    if (std::find(names.begin(), names.end(), setting.name) == names.end()) continue;
    std::string& text = texts[setting.name];  // of all tables of a name
    text += (text.empty() ? "" : ", ") + setting.value;
  }
  // Tables that the file has no more.
  for (const std::string& name : names) texts.emplace(name, "none");
  return texts;
}

}  // namespace

Reloaded Reload(const Config& running, const Config& read) {
  Reloaded reloaded;
  reloaded.config = running;
  Config source = read;
  for (const Setting& setting : SettingTable()) {
    const std::string name = NameOf(setting.info);
    const bool may_change = Reloads(name);
    if (!Differ(setting, &reloaded.config, &source, may_change)) continue;
    (may_change ? reloaded.changed : reloaded.for_restart).push_back(name);
  }
  if (running.identities != read.identities) reloaded.changed.push_back("identity");
  reloaded.config.identities = read.identities;
  if (!SameListeners(running, read)) reloaded.for_restart.push_back("listen");
  if (!SameTenants(running, read)) reloaded.for_restart.push_back("tenant");
  Config::Origins& origins = reloaded.config.origins;
  origins.reloaded.insert(reloaded.changed.begin(), reloaded.changed.end());
  origins.after_restart = TextsOf(reloaded.for_restart, read);
  return reloaded;
}

}  // namespace wb
