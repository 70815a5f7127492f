// Standard streams: reading, writing, and what cannot be done with them.

#include <gtest/gtest.h>

#include "tests/compiler/system/host.h"

namespace wb::test {
namespace {

InstanceInputs WithInput(std::string text) {
  InstanceInputs inputs;
  inputs.standard_input = std::move(text);
  return inputs;
}

TEST(StreamsTest, StandardInputIsReadOnInPieces) {
  Program program(WithInput("hello, world"));
  const Guest buffers = program.Buffers(std::vector<uint32_t>{3, 0, 4}), out = program.Room(4);
  ASSERT_EQ(wasi_fd_read(0, buffers, 3, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 7u);
  EXPECT_EQ(program.Text(static_cast<Guest>(program.Number(buffers)), 3), "hel");
  EXPECT_EQ(program.Text(static_cast<Guest>(program.Number(buffers + 16)), 4), "lo, ");
  EXPECT_EQ(program.ReadAll(0), "world");
  EXPECT_EQ(program.ReadAll(0), "");
}

TEST(StreamsTest, AnAbsentInputIsAtItsEnd) {
  Program program;
  EXPECT_EQ(program.ReadAll(0), "");
  Program flagged(WithInput(""));
  EXPECT_EQ(flagged.ReadAll(0), "");
}

TEST(StreamsTest, MoreThanOneMoveCanHoldIsReadAndWrittenWhole) {
  std::string text;
  for (int i = 0; i < 70000; ++i) text.push_back(static_cast<char>('a' + i % 23));
  Program program(WithInput(text));
  TheHost().memory.resize(4 * 65536);
  const Guest buffers = program.Buffers(std::vector<uint32_t>{100000}), out = program.Room(4);
  ASSERT_EQ(wasi_fd_read(0, buffers, 1, out), I32{E_OK});
  ASSERT_EQ(program.Number(out), 70000u);
  ASSERT_EQ(wasi_fd_write(1, buffers, 1, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 100000u);
  EXPECT_EQ(program.Output(1).substr(0, 70000), text);
  EXPECT_EQ(program.Output(1).size(), 100000u);
}

TEST(StreamsTest, TheBuffersOfAWriteStayTogether) {
  Program program;
  const Guest buffers = program.Buffers(std::vector<std::string>{"one ", "", "two ", "three"});
  const Guest out = program.Room(4);
  ASSERT_EQ(wasi_fd_write(1, buffers, 4, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 13u);
  EXPECT_EQ(program.Output(1), "one two three");
  ASSERT_EQ(wasi_fd_write(2, buffers, 1, out), I32{E_OK});
  EXPECT_EQ(program.Output(2), "one ");
}

TEST(StreamsTest, SeveralShortBuffersAreOneCallOfThePrimitive) {
  Program program;
  const Guest buffers = program.Buffers(std::vector<std::string>{"one ", "two ", "three"});
  const Guest out = program.Room(4);
  wasi_fd_write(1, buffers, 3, out);  // reads the configuration too
  const uint32_t before = TheHost().primitive_calls;
  wasi_fd_write(1, buffers, 3, out);
  EXPECT_EQ(TheHost().primitive_calls, before + 1);
}

TEST(StreamsTest, OverlappingBuffersAreFilledInOrder) {
  Program program(WithInput("abcdef"));
  const Guest buffers = program.Buffers(std::vector<uint32_t>{4, 2}), out = program.Room(4);
  const Guest to = static_cast<Guest>(program.Number(buffers));
  std::memcpy(TheHost().memory.data() + buffers + 8, &to, 4);
  ASSERT_EQ(wasi_fd_read(0, buffers, 2, out), I32{E_OK});
  EXPECT_EQ(program.Text(to, 4), "efcd");
}

TEST(StreamsTest, AStreamCannotBeSoughtIn) {
  Program program(WithInput("abc"));
  const Guest out = program.Room(64);
  for (I32 fd : {0u, 1u, 2u}) {
    EXPECT_EQ(wasi_fd_seek(fd, 1, SEEK_FROM_START, out), I32{E_NOTCAPABLE}) << fd;
    EXPECT_EQ(wasi_fd_seek(fd, 0, SEEK_FROM_HERE, out), I32{E_NOTCAPABLE}) << fd;
    EXPECT_EQ(wasi_fd_tell(fd, out), I32{E_NOTCAPABLE}) << fd;
    EXPECT_EQ(wasi_fd_pread(fd, 0, 0, 0, out), I32{E_NOTCAPABLE}) << fd;
    EXPECT_EQ(wasi_fd_pwrite(fd, 0, 0, 0, out), I32{E_NOTCAPABLE}) << fd;
    EXPECT_EQ(wasi_fd_filestat_set_size(fd, 1), I32{E_NOTCAPABLE}) << fd;
    EXPECT_EQ(wasi_fd_allocate(fd, 0, 1), I32{E_NOTCAPABLE}) << fd;
    EXPECT_EQ(wasi_fd_readdir(fd, out, 24, 0, out), I32{E_NOTCAPABLE}) << fd;
    EXPECT_EQ(wasi_fd_filestat_get(fd, out), I32{E_OK}) << fd;
    EXPECT_EQ(program.Number(out + 16, 1), uint64_t{TYPE_STREAM}) << fd;
  }
}

TEST(StreamsTest, AStreamGoesOneWay) {
  Program program(WithInput("abc"));
  EXPECT_EQ(program.WriteTo(0, "x"), I32{E_NOTCAPABLE});
  EXPECT_EQ(program.ReadAll(1), "errno 76");
}

TEST(StreamsTest, AClosedStreamIsClosed) {
  Program program;
  EXPECT_EQ(wasi_fd_close(1), I32{E_OK});
  EXPECT_EQ(program.WriteTo(1, "x"), I32{E_BADF});
  EXPECT_EQ(wasi_fd_close(1), I32{E_BADF});
  EXPECT_EQ(program.Open("f", OPEN_CREATE), 1u);  // the lowest that is free
}

TEST(StreamsTest, BuffersOfFourGigabytesTogetherAreRefused) {
  Program program;
  TheHost().memory.resize(16 * 65536);
  const uint32_t pieces = 4200;
  const Guest buffers = program.Room(8 * pieces), out = program.Room(4);
  const uint32_t bytes = 16 * 65536;
  for (uint32_t i = 0; i < pieces; ++i) {
    std::memcpy(TheHost().memory.data() + buffers + 8 * i + 4, &bytes, 4);
  }
  EXPECT_EQ(wasi_fd_write(1, buffers, pieces, out), I32{E_INVAL});
  EXPECT_EQ(program.Output(1), "");
}

}  // namespace
}  // namespace wb::test
