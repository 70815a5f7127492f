// The bytes of files: reading the set, writing over it, sizes, holes, and the limit.

#include <gtest/gtest.h>

#include "tests/compiler/system/host.h"

namespace wb::test {
namespace {

std::string Pattern(size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text.push_back(static_cast<char>('a' + i * i % 25));
  return text;
}

InstanceInputs WithSet(uint32_t scratch_bytes = 1 << 20) {
  InstanceInputs inputs;
  inputs.file_set = FileSet({{"large", Pattern(30000)}, {"small", "small"}, {"empty", ""}});
  inputs.files = {{"own", "own bytes"}, {"/dir/deep/own", "deep"}, {"small2", "x"}};
  inputs.scratch_bytes = scratch_bytes;
  return inputs;
}

TEST(FilesTest, FilesOfTheSetAndOwnOnesAreRead) {
  Program program(WithSet());
  EXPECT_EQ(program.Read("large"), Pattern(30000));
  EXPECT_EQ(program.Read("small"), "small");
  EXPECT_EQ(program.Read("empty"), "");
  EXPECT_EQ(program.Read("own"), "own bytes");
  EXPECT_EQ(program.Read("dir/deep/own"), "deep");
  EXPECT_EQ(program.Read("absent"), "errno 44");
}

TEST(FilesTest, AReadOfAFileIsOneCallOfThePrimitive) {
  Program program(WithSet());
  const I32 fd = program.Open("large");
  const Guest buffers = program.Buffers(std::vector<uint32_t>{20000}), out = program.Room(4);
  const uint32_t before = TheHost().primitive_calls;
  ASSERT_EQ(wasi_fd_read(fd, buffers, 1, out), I32{E_OK});
  EXPECT_EQ(TheHost().primitive_calls, before + 1);
}

TEST(FilesTest, WritingOverAFileOfTheSetChangesTheProgramsOwnCopy) {
  Program program(WithSet());
  const I32 reader = program.Open("large");
  const I32 fd = program.Open("large");
  const Guest out = program.Room(8);
  ASSERT_EQ(wasi_fd_seek(fd, 5000, SEEK_FROM_START, out), I32{E_OK});
  ASSERT_EQ(program.WriteTo(fd, "CHANGED"), I32{E_OK});
  std::string expected = Pattern(30000);
  expected.replace(5000, 7, "CHANGED");
  EXPECT_EQ(program.ReadAll(reader, 1777), expected);
  wasi_fd_close(fd);
  wasi_fd_close(reader);
  EXPECT_EQ(program.Read("large"), expected);
}

TEST(FilesTest, WritesAcrossBlocksAreReadBack) {
  Program program(WithSet());
  const I32 fd = program.Open("new", OPEN_CREATE);
  const std::string bytes = Pattern(10000);
  for (size_t at = 0; at < bytes.size(); at += 999) {
    ASSERT_EQ(program.WriteTo(fd, std::string_view(bytes).substr(at, 999)), I32{E_OK});
  }
  EXPECT_EQ(program.Read("new"), bytes);
  const Guest out = program.Room(4), buffers = program.Buffers(std::vector<uint32_t>{10, 10});
  ASSERT_EQ(wasi_fd_pread(fd, buffers, 2, 4090, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 20u);
  EXPECT_EQ(program.Text(static_cast<Guest>(program.Number(buffers + 8)), 10),
            bytes.substr(4100, 10));
  ASSERT_EQ(wasi_fd_pread(fd, buffers, 2, 9995, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 5u);
}

TEST(FilesTest, AppendingGoesToTheEndWhereverTheOffsetIs) {
  Program program(WithSet());
  const I32 fd = program.Open("small", 0, FDFLAG_APPEND);
  ASSERT_EQ(program.WriteTo(fd, "+1"), I32{E_OK});
  const Guest out = program.Room(8), buffers = program.Buffers(std::vector<std::string>{"+2"});
  ASSERT_EQ(wasi_fd_pwrite(fd, buffers, 1, 0, out), I32{E_OK});
  EXPECT_EQ(program.Read("small"), "small+1+2");
  ASSERT_EQ(wasi_fd_tell(fd, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 8), 7u);
}

TEST(FilesTest, HolesAndCutEndsReadAsZeros) {
  Program program(WithSet());
  const I32 fd = program.Open("large");
  ASSERT_EQ(wasi_fd_filestat_set_size(fd, 5000), I32{E_OK});
  ASSERT_EQ(wasi_fd_filestat_set_size(fd, 20000), I32{E_OK});
  EXPECT_EQ(program.Read("large"), Pattern(5000) + std::string(15000, '\0'));
  const Guest out = program.Room(8);
  wasi_fd_seek(fd, 4998, SEEK_FROM_START, out);
  ASSERT_EQ(program.WriteTo(fd, "abcdef"), I32{E_OK});
  ASSERT_EQ(wasi_fd_filestat_set_size(fd, 5001), I32{E_OK});
  ASSERT_EQ(wasi_fd_allocate(fd, 5000, 10), I32{E_OK});
  EXPECT_EQ(program.Read("large"), Pattern(4998) + "abc" + std::string(9, '\0'));
  ASSERT_EQ(wasi_fd_allocate(fd, 0, 10), I32{E_OK});  // makes nothing smaller
  EXPECT_EQ(program.Read("large").size(), 5010u);
  EXPECT_EQ(wasi_fd_allocate(fd, 0, 0), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_filestat_set_size(fd, UINT64_MAX), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_filestat_set_size(fd, INT64_MAX), I32{E_FBIG});
}

TEST(FilesTest, TruncatingWhenOpenedEmptiesTheFile) {
  Program program(WithSet());
  EXPECT_EQ(program.Write("large", "now short"), I32{E_OK});
  EXPECT_EQ(program.Read("large"), "now short");
  EXPECT_EQ(program.Write("own", ""), I32{E_OK});
  EXPECT_EQ(program.Read("own"), "");
}

TEST(FilesTest, TheLimitOfWrittenFilesEndsAWriteEarlyAndThenRefusesIt) {
  Program program(WithSet(8192));
  const I32 fd = program.Open("new", OPEN_CREATE);
  const Guest buffers = program.Buffers(std::vector<uint32_t>{10000}), out = program.Room(4);
  ASSERT_EQ(wasi_fd_write(fd, buffers, 1, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 8192u);
  EXPECT_EQ(wasi_fd_write(fd, buffers, 1, out), I32{E_NOSPC});
  EXPECT_EQ(program.Write("other", "x"), I32{E_NOSPC});
  ASSERT_EQ(wasi_fd_filestat_set_size(fd, 4096), I32{E_OK});
  EXPECT_EQ(program.Write("other", "x"), I32{E_OK});  // room came back
}

TEST(FilesTest, AFileTakesWholeBlocksOfTheLimit) {
  Program program(WithSet(16 * 4096));
  const auto name = [](int i) { return "file" + std::to_string(i); };
  for (int i = 0; i < 16; ++i) ASSERT_EQ(program.Write(name(i), "x"), I32{E_OK}) << i;
  EXPECT_EQ(program.Write(name(16), "x"), I32{E_NOSPC});
  EXPECT_EQ(program.Write(name(17), ""), I32{E_OK});
  ASSERT_EQ(wasi_path_unlink_file(3, program.Put(name(0)), 5), I32{E_OK});
  EXPECT_EQ(program.Write(name(16), "x"), I32{E_OK});
}

TEST(FilesTest, ARemovedFileGivesItsRoomBackWhenItIsClosed) {
  Program program(WithSet(4096));
  const I32 fd = program.Open("one", OPEN_CREATE);
  ASSERT_EQ(program.WriteTo(fd, "one"), I32{E_OK});
  ASSERT_EQ(wasi_path_unlink_file(3, program.Put("one"), 3), I32{E_OK});
  EXPECT_EQ(program.Write("two", "two"), I32{E_NOSPC});
  const Guest out = program.Room(8);
  wasi_fd_seek(fd, 0, SEEK_FROM_START, out);
  EXPECT_EQ(program.ReadAll(fd), "one");
  ASSERT_EQ(wasi_fd_close(fd), I32{E_OK});
  EXPECT_EQ(program.Write("two", "two"), I32{E_OK});
}

TEST(FilesTest, WithoutMemoryCallsAreRefused) {
  Program program(WithSet(UINT32_MAX));
  program.Read("small");
  TheHost().memory_left = 0;
  I32 answer = E_OK;
  for (int i = 0; i < 100000 && answer == E_OK; ++i) {
    answer = program.Write("file" + std::to_string(i), "x");
  }
  EXPECT_TRUE(answer == E_NOMEM || answer == E_NOSPC) << answer;
  EXPECT_EQ(program.WriteTo(1, "still here"), I32{E_OK});
}

TEST(FilesTest, ClosedFilesOfTheSetLeaveNoMemoryBehind) {
  Program program(WithSet());
  program.Read("small");
  const size_t left = TheHost().memory_left;
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(program.Read("small"), "small");
  EXPECT_EQ(TheHost().memory_left, left);
}

TEST(FilesTest, TheStateOfAFile) {
  InstanceInputs inputs = WithSet();
  inputs.clock_start = 1'000'000;
  Program program(inputs);
  const Guest out = program.Room(64);
  const I32 fd = program.Open("small");
  ASSERT_EQ(wasi_fd_filestat_get(fd, out), I32{E_OK});
  EXPECT_EQ(program.Number(out + 16, 1), uint64_t{TYPE_REGULAR});
  EXPECT_EQ(program.Number(out + 24, 8), 1u);
  EXPECT_EQ(program.Number(out + 32, 8), 5u);
  const uint64_t number = program.Number(out + 8, 8), before = program.Number(out + 48, 8);
  TheHost().fuel = 77;
  program.WriteTo(fd, "longer");
  ASSERT_EQ(wasi_path_filestat_get(3, 0, program.Put("small"), 5, out), I32{E_OK});
  EXPECT_EQ(program.Number(out + 8, 8), number);
  EXPECT_EQ(program.Number(out + 32, 8), 6u);
  EXPECT_NE(program.Number(out + 48, 8), before);
  EXPECT_EQ(program.Number(out + 48, 8), 1'000'077u);
}

TEST(FilesTest, TheStateOfAFileInSnapshotZero) {
  InstanceInputs inputs = WithSet();
  inputs.clock_start = 1'000'000;
  Program program(inputs);
  const Guest out = program.Put(std::string(64, 'x'));
  const Guest small = program.Put("small");
  const I32 fd = program.Open("small");
  program.WriteTo(fd, "longer");
  ASSERT_EQ(wasi_fd_filestat_get(fd, out), I32{E_OK});
  const std::string now = program.Text(out, 64);
  const std::string expected = now.substr(0, 20) + std::string("\1\0\0\0", 4) + now.substr(32);
  TheHost().memory[out + 56] = 'x';
  ASSERT_EQ(wasi_unstable_fd_filestat_get(fd, out), I32{E_OK});
  EXPECT_EQ(program.Text(out, 56), expected);
  EXPECT_EQ(program.Number(out + 56, 1), uint64_t{'x'});
  EXPECT_EQ(program.Number(out + 24, 8), 6u);
  TheHost().memory[out + 20] = 0;
  ASSERT_EQ(wasi_unstable_path_filestat_get(3, 0, small, 5, out), I32{E_OK});
  EXPECT_EQ(program.Text(out, 56), expected);
  EXPECT_EQ(wasi_unstable_fd_filestat_get(fd, 65536 - 56), I32{E_OK});
  EXPECT_EQ(wasi_unstable_fd_filestat_get(fd, 65536 - 55), I32{E_FAULT});
}

TEST(FilesTest, TimesAreSet) {
  Program program(WithSet());
  const Guest out = program.Room(64), small = program.Put("small");
  TheHost().fuel = 9;
  ASSERT_EQ(wasi_path_filestat_set_times(3, 0, small, 5, 11, 22, TIME_ATIM | TIME_MTIM), I32{E_OK});
  ASSERT_EQ(wasi_path_filestat_get(3, 0, small, 5, out), I32{E_OK});
  EXPECT_EQ(program.Number(out + 40, 8), 11u);
  EXPECT_EQ(program.Number(out + 48, 8), 22u);
  const I32 fd = program.Open("small");
  ASSERT_EQ(wasi_fd_filestat_set_times(fd, 0, 0, TIME_MTIM_NOW), I32{E_OK});
  ASSERT_EQ(wasi_fd_filestat_get(fd, out), I32{E_OK});
  EXPECT_EQ(program.Number(out + 40, 8), 11u);
  EXPECT_EQ(program.Number(out + 48, 8), 9u);
  EXPECT_EQ(wasi_fd_filestat_set_times(fd, 0, 0, TIME_MTIM | TIME_MTIM_NOW), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_filestat_set_times(fd, 0, 0, 16), I32{E_INVAL});
}

}  // namespace
}  // namespace wb::test
