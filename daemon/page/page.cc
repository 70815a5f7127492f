#include "daemon/page/page.h"

#include <utility>

#include "daemon/page/request_rules.h"

namespace wb {
namespace {

// Nothing from elsewhere, no script that stands in a document, no frame around it.
constexpr const char* kPolicy =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'\r\n"
    "X-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

HttpAnswer Refused(int status, std::string words, const char* allow) {
  HttpAnswer answer{status, std::move(words)};
  answer.headers = std::string("Allow: ") + allow + "\r\n";
  return answer;
}

}  // namespace

bool HasPage(const Config& config) {
  return config.page_enabled && !config.metrics_address.empty() &&
         !config.metrics_address.starts_with("unix:");
}

Origin PageOrigin(const Config& config) {
  Origin origin;
  origin.role = RoleNamed(config.page_role).value_or(Role::kNone);
  return origin;
}

HttpLimits PageLimits(const Config& config) {
  HttpLimits limits;
  limits.connections = 32;
  limits.body_bytes = config.max_message_bytes / 3 * 4 + (size_t{64} << 10);
  limits.bodies_bytes = 3 * limits.body_bytes;
  return limits;
}

Page::Page(std::vector<std::string> hosts, Bridge::Connect connect, std::span<const PageFile> files)
    : hosts_(std::move(hosts)), files_(files), bridge_(std::move(connect)) {}

HttpAnswer Page::File(const HttpRequest& request) const {
  if (files_.empty()) {
    return {404,
            "This daemon was built without its page. Install node (18 or later) and npm, and build "
            "again (daemon/docs/page.md). There are /metrics, /livez and /readyz.\n"};
  }
  for (const PageFile& file : files_) {
    if (request.path != file.path) continue;
    HttpAnswer answer;
    answer.type = file.type;
    answer.cache = "no-cache";
    answer.headers = std::string(kPolicy) + "ETag: " + file.etag + "\r\n";
    if (request.Header("if-none-match") == file.etag) {
      answer.status = 304;
      return answer;
    }
    answer.headers += "Content-Encoding: gzip\r\n";
    answer.body.assign(file.gzip.begin(), file.gzip.end());
    return answer;
  }
  return {404, "There are /, /metrics, /livez and /readyz.\n"};
}

void Page::Serve(HttpRequest request, const HttpReply& reply) {
  if (const auto refusal = RefuseHost(request, hosts_)) return reply(*refusal);
  if (!request.path.starts_with(kCallPath)) {
    if (request.method != "GET") return reply(Refused(405, "The page answers GET alone.\n", "GET"));
    return reply(File(request));
  }
  if (request.method != "POST") return reply(Refused(405, "Calls are POST.\n", "POST"));
  if (const auto refusal = RefuseCall(request)) return reply(*refusal);
  bridge_.Call(std::move(request), reply);
}

}  // namespace wb
