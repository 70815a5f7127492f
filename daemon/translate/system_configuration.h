#pragma once

// What the system layer of a program reads first: how many arguments and files there are, its
// time, its random seed (compiler/system). Pure.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "compiler/base/bytes.h"

namespace wb {

struct SystemConfiguration {
  uint32_t args = 0;
  uint32_t environment = 0;
  uint32_t own_files = 0;
  uint64_t clock_start_ns = 0;
  uint64_t seed = 0;
  uint32_t scratch_bytes = 0;
  bool has_standard_input = false;
  bool has_files = false;
  bool has_draw_numbers = false;
  // What the program finds opened: its name for a folder, and the folder's path from the root on.
  std::vector<std::pair<std::string, std::string>> preopens;
  std::vector<std::string> output_files;
};

// The numbers of the inputs that the system layer reads; arguments begin at kFirstArgument, the
// environment follows, then path and bytes of each own file, then
// the draw number.
enum SystemInput : uint32_t { kConfiguration = 0, kStandardInput = 1, kFiles = 2 };
inline constexpr uint32_t kFirstArgument = 3;

// Its output streams: standard output, standard error, then the output files in their order.
inline constexpr uint32_t kFirstOutputFile = 3;

Bytes EncodeSystemConfiguration(const SystemConfiguration& configuration);

}  // namespace wb
