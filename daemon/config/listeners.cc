#include <algorithm>
#include <optional>
#include <string>

#include "daemon/config/config.h"

namespace wb {
namespace {

Status RefuseListener(std::string_view text, const std::string& why) {
  return Status(Reason::kConfigInvalid, "The listen address [" + std::string(text) + "] " + why,
                {{"address", std::string(text)}});
}

// "role=admin", "tenant=render".
Status SetFrom(std::string_view text, std::string_view part, ListenSetting* setting) {
  const size_t equals = std::min(part.find('='), part.size());
  const std::string_view key = part.substr(0, equals);
  const std::string value(part.substr(std::min(equals + 1, part.size())));
  if (key == "tenant") {
    setting->tenant = value;
    return {};
  }
  const std::optional<Role> role = RoleNamed(value);
  if (key != "role" || !role) {
    return RefuseListener(
        text,
        "may say ?role=ROLE and &tenant=TENANT; roles are none, viewer, submitter, "
        "operator and admin.");
  }
  setting->role = *role;
  return {};
}

}  // namespace

Result<ListenSetting> ParseListenSetting(std::string_view text) {
  ListenSetting setting;
  const bool is_tcp = text.starts_with("tcp://");
  const size_t mark = is_tcp ? std::min(text.find('?'), text.size()) : text.size();
  WB_ASSIGN(setting.address, ParseListenAddress(text.substr(0, mark)));
  std::string_view left = text.substr(std::min(mark + 1, text.size()));
  while (!left.empty()) {
    const size_t end = std::min(left.find('&'), left.size());
    WB_TRY(SetFrom(text, left.substr(0, end), &setting));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return setting;
}

Status CheckTls(const Config& config) {
  for (const ListenSetting& listen : config.listen) {
    if (listen.address.kind != ListenAddress::Kind::kTls) continue;
    if (config.tls_certificate.empty() || config.tls_key.empty()) {
      return RefuseListener(listen.address.ToString(),
                            "needs a certificate: set [tls] certificate and key (wasmburstctl tls "
                            "init makes them).");
    }
  }
  return {};
}

}  // namespace wb
