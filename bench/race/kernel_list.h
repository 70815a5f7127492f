#pragma once

// The kernels of the race, as kernels.txt lists them.

#include <cstdint>
#include <string>
#include <vector>

namespace wb::bench {

struct HandVariant {
  std::string name;  // of the kernel written by hand
  uint32_t block_threads = 0;
};

struct RaceKernel {
  std::string name;
  std::string function;  // the module's export
  std::string module;    // "sha512.wasm", in the folder
  uint32_t check = 0;    // instances that every column runs
  uint32_t lanes = 0;    // that a GPU gets at most; 0: as many as it has threads
  double flops = 0;      // of an instance; 0: none worth a figure
  double bytes = 0;      // that an instance reads and writes in its arrays
  std::string text;      // "sha512.cu", in the folder
  uint32_t scratch_words = 0;
  std::vector<HandVariant> variants;
};

// Of FOLDER/kernels.txt. Ends the program with the reason where that is no such list.
std::vector<RaceKernel> ReadKernels(const std::string& folder);

// Of a file; ends the program where it cannot be read.
std::string FileContents(const std::string& path);

}  // namespace wb::bench
