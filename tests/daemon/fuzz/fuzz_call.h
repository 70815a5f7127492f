#pragma once

// What a fuzzer sends: calls of the service's methods, one after another, as bytes. Any bytes are
// such calls. Pure.

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wb {

struct FuzzCall {
  uint8_t method = 0;                 // in FuzzMethods(), modulo their number
  uint8_t caller = 0;                 // which of the world's callers, modulo their number
  std::vector<std::string> messages;  // bytes; of unary calls the first counts
};
using FuzzCalls = std::vector<FuzzCall>;

inline constexpr size_t kMostFuzzCalls = 24;
inline constexpr size_t kMostFuzzMessages = 7;  // of a call

FuzzCalls DecodeCalls(std::string_view bytes);
std::string EncodeCalls(const FuzzCalls& calls);

struct FuzzMethod {
  std::string path;  // "/wasmburst.v1.Jobs/GetJob"
  const google::protobuf::Descriptor* request = nullptr;
};
// Every method of proto/wasmburst, in an order that stays while the services do.
const std::vector<FuzzMethod>& FuzzMethods();
uint8_t FuzzMethodNumber(std::string_view path);  // there must be one

}  // namespace wb
