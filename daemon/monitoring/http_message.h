#pragma once

// Requests and answers of HTTP/1.1 as far as the pages need them: GET without a body, one request
// on a connection. Pure.

#include <optional>
#include <string>
#include <string_view>

namespace wb {

struct HttpRequest {
  std::string method;
  std::string path;   // "/readyz"
  std::string query;  // "verbose", without the question mark
};

struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string type = "text/plain; charset=utf-8";
  std::string headers = {};  // further ones, each with its line end
};

// Whether the head of the request is there as a whole.
bool HasWholeHead(std::string_view bytes);
// The first line of the head; nullopt: it is none of HTTP/1.
std::optional<HttpRequest> ParseHttpRequest(std::string_view head);

// As it goes over the wire; the connection is closed behind it.
std::string HttpText(const HttpAnswer& answer);

}  // namespace wb
