#include "daemon/config/live_config.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "daemon/config/setting_table.h"

namespace wb {
namespace {

constexpr std::string_view kReloaded[] = {
#define WB_RELOADED(name) name,
#include "daemon/config/reload.def"
#undef WB_RELOADED
};

bool MayChange(const std::string& name) {
  return std::any_of(std::begin(kReloaded), std::end(kReloaded), [&name](std::string_view row) {
    return row.ends_with('.') ? name.starts_with(row) : name == row;
  });
}

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

}  // namespace

Reloaded Reload(const Config& running, const Config& read) {
  Reloaded reloaded;
  reloaded.config = running;
  Config source = read;
  for (const Setting& setting : SettingTable()) {
    const std::string name =
        std::string(setting.info.section) + "." + std::string(setting.info.key);
    const bool may_change = MayChange(name);
    if (!Differ(setting, &reloaded.config, &source, may_change)) continue;
    (may_change ? reloaded.changed : reloaded.for_restart).push_back(name);
  }
  if (running.identities != read.identities) reloaded.changed.push_back("identity");
  reloaded.config.identities = read.identities;
  if (!SameListeners(running, read)) reloaded.for_restart.push_back("listen");
  if (!SameTenants(running, read)) reloaded.for_restart.push_back("tenant");
  return reloaded;
}

}  // namespace wb
