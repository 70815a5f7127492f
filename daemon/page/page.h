#pragma once

// The live page: its files, and calls of the services (bridge.h), on the listener of
// metrics.address. What it may show is up to the services: it has no data of its own.

#include <memory>
#include <string>
#include <vector>

#include "daemon/config/config.h"
#include "daemon/identity/origin.h"
#include "daemon/monitoring/http_server.h"
#include "daemon/page/bridge.h"
#include "daemon/page/page_files.h"

namespace wb {

// Whether the configuration asks for it: enabled, and on a listener of TCP. Programs on a Unix
// socket have gRPC, which knows their users.
bool HasPage(const Config& config);
// Where its calls come from: nobody who is known, with the role of page.role.
Origin PageOrigin(const Config& config);
// Bounds of the listener with the page: a module comes as text in a body.
HttpLimits PageLimits(const Config& config);

class Page {
 public:
  Page(std::vector<std::string> hosts, Bridge::Connect connect, std::span<const PageFile> files);

  // All paths but those of monitoring; on the HTTP server's thread.
  void Serve(HttpRequest request, const HttpReply& reply);

 private:
  HttpAnswer File(const HttpRequest& request) const;

  const std::vector<std::string> hosts_;
  const std::span<const PageFile> files_;
  Bridge bridge_;
};

}  // namespace wb
