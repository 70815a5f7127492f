#pragma once

// HttpPost: sends JSON to one address, over a connection that it keeps. One thread at a time.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "compiler/base/status.h"

namespace wb {

struct HttpPostAnswer {
  long status = 0;                         // 0: there was no answer, and `error` says why
  std::chrono::nanoseconds retry_after{};  // that the other side asks for; 0: nothing
  std::string error;
};

class HttpPost {
 public:
  // `headers`: "NAME: VALUE". IO_ERROR: the library cannot start.
  static Result<std::unique_ptr<HttpPost>> Open(const std::string& url,
                                                const std::vector<std::string>& headers);
  ~HttpPost();
  HttpPost(const HttpPost&) = delete;
  HttpPost& operator=(const HttpPost&) = delete;

  // Takes no longer than ten seconds; ends soon once `is_unwanted` says so. What the other side
  // answers besides its status is not kept. Redirections are not followed.
  HttpPostAnswer Send(const std::string& body, const std::function<bool()>& is_unwanted);

 private:
  struct Impl;
  explicit HttpPost(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace wb
