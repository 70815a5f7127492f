// The heap of the layer by calloc, so that a sanitizer sees every access outside a block, and a
// Release with another size than was allocated stops the test.

#include <cstdlib>
#include <map>

extern "C" {
#include "compiler/system/wasi/heap.h"
}
#include "tests/compiler/system/host.h"

namespace {

std::map<void*, size_t>& Blocks() {
  static auto* blocks = new std::map<void*, size_t>;  // what is left at the end is no leak
  return *blocks;
}

}  // namespace

extern "C" {

void* Allocate(size_t bytes) {
  size_t& left = wb::test::TheHost().memory_left;
  if (bytes > left) return nullptr;
  left -= bytes;
  void* block = std::calloc(1, bytes == 0 ? 1 : bytes);
  Blocks()[block] = bytes;
  return block;
}

void Release(void* block, size_t bytes) {
  if (block == nullptr) return;
  const auto found = Blocks().find(block);
  if (found == Blocks().end() || found->second != bytes) std::abort();
  Blocks().erase(found);
  wb::test::TheHost().memory_left += bytes;
  std::free(block);
}
}
