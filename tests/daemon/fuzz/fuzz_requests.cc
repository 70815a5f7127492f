// Calls with requests that were changed field by field, or are no messages: none is answered with
// INTERNAL or UNKNOWN, every stream ends, and the services answer afterwards. libFuzzer's entry;
// with WB_FUZZ=ON.

#include <algorithm>
#include <cstring>
#include <string>

#include "daemon/process/log.h"
#include "tests/daemon/fuzz/call_mutator.h"
#include "tests/daemon/fuzz/found.h"
#include "tests/daemon/fuzz/request_world.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  wb::SetUpLog({"error", "text"});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                          unsigned int seed) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string changed = wb::MutateCalls(input, seed, wb::ChangeByFuzzer);
  const size_t kept = std::min(changed.size(), max_size);
  std::memcpy(data, changed.data(), kept);
  return kept;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  wb::RequestWorld world;
  const std::string wrong = world.Run(wb::DecodeCalls({reinterpret_cast<const char*>(data), size}));
  if (!wrong.empty()) wb::FoundByFuzzer(wrong);
  return 0;
}
