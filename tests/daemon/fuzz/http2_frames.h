#pragma once

// HTTP/2 as bytes (RFC 9113, RFC 7541), as far as a fuzzer writes it and looks at answers. Pure but
// for the random numbers, which follow from the seed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/daemon/fuzz/message_mutator.h"

namespace wb {

struct Http2Frame {
  uint8_t type = 0;
  uint8_t flags = 0;
  uint32_t stream = 0;
  std::string payload;
  // What the frame says; else the payload's length.
  bool has_own_length = false;
  uint32_t own_length = 0;
};

// The opening that HTTP/2 wants, then frames. What is no whole frame at the end is `rest`.
struct Http2Bytes {
  bool has_preface = false;
  std::vector<Http2Frame> frames;
  std::string rest;
};
Http2Bytes ParseHttp2(std::string_view bytes);
std::string Http2Text(const Http2Bytes& bytes);

// A call with one message of these bytes, which says no more.
std::vector<Http2Frame> Http2Call(uint32_t stream, const std::string& path,
                                  const std::string& message);
// Connections to begin with; each makes calls that succeed, or ends in good order.
std::vector<std::string> Http2Seeds();

// Frames changed, added, doubled, exchanged, left out or cut; lengths are right half of the time.
std::string MutateHttp2(std::string_view input, uint64_t seed,
                        const MessageMutator::ChangeBytes& change);

// How a call ended, in what a server sent. Each code once, since it is sent by number from then on.
struct Http2Status {
  int code = 0;
  bool is_ours = false;  // with the daemon's details; else gRPC itself refused the call
  std::string message;
};
std::vector<Http2Status> Http2Statuses(std::string_view answer);

}  // namespace wb
