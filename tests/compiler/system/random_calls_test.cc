// Random calls in a row: whatever a program does, the layer answers and does not trap.

#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "tests/compiler/system/host.h"

namespace wb::test {
namespace {

std::mt19937& Random() {
  static std::mt19937 random(11);
  return random;
}

uint32_t Below(uint32_t limit) { return Random()() % limit; }

// Descriptors, addresses of paths and of room for records, counts, and what is out of all bounds.
uint32_t Word() {
  switch (Below(8)) {
    case 0: return 65536 - Below(40);
    case 1: return Random()() >> Below(32);
    case 2:
    case 3: return 1024 + 16 * Below(16);  // a path
    case 4: return 4096 + 8 * Below(64);
    default: return Below(12);
  }
}

template <typename T>
T Argument() {
  if constexpr (sizeof(T) == 4) return Word();
  switch (Below(4)) {
    case 0: return ~T{0} >> Below(64);
    case 1: return (T{1} << 29) - 1;  // all rights
    default: return Below(9000);
  }
}

using Call = std::function<void()>;

template <typename R, typename... A>
Call RandomCall(R (*call)(A...)) {
  return [call] { call(Argument<A>()...); };
}

const std::vector<Call>& Calls() {
  static const std::vector<Call> calls = {
#define WB_WASI(name, result, params) RandomCall(wasi_##name),
#include "compiler/system/wasi.def"
#undef WB_WASI
  };
  return calls;
}

void WritePaths(std::vector<uint8_t>& memory) {
  const char* paths[] = {"a",      "d",        "d/x", "d/e",   "d/e/z", "new", "d/new", "..",
                         "d/../a", "own/file", ".",   "new/n", "b",     "d/",  "/a",    "void"};
  for (uint32_t i = 0; i < 16; ++i)
    std::strcpy(reinterpret_cast<char*>(&memory[1024 + 16 * i]), paths[i]);
}

// A random call names a path with a random length, mostly one that is not its own.
void OpenSomething(Program& program) {
  const char* paths[] = {"a", "d/x", "new", "d/new", "own/file"};
  program.Open(paths[Below(5)], Below(2) * OPEN_CREATE + Below(2) * OPEN_TRUNCATE, Below(2));
  if (program.error == E_OK) program.WriteTo(3 + Below(6), std::string(Below(9000), 'w'));
}

TEST(RandomCallsTest, NoneTraps) {
  InstanceInputs inputs;
  inputs.standard_input = std::string(5000, 'i');
  inputs.args = {"prog", "argument"};
  inputs.file_set =
      FileSet({{"a", std::string(10000, 'a')}, {"d/x", "x"}, {"d/e/z", "z"}, {"void/", ""}});
  inputs.files = {{"own/file", std::string(6000, 'o')}};
  inputs.outputs = {"a", "new", "own/file"};
  inputs.scratch_bytes = 40000;
  for (int round = 0; round < 60; ++round) {
    Program program(inputs);
    if (round % 3 == 0) TheHost().memory_left = 100000 + Below(100000);
    for (int i = 0; i < 1500; ++i) {
      WritePaths(TheHost().memory);
      std::memset(TheHost().memory.data(), 0, 4);  // rooms begin anew
      try {
        if (i % 10 == 0) OpenSomething(program);
        Calls()[Below(static_cast<uint32_t>(Calls().size()))]();
      } catch (const Exited&) {
        continue;
      }
    }
    Finish();
    for (auto& [stream, bytes] : TheHost().outputs) bytes.clear();
  }
}

}  // namespace
}  // namespace wb::test
