#include "daemon/monitoring/http_message.h"

#include <algorithm>
#include <charconv>

namespace wb {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

std::string_view StatusWords(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 304: return "Not Modified";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 411: return "Length Required";
    case 413: return "Content Too Large";
    case 415: return "Unsupported Media Type";
    case 431: return "Request Header Fields Too Large";
    case 503: return "Service Unavailable";
  }
  return "Unknown";
}

bool IsPrintable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string_view WithoutBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Lines behind the first one. A header that stands there twice could mean one thing to whoever
// checks it and another to whoever follows it.
bool ReadHeaders(std::string_view lines, HttpRequest* request) {
  while (!lines.empty()) {
    const size_t end = lines.find(kLineEnd);
    const std::string_view line = lines.substr(0, end);
    lines = end == std::string_view::npos ? "" : lines.substr(end + kLineEnd.size());
    if (line.empty()) return true;
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || colon == 0) return false;
    const std::string_view name = line.substr(0, colon);
    if (!IsPrintable(name)) return false;
    const std::string value(WithoutBlanks(line.substr(colon + 1)));
    if (!request->headers.emplace(LowerCase(name), value).second) return false;
  }
  return true;
}

}  // namespace

const std::string& HttpRequest::Header(std::string_view name) const {
  static const std::string none;
  const auto at = headers.find(name);
  return at == headers.end() ? none : at->second;
}

std::optional<uint64_t> BodyLength(const HttpRequest& request) {
  if (request.headers.contains("transfer-encoding")) return std::nullopt;
  const std::string& text = request.Header("content-length");
  uint64_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return length;
}

bool HasWholeHead(std::string_view bytes) {
  return bytes.find("\r\n\r\n") != std::string_view::npos;
}

std::optional<HttpRequest> ParseHttpRequest(std::string_view head) {
  const size_t line_end = head.find(kLineEnd);
  const std::string_view line = head.substr(0, line_end);
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
  const std::string_view rest =
      line_end == std::string_view::npos ? "" : head.substr(line_end + kLineEnd.size());
  if (!ReadHeaders(rest, &request)) return std::nullopt;
  return request;
}

std::string HttpText(const HttpAnswer& answer) {
  std::string text = "HTTP/1.1 " + std::to_string(answer.status) + " ";
  text += StatusWords(answer.status);
  text += "\r\nContent-Type: " + answer.type;
  const bool whole = answer.parts == nullptr;
  text += whole ? "\r\nContent-Length: " + std::to_string(answer.body.size())
                : "\r\nTransfer-Encoding: chunked";
  text += "\r\nCache-Control: " + answer.cache;
  text += "\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n";
  text += answer.headers + "\r\n";
  return whole ? text + answer.body : text;
}

std::string HttpChunk(const HttpParts::Part& part) {
  std::string text;
  if (!part.bytes.empty()) {
    char size[17] = "";
    *std::to_chars(size, size + 16, part.bytes.size(), 16).ptr = '\0';
    text = std::string(size) + "\r\n" + part.bytes + "\r\n";
  }
  return part.last ? text + "0\r\n\r\n" : text;
}

}  // namespace wb
