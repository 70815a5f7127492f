// The table of descriptors: state, rights, closing, renumbering.

#include <gtest/gtest.h>

#include "tests/compiler/system/host.h"

extern "C" {
#include "compiler/system/wasi/descriptor.h"
}

namespace wb::test {
namespace {

InstanceInputs WithFile() {
  InstanceInputs inputs;
  inputs.file_set = FileSet({{"a", "bytes"}, {"d/b", "deeper"}});
  return inputs;
}

TEST(DescriptorTest, ThePreopenedDirectoriesAreFoundByTheirNames) {
  InstanceInputs inputs = WithFile();
  inputs.preopens = {{"/", ""}, {"/data", "d"}};
  Program program(inputs);
  const Guest out = program.Room(8), name = program.Room(8);
  ASSERT_EQ(wasi_fd_prestat_get(4, out), I32{E_OK});
  EXPECT_EQ(program.Number(out), 0u);
  ASSERT_EQ(program.Number(out + 4), 5u);
  EXPECT_EQ(wasi_fd_prestat_dir_name(4, name, 4), I32{E_NOBUFS});
  ASSERT_EQ(wasi_fd_prestat_dir_name(4, name, 5), I32{E_OK});
  EXPECT_EQ(program.Text(name, 5), "/data");
  EXPECT_EQ(wasi_fd_prestat_get(5, out), I32{E_BADF});
  EXPECT_EQ(wasi_fd_prestat_get(1, out), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_prestat_dir_name(1, name, 5), I32{E_BADF});
}

TEST(DescriptorTest, NamesAreAskedForWithoutReadingTheFileSet) {
  Program program(WithFile());
  const Guest out = program.Room(24);
  wasi_fd_prestat_get(3, out);
  const uint32_t before = TheHost().primitive_calls;
  wasi_fd_prestat_dir_name(3, out, 1);
  wasi_fd_fdstat_get(3, out);
  wasi_fd_fdstat_get(1, out);
  EXPECT_EQ(TheHost().primitive_calls, before);
}

TEST(DescriptorTest, TheStateTellsTypeFlagsAndRights) {
  Program program(WithFile());
  const I32 fd = program.Open("a", 0, FDFLAG_APPEND);
  const Guest out = program.Room(24);
  ASSERT_EQ(wasi_fd_fdstat_get(fd, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 1), uint64_t{TYPE_REGULAR});
  EXPECT_EQ(program.Number(out + 2, 2), uint64_t{FDFLAG_APPEND});
  EXPECT_EQ(program.Number(out + 8, 8), kFileRights);
  EXPECT_EQ(program.Number(out + 16, 8), 0u);
  ASSERT_EQ(wasi_fd_fdstat_get(3, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 1), uint64_t{TYPE_DIRECTORY});
  EXPECT_EQ(program.Number(out + 8, 8), kDirectoryRights);
  EXPECT_EQ(program.Number(out + 16, 8), kDirectoryRights | kFileRights);
  EXPECT_EQ(wasi_fd_fdstat_set_flags(fd, 32), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_fdstat_set_flags(fd, 0), I32{E_OK});
  wasi_fd_fdstat_get(fd, out);
  EXPECT_EQ(program.Number(out + 2, 2), 0u);
}

TEST(DescriptorTest, RightsOnlyBecomeFewer) {
  Program program(WithFile());
  const I32 fd = program.Open("a");
  ASSERT_EQ(wasi_fd_fdstat_set_rights(fd, RIGHT_FD_READ, 0), I32{E_OK});
  EXPECT_EQ(program.WriteTo(fd, "x"), I32{E_NOTCAPABLE});
  EXPECT_EQ(program.ReadAll(fd), "bytes");
  EXPECT_EQ(wasi_fd_fdstat_set_rights(fd, RIGHT_FD_READ | RIGHT_FD_WRITE, 0), I32{E_NOTCAPABLE});
  EXPECT_EQ(wasi_fd_fdstat_set_rights(fd, RIGHT_FD_READ, 1), I32{E_NOTCAPABLE});
}

TEST(DescriptorTest, ADirectoryGivesNoRightsThatItLacks) {
  Program program(WithFile());
  ASSERT_EQ(wasi_fd_fdstat_set_rights(3, RIGHT_PATH_OPEN, RIGHT_FD_READ), I32{E_OK});
  EXPECT_EQ(program.Write("new", "x"), I32{E_NOTCAPABLE});
  EXPECT_EQ(program.Read("a"), "errno 76");  // with the right to seek
  const Guest out = program.Room(4);
  ASSERT_EQ(wasi_path_open(3, 0, program.Put("a"), 1, 0, RIGHT_FD_READ, 0, 0, out), I32{E_OK});
  EXPECT_EQ(program.ReadAll(static_cast<I32>(program.Number(out))), "bytes");
}

TEST(DescriptorTest, RenumberingClosesTheTarget) {
  Program program(WithFile());
  const I32 a = program.Open("a"), b = program.Open("d/b");
  ASSERT_EQ(wasi_fd_renumber(b, a), I32{E_OK});
  EXPECT_EQ(program.ReadAll(a), "deeper");
  EXPECT_EQ(program.ReadAll(b), "errno 8");
  ASSERT_EQ(wasi_fd_renumber(a, 0), I32{E_OK});
  EXPECT_EQ(wasi_fd_seek(0, 0, SEEK_FROM_START, program.Room(8)), I32{E_OK});
  EXPECT_EQ(program.ReadAll(0), "deeper");
  EXPECT_EQ(wasi_fd_renumber(0, 0), I32{E_OK});
  EXPECT_EQ(wasi_fd_renumber(1, 77), I32{E_BADF});
}

TEST(DescriptorTest, TheTableGrowsToItsLimitAndClosedNumbersComeAgain) {
  Program program(WithFile());
  I32 last = 0;
  while (true) {
    const I32 fd = program.Open("a");
    if (program.error != E_OK) break;
    last = fd;
  }
  EXPECT_EQ(program.error, I32{E_MFILE});
  EXPECT_EQ(last, 4095u);
  ASSERT_EQ(wasi_fd_close(100), I32{E_OK});
  EXPECT_EQ(program.Open("a"), 100u);
  EXPECT_EQ(program.ReadAll(4095), "bytes");
}

TEST(DescriptorTest, SeekingStaysWithinTheNumbersThereAre) {
  Program program(WithFile());
  const I32 fd = program.Open("a");
  const Guest out = program.Room(8);
  ASSERT_EQ(wasi_fd_seek(fd, static_cast<I64>(-2), SEEK_FROM_END, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 8), 3u);
  EXPECT_EQ(program.ReadAll(fd), "es");
  ASSERT_EQ(wasi_fd_tell(fd, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 8), 5u);
  EXPECT_EQ(wasi_fd_seek(fd, static_cast<I64>(-6), SEEK_FROM_HERE, out), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_seek(fd, INT64_MIN, SEEK_FROM_HERE, out), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_seek(fd, INT64_MAX, SEEK_FROM_HERE, out), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_seek(fd, 0, 3, out), I32{E_INVAL});
  EXPECT_EQ(wasi_unstable_fd_seek(fd, 0, 3, out), I32{E_INVAL});
  ASSERT_EQ(wasi_unstable_fd_seek(fd, static_cast<I64>(-2), UNSTABLE_FROM_END, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 8), 3u);
  ASSERT_EQ(wasi_unstable_fd_seek(fd, 1, UNSTABLE_FROM_HERE, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 8), 4u);
  ASSERT_EQ(wasi_unstable_fd_seek(fd, 1, UNSTABLE_FROM_START, out), I32{E_OK});
  EXPECT_EQ(program.Number(out, 8), 1u);
  ASSERT_EQ(wasi_fd_seek(fd, INT64_MAX, SEEK_FROM_START, out), I32{E_OK});
  EXPECT_EQ(program.ReadAll(fd), "");
  EXPECT_EQ(program.WriteTo(fd, "x"), I32{E_FBIG});
}

TEST(DescriptorTest, AdviceAndSynchronizingDoNothing) {
  Program program(WithFile());
  const I32 fd = program.Open("a");
  EXPECT_EQ(wasi_fd_advise(fd, 0, 0, 5), I32{E_OK});
  EXPECT_EQ(wasi_fd_advise(fd, 0, 0, 6), I32{E_INVAL});
  EXPECT_EQ(wasi_fd_sync(fd), I32{E_OK});
  EXPECT_EQ(wasi_fd_datasync(fd), I32{E_OK});
  EXPECT_EQ(wasi_fd_sync(1), I32{E_NOTCAPABLE});
}

TEST(DescriptorTest, LinksAndSocketsAreNotSupported) {
  Program program(WithFile());
  const Guest a = program.Put("a"), n = program.Put("n"), out = program.Room(16);
  EXPECT_EQ(wasi_path_link(3, 0, a, 1, 3, n, 1), I32{E_NOTSUP});
  EXPECT_EQ(wasi_path_symlink(a, 1, 3, n, 1), I32{E_NOTSUP});
  EXPECT_EQ(wasi_path_readlink(3, a, 1, out, 8, out), I32{E_INVAL});
  EXPECT_EQ(wasi_path_readlink(3, n, 1, out, 8, out), I32{E_NOENT});
  EXPECT_EQ(wasi_sock_accept(1, 0, out), I32{E_NOTCAPABLE});
  EXPECT_EQ(wasi_sock_recv(0, out, 0, 0, out, out), I32{E_NOTSOCK});
  EXPECT_EQ(wasi_sock_send(1, out, 0, 0, out), I32{E_NOTSOCK});
  EXPECT_EQ(wasi_sock_shutdown(1, 0), I32{E_NOTSOCK});
}

}  // namespace
}  // namespace wb::test
