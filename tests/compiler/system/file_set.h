#pragma once

// Inputs of a job with the system layer (compiler/docs/system_layer.md). Tests only.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wb::test {

// What a job gives to one instance.
struct InstanceInputs {
  std::vector<std::string> args, envs;
  std::optional<std::string> standard_input;
  std::optional<std::string> file_set;                     // an image
  std::vector<std::pair<std::string, std::string>> files;  // own ones: path, bytes
  std::vector<std::pair<std::string, std::string>> preopens = {{"/", ""}};
  std::vector<std::string> outputs;  // paths of files that are delivered
  uint64_t clock_start = 0, seed = 0, instance = 0;
  std::optional<uint64_t> draw_number;
  uint32_t scratch_bytes = 1 << 20;
};

std::string Configuration(const InstanceInputs& inputs);

// An image of these files (path, bytes); a path that ends with a slash is an empty directory.
std::string FileSet(const std::map<std::string, std::string>& files);

}  // namespace wb::test
