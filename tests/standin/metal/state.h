#pragma once

// The stand-in's own memory behind standin.h: what its objects ask and note.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "compiler/base/bytes.h"
#include "compiler/base/digest.h"
#include "compiler/base/status.h"
#include "tests/standin/metal/standin.h"

namespace wb::standin {

inline constexpr uint64_t kRegistryId = 0x100000abc;  // of the GPU

// What a command buffer is to do besides its work.
struct Verdict {
  int64_t code = 0;  // 0: it succeeds
  double share = 1;  // of its threads that run
  std::string text;  // of the error
};
Verdict NextVerdict();

void RecordCommitted();
void RecordCompleted();
void RecordArchiveHit();
void RecordCapture();
bool TakeMemory(uint64_t bytes);  // false: there is not so much
void GiveMemory(uint64_t bytes);
uint64_t MemoryInUse();
int64_t HeldByIoKit();

// A text's object code: known, or made by clang. COMPILE_FAILED with clang's first lines.
Result<Bytes> ObjectOf(const std::string& text);
Digest KeyOf(const std::string& text);
void Know(const Digest& key, const Bytes& object);

// The GPU: one thread that does what it is given, in order.
void RunOnGpu(std::function<void()> work);

}  // namespace wb::standin
