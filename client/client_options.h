#pragma once

// How a Client calls.

#include <chrono>

namespace wb {

struct ClientOptions {
  std::chrono::nanoseconds timeout{std::chrono::seconds(60)};  // of a unary call, retries included
  int attempts = 5;  // of a call or a stream that makes no progress
  std::chrono::nanoseconds first_pause{std::chrono::milliseconds(200)};  // doubles up to 5 s
};

}  // namespace wb
