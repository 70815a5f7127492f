#include "daemon/config/traces_endpoint.h"

#include <algorithm>
#include <string>

namespace wb {
namespace {

constexpr std::string_view kSchemes[] = {"http://", "https://"};

bool IsPlain(char c) { return c > ' ' && c < 0x7f && c != '@' && c != '?' && c != '#'; }

}  // namespace

Status CheckTracesEndpoint(std::string_view text) {
  for (const std::string_view scheme : kSchemes) {
    if (!text.starts_with(scheme)) continue;
    const std::string_view rest = text.substr(scheme.size());
    const bool has_host = !rest.empty() && rest.front() != '/' && rest.front() != ':';
    if (has_host && std::all_of(rest.begin(), rest.end(), IsPlain)) return {};
  }
  return Status(Reason::kConfigInvalid,
                "The setting [traces.endpoint] is [" + std::string(text) +
                    "]; it must be the base address of an OTLP/HTTP receiver, such as "
                    "http://127.0.0.1:4318 or https://collector.example, without a password.",
                {{"setting", "traces.endpoint"}});
}

}  // namespace wb
