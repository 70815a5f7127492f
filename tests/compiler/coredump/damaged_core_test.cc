#include <gtest/gtest.h>

#include <random>
#include <string>

#include "compiler/coredump/core_dump.h"
#include "tests/compiler/coredump/sample_core.h"

namespace wb {
namespace {

using test::SampleCore;

// What is read of any bytes holds together, or is refused with an offset.
void ReadDamaged(const Bytes& file) {
  const Result<CoreDump> read = ReadCore(file);
  if (!read.ok()) {
    EXPECT_EQ(read.status().reason(), Reason::kWasmMalformed);
    return;
  }
  for (const CoreFrame& frame : read->frames) EXPECT_LT(frame.instance, read->instances.size());
  for (const CoreChunk& chunk : read->chunks) {
    ASSERT_LT(chunk.memory, read->memories.size());
    EXPECT_LE(chunk.at + chunk.bytes.size(), uint64_t{read->memories[chunk.memory]} * 65536);
  }
}

TEST(DamagedCoreTest, ACutFileIsRefusedOrWhole) {
  const Bytes file = WriteCore(SampleCore());
  for (size_t size = 0; size < file.size(); ++size) {
    ReadDamaged(Bytes(file.begin(), file.begin() + static_cast<ptrdiff_t>(size)));
  }
}

TEST(DamagedCoreTest, EveryByteMayHaveAnyValue) {
  const Bytes file = WriteCore(SampleCore());
  for (size_t at = 0; at < file.size(); ++at) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      Bytes damaged = file;
      damaged[at] = static_cast<uint8_t>(value);
      ReadDamaged(damaged);
    }
  }
}

TEST(DamagedCoreTest, ManyBytesMayBeWrongAtOnce) {
  const Bytes file = WriteCore(SampleCore());
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    Bytes damaged = file;
    for (uint32_t i = 0; i < 1 + random() % 8; ++i) {
      damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
    }
    damaged.resize(1 + random() % damaged.size());
    ReadDamaged(damaged);
  }
}

// A count of four thousand million in a file of a few bytes.
TEST(DamagedCoreTest, ACountCostsNoMoreThanTheFile) {
  const Bytes file = {0,   'a', 's', 'm', 1,   0, 0, 0,   0,    19,   9,    'c',  'o',  'r', 'e',
                      's', 't', 'a', 'c', 'k', 0, 1, 't', 0xff, 0xff, 0xff, 0xff, 0x0f, 0};
  const Result<CoreDump> read = ReadCore(file);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().message().find("no core file"), std::string::npos);
}

struct Refusal {
  const char* what;
  void (*change)(CoreDump*);
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.what; }

class CoreRefusalTest : public testing::TestWithParam<Refusal> {};

TEST_P(CoreRefusalTest, SaysWhatIsWrong) {
  CoreDump core = SampleCore();
  GetParam().change(&core);
  const Result<CoreDump> read = ReadCore(WriteCore(core));
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().message().find(GetParam().what), std::string::npos)
      << read.status().message();
}

INSTANTIATE_TEST_SUITE_P(
    All, CoreRefusalTest,
    testing::Values(Refusal{"a module that is not there",
                            [](CoreDump* core) { core->instances[0].module = 2; }},
                    Refusal{"a memory or global that is not there",
                            [](CoreDump* core) { core->instances[1].memories = {2}; }},
                    Refusal{"an instance that is not there",
                            [](CoreDump* core) { core->frames[0].instance = 2; }},
                    Refusal{"does not lie in its memory",
                            [](CoreDump* core) {
                              core->chunks[1].bytes = {1, 2};
                            }},
                    Refusal{"more than 65,536 pages",
                            [](CoreDump* core) { core->memories[0] = 65537; }}));

TEST(DamagedCoreTest, AModuleIsNoCoreFile) {
  const Bytes module = {0, 'a', 's', 'm', 1, 0, 0, 0};
  const Result<CoreDump> read = ReadCore(module);
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.status().message().find("[corestack]"), std::string::npos);
}

}  // namespace
}  // namespace wb
