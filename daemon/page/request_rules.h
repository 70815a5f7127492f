#pragma once

// Which requests come from the page itself, or from a program that means them. A browser also sends
// what other sites tell it to send, and takes names that others resolve to this machine. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "daemon/monitoring/http_message.h"

namespace wb {

// "a.example, b.example" as names in lower case.
std::vector<std::string> HostsOf(std::string_view setting);

// Host must be this machine, or one of `hosts`; its port may be any. nullopt: it is so.
std::optional<HttpAnswer> RefuseHost(const HttpRequest& request,
                                     const std::vector<std::string>& hosts);
// Of a call: besides, a browser must say that the page sent it, and the body must be JSON, which no
// other site can send without asking first. nullopt: it is so.
std::optional<HttpAnswer> RefuseCall(const HttpRequest& request);

}  // namespace wb
