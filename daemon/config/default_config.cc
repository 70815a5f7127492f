#include "daemon/config/default_config.h"

#include <sstream>

#include "compiler/base/check.h"
#include "daemon/config/setting_table.h"

namespace wb {
namespace {

constexpr std::string_view kDefaultListen = "unix:///run/wasmburst/wasmburstd.sock";

}  // namespace

Config DefaultConfig() {
  Config config;
  for (const Setting& setting : SettingTable()) {
    std::string problem = AssignSetting(setting, setting.info.default_text, &config);
    WB_CHECK(problem.empty());
  }
  ListenSetting listen;
  listen.address = ParseListenAddress(kDefaultListen).value();
  config.listen = {listen};
  return config;
}

std::string DefaultConfigText() {
  std::ostringstream out;
  out << "# Configuration of wasmburstd. Every setting stands here with its default.\n"
      << "# Sizes: \"64MiB\", \"20GB\". Times: \"500ms\", \"24h\". An unknown setting is refused.\n"
      << "version = 1\n\n"
      << "# Where it listens: unix:///path (with a mode), tcp://127.0.0.1:PORT and "
         "tcp://[::1]:PORT\n"
      << "# (with a role and a tenant for all callers, else these need tokens), "
         "tls://ADDRESS:PORT.\n"
      << "[[listen]]\naddress = \"" << kDefaultListen << "\"\nmode = 0o660\n";
  out << "\n# Whom callers are taken for: a user or group of this machine on a Unix socket, a "
         "client's\n"
      << "# certificate (SPIFFE URI or common name) with TLS. The first that suits decides.\n"
      << "# [[identity]]\n# group = \"operators\"\n# role = \"operator\"\n"
      << "# [[identity]]\n# certificate = \"spiffe://example.org/render\"\n"
      << "# tenant = \"render\"\n# role = \"submitter\"\n";
  out << "\n# A tenant with settings of its own; what it does not say is as in [tenants].\n"
      << "# [[tenant]]\n# name = \"render\"\n# weight = 3\n";
  std::string_view section;
  for (const Setting& setting : SettingTable()) {
    if (setting.info.section != section) {
      section = setting.info.section;
      out << "\n[" << section << "]\n";
    }
    bool bare = setting.kind == SettingKind::kBool || setting.kind == SettingKind::kCount;
    std::string quote = bare ? "" : "\"";
    out << "# " << setting.info.meaning << "\n"
        << setting.info.key << " = " << quote << setting.info.default_text << quote << "\n";
  }
  return out.str();
}

}  // namespace wb
