#include "daemon/monitoring/http_message.h"

#include <algorithm>

namespace wb {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

std::string_view StatusWords(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
  }
  return "Unknown";
}

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

bool HasWholeHead(std::string_view bytes) {
  return bytes.find("\r\n\r\n") != std::string_view::npos;
}

std::optional<HttpRequest> ParseHttpRequest(std::string_view head) {
  const std::string_view line = head.substr(0, head.find(kLineEnd));
  const size_t first = line.find(' ');
  const size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == 0 || last <= first) return std::nullopt;
  const std::string_view version = line.substr(last + 1);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return std::nullopt;
  if (!target.starts_with('/') || !IsPrintable(target)) return std::nullopt;
  const std::string_view method = line.substr(0, first);
  if (!IsPrintable(method)) return std::nullopt;
  const size_t mark = target.find('?');
  HttpRequest request;
  request.method = std::string(method);
  request.path = std::string(target.substr(0, mark));
  if (mark != std::string_view::npos) request.query = std::string(target.substr(mark + 1));
  return request;
}

std::string HttpText(const HttpAnswer& answer) {
  std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " ";
  text += StatusWords(answer.status);
  text += "\r\nContent-Type: " + answer.type;
  text += "\r\nContent-Length: " + std::to_string(answer.body.size());
  text += "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n";
  return text + answer.headers + "\r\n" + answer.body;
}

}  // namespace wb
