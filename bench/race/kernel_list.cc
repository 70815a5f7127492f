#include "bench/race/kernel_list.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

namespace wb::bench {
namespace {

[[noreturn]] void Refuse(const std::string& path, const char* why) {
  std::fprintf(stderr, "[%s] %s\n", path.c_str(), why);
  std::exit(2);
}

// "race/guests/sha512.c" and ".wasm": "sha512.wasm".
std::string NameOf(const std::string& path, const std::string& ending = "") {
  const std::string name = path.substr(path.rfind('/') + 1);
  return ending.empty() ? name : name.substr(0, name.rfind('.')) + ending;
}

std::vector<HandVariant> Variants(const std::string& list) {
  std::vector<HandVariant> variants;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) {
    const size_t colon = word.find(':');
    if (colon == std::string::npos) return {};
    const int threads = std::atoi(word.c_str() + colon + 1);
    if (threads < 1 || threads > 1024) return {};
    variants.push_back({word.substr(0, colon), static_cast<uint32_t>(threads)});
  }
  return variants;
}

bool ParseKernel(const std::string& line, RaceKernel* kernel) {
  std::istringstream words(line);
  std::string function, guest, text, variants;
  uint32_t pages = 0;
  words >> kernel->name >> kernel->function >> function >> guest >> pages >> kernel->check >>
      kernel->lanes >> kernel->flops >> kernel->bytes >> text >> kernel->scratch_words >> variants;
  kernel->module = NameOf(guest, ".wasm");
  kernel->text = NameOf(text);
  kernel->variants = Variants(variants);
  return words && kernel->check > 0 && !kernel->variants.empty();
}

}  // namespace

std::vector<RaceKernel> ReadKernels(const std::string& folder) {
  const std::string path = folder + "/kernels.txt";
  std::istringstream lines(FileContents(path));
  std::vector<RaceKernel> kernels;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    RaceKernel kernel;
    if (!ParseKernel(line, &kernel)) Refuse(path, ("has a bad line: " + line).c_str());
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::string FileContents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Refuse(path, "cannot be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace wb::bench
