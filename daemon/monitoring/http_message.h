#pragma once

// Requests and answers of HTTP/1.1 as far as the pages need them: one request on a connection, a
// body of a length that is said before it, answers as a whole or in parts. Pure.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

struct HttpRequest {
  std::string method;
  std::string path;   // "/readyz"
  std::string query;  // "verbose", without the question mark
  std::map<std::string, std::string, std::less<>> headers = {};  // by name in lower case
  std::string body = {};

  const std::string& Header(std::string_view name) const;  // "": there is none
};

// What an answer says part by part. It goes when its client has gone.
class HttpParts {
 public:
  struct Part {
    std::string bytes;
    bool last = false;
  };
  using Take = std::function<void(Part part)>;
  virtual ~HttpParts() = default;
  // The next part, which `take` is given once, on any thread. It is called when the part before was
  // written, and must not block.
  virtual void Next(Take take) = 0;
};

struct HttpAnswer {
  int status = 200;
  std::string body;
  std::string type = "text/plain; charset=utf-8";
  std::string headers = {};  // further ones, each with its line end
  std::string cache = "no-store";
  std::shared_ptr<HttpParts> parts = {};  // the body comes from these; `body` is not looked at
  std::chrono::nanoseconds rest = {};     // at least so long between two parts
};

// Whether the head of the request is there as a whole.
bool HasWholeHead(std::string_view bytes);
// First line and headers; nullopt: it is no head of HTTP/1, or says a header twice.
std::optional<HttpRequest> ParseHttpRequest(std::string_view head);

// Of Content-Length; nullopt: it says none, or the body comes in parts.
std::optional<uint64_t> BodyLength(const HttpRequest& request);

// As it goes over the wire, of an answer in parts its head; the connection is closed behind it.
std::string HttpText(const HttpAnswer& answer);
// One part, as a chunk; the last one with the end behind it.
std::string HttpChunk(const HttpParts::Part& part);

}  // namespace wb
