#pragma once

// What an operator sees of the pipeline cache.

#include <cstdint>
#include <string>

namespace wb {

struct CacheEntry {
  std::string key;     // 64 hex digits
  std::string module;  // digest of the module, hex
  std::string target;
  uint64_t bytes = 0;
  int64_t last_used_unix_ms = 0;
};
struct CacheStats {
  uint64_t hits = 0, misses = 0, corrupt = 0, foreign = 0, evictions = 0, bytes = 0, max_bytes = 0;
};

}  // namespace wb
