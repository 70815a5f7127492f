// Every call, with each pointer outside the guest's memory: an errno, never a trap of the layer.

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <string>

#include "tests/compiler/system/host.h"

namespace wb::test {
namespace {

struct Call {
  const char* name;
  std::function<I32(Guest bad, Guest good)> call;
};

// `bad` is passed as one pointer; all else is right.
const std::vector<Call>& Calls() {
  static const std::vector<Call> calls = {
      {"args_get 1", [](Guest b, Guest g) { return wasi_args_get(b, g); }},
      {"args_get 2", [](Guest b, Guest g) { return wasi_args_get(g, b); }},
      {"args_sizes_get 1", [](Guest b, Guest g) { return wasi_args_sizes_get(b, g); }},
      {"args_sizes_get 2", [](Guest b, Guest g) { return wasi_args_sizes_get(g, b); }},
      {"environ_get 1", [](Guest b, Guest g) { return wasi_environ_get(b, g); }},
      {"environ_get 2", [](Guest b, Guest g) { return wasi_environ_get(g, b); }},
      {"environ_sizes_get 1", [](Guest b, Guest g) { return wasi_environ_sizes_get(b, g); }},
      {"environ_sizes_get 2", [](Guest b, Guest g) { return wasi_environ_sizes_get(g, b); }},
      {"clock_res_get", [](Guest b, Guest) { return wasi_clock_res_get(0, b); }},
      {"clock_time_get", [](Guest b, Guest) { return wasi_clock_time_get(0, 0, b); }},
      {"fd_fdstat_get", [](Guest b, Guest) { return wasi_fd_fdstat_get(1, b); }},
      {"fd_filestat_get", [](Guest b, Guest) { return wasi_fd_filestat_get(1, b); }},
      {"fd_pread 1", [](Guest b, Guest g) { return wasi_fd_pread(4, b, 1, 0, g); }},
      {"fd_pread 2", [](Guest b, Guest g) { return wasi_fd_pread(4, g, 1, 0, b); }},
      {"fd_prestat_get", [](Guest b, Guest) { return wasi_fd_prestat_get(3, b); }},
      {"fd_prestat_dir_name", [](Guest b, Guest) { return wasi_fd_prestat_dir_name(3, b, 9); }},
      {"fd_pwrite 1", [](Guest b, Guest g) { return wasi_fd_pwrite(4, b, 1, 0, g); }},
      {"fd_pwrite 2", [](Guest b, Guest g) { return wasi_fd_pwrite(4, g, 1, 0, b); }},
      {"fd_read 1", [](Guest b, Guest g) { return wasi_fd_read(0, b, 1, g); }},
      {"fd_read 2", [](Guest b, Guest g) { return wasi_fd_read(0, g, 1, b); }},
      {"fd_read many", [](Guest, Guest g) { return wasi_fd_read(0, g, 0x20000000, g); }},
      {"fd_readdir 1", [](Guest b, Guest g) { return wasi_fd_readdir(3, b, 99, 0, g); }},
      {"fd_readdir 2", [](Guest b, Guest g) { return wasi_fd_readdir(3, g, 9, 0, b); }},
      {"fd_seek", [](Guest b, Guest) { return wasi_fd_seek(4, 0, 0, b); }},
      {"fd_tell", [](Guest b, Guest) { return wasi_fd_tell(4, b); }},
      {"fd_write 1", [](Guest b, Guest g) { return wasi_fd_write(1, b, 1, g); }},
      {"fd_write 2", [](Guest b, Guest g) { return wasi_fd_write(1, g, 1, b); }},
      {"fd_write many", [](Guest, Guest g) { return wasi_fd_write(1, g, UINT32_MAX, g); }},
      {"path_create_directory", [](Guest b, Guest) { return wasi_path_create_directory(3, b, 9); }},
      {"path_filestat_get 1",
       [](Guest b, Guest g) { return wasi_path_filestat_get(3, 0, b, 9, g); }},
      {"path_filestat_get 2",
       [](Guest b, Guest g) { return wasi_path_filestat_get(3, 0, g, 1, b); }},
      {"path_filestat_set_times",
       [](Guest b, Guest) { return wasi_path_filestat_set_times(3, 0, b, 9, 0, 0, 0); }},
      {"path_link 1", [](Guest b, Guest g) { return wasi_path_link(3, 0, b, 9, 3, g, 1); }},
      {"path_link 2", [](Guest b, Guest g) { return wasi_path_link(3, 0, g, 1, 3, b, 9); }},
      {"path_open 1", [](Guest b, Guest g) { return wasi_path_open(3, 0, b, 9, 0, 0, 0, 0, g); }},
      {"path_open 2", [](Guest b, Guest g) { return wasi_path_open(3, 0, g, 1, 0, 0, 0, 0, b); }},
      {"path_readlink 1", [](Guest b, Guest g) { return wasi_path_readlink(3, b, 9, g, 9, g); }},
      {"path_readlink 2", [](Guest b, Guest g) { return wasi_path_readlink(3, g, 1, b, 9, g); }},
      {"path_readlink 3", [](Guest b, Guest g) { return wasi_path_readlink(3, g, 1, g, 9, b); }},
      {"path_remove_directory", [](Guest b, Guest) { return wasi_path_remove_directory(3, b, 9); }},
      {"path_rename 1", [](Guest b, Guest g) { return wasi_path_rename(3, b, 9, 3, g, 1); }},
      {"path_rename 2", [](Guest b, Guest g) { return wasi_path_rename(3, g, 1, 3, b, 9); }},
      {"path_symlink 1", [](Guest b, Guest g) { return wasi_path_symlink(b, 9, 3, g, 1); }},
      {"path_symlink 2", [](Guest b, Guest g) { return wasi_path_symlink(g, 1, 3, b, 9); }},
      {"path_unlink_file", [](Guest b, Guest) { return wasi_path_unlink_file(3, b, 9); }},
      {"poll_oneoff 1", [](Guest b, Guest g) { return wasi_poll_oneoff(b, g, 1, g); }},
      {"poll_oneoff 2", [](Guest b, Guest g) { return wasi_poll_oneoff(g, b, 1, g); }},
      {"poll_oneoff 3", [](Guest b, Guest g) { return wasi_poll_oneoff(g, g, 1, b); }},
      {"poll_oneoff many", [](Guest, Guest g) { return wasi_poll_oneoff(g, g, UINT32_MAX, g); }},
      {"random_get", [](Guest b, Guest) { return wasi_random_get(b, 9); }},
      {"sock_accept", [](Guest b, Guest) { return wasi_sock_accept(1, 0, b); }},
      {"sock_recv 1", [](Guest b, Guest g) { return wasi_sock_recv(1, b, 1, 0, g, g); }},
      {"sock_recv 2", [](Guest b, Guest g) { return wasi_sock_recv(1, g, 1, 0, b, g); }},
      {"sock_send", [](Guest b, Guest g) { return wasi_sock_send(1, b, 1, 0, g); }},
  };
  return calls;
}

TEST(PointersTest, APointerOutsideMemoryIsAFaultInEveryCall) {
  for (const Guest bad : {kOutside, Guest{65536}, Guest{UINT32_MAX}, Guest{UINT32_MAX - 8}}) {
    for (const Call& call : Calls()) {
      InstanceInputs inputs;
      inputs.args = {"prog"};
      inputs.envs = {"A=b"};
      inputs.standard_input = "input";
      inputs.file_set = FileSet({{"a", "bytes"}});
      Program program(inputs);
      ASSERT_EQ(program.Open("a"), 4u) << program.error;
      const Guest good = program.Put("a");
      program.Room(200);
      I32 answer = E_OK;
      EXPECT_NO_THROW(answer = call.call(bad, good)) << call.name;
      EXPECT_EQ(answer, I32{E_FAULT}) << call.name << " " << bad;
    }
  }
}

TEST(PointersTest, ABufferOutsideMemoryIsAFaultBeforeAnythingIsMoved) {
  InstanceInputs inputs;
  inputs.standard_input = "input";
  Program program(inputs);
  const Guest buffers = program.Buffers(std::vector<std::string>{"ok", "bad"});
  const Guest out = program.Room(4), outside = kOutside;
  std::memcpy(TheHost().memory.data() + buffers + 8, &outside, 4);
  EXPECT_EQ(wasi_fd_write(1, buffers, 2, out), I32{E_FAULT});
  EXPECT_EQ(program.Output(1), "");
  EXPECT_EQ(wasi_fd_read(0, buffers, 2, out), I32{E_FAULT});
  EXPECT_EQ(program.ReadAll(0), "input");
}

// The number of a call's descriptor is its first argument, or one of the others.
TEST(PointersTest, ADescriptorThatIsNotOpenIsBadInEveryCall) {
  for (const I32 fd : {5u, 4095u, 4096u, UINT32_MAX}) {
    Program program;
    const Guest p = program.Put("a");
    program.Room(200);
    const std::vector<I32> answers = {wasi_fd_advise(fd, 0, 0, 0),
                                      wasi_fd_allocate(fd, 0, 1),
                                      wasi_fd_close(fd),
                                      wasi_fd_datasync(fd),
                                      wasi_fd_fdstat_get(fd, p),
                                      wasi_fd_fdstat_set_flags(fd, 0),
                                      wasi_fd_fdstat_set_rights(fd, 0, 0),
                                      wasi_fd_filestat_get(fd, p),
                                      wasi_fd_filestat_set_size(fd, 0),
                                      wasi_fd_filestat_set_times(fd, 0, 0, 0),
                                      wasi_fd_pread(fd, p, 0, 0, p),
                                      wasi_fd_prestat_get(fd, p),
                                      wasi_fd_prestat_dir_name(fd, p, 1),
                                      wasi_fd_pwrite(fd, p, 0, 0, p),
                                      wasi_fd_read(fd, p, 0, p),
                                      wasi_fd_readdir(fd, p, 1, 0, p),
                                      wasi_fd_renumber(fd, 1),
                                      wasi_fd_renumber(1, fd),
                                      wasi_fd_seek(fd, 0, 0, p),
                                      wasi_fd_sync(fd),
                                      wasi_fd_tell(fd, p),
                                      wasi_fd_write(fd, p, 0, p),
                                      wasi_path_create_directory(fd, p, 1),
                                      wasi_path_filestat_get(fd, 0, p, 1, p),
                                      wasi_path_filestat_set_times(fd, 0, p, 1, 0, 0, 0),
                                      wasi_path_link(fd, 0, p, 1, 3, p, 1),
                                      wasi_path_link(3, 0, p, 1, fd, p, 1),
                                      wasi_path_open(fd, 0, p, 1, 0, 0, 0, 0, p),
                                      wasi_path_readlink(fd, p, 1, p, 1, p),
                                      wasi_path_remove_directory(fd, p, 1),
                                      wasi_path_rename(fd, p, 1, 3, p, 1),
                                      wasi_path_rename(3, p, 1, fd, p, 1),
                                      wasi_path_symlink(p, 1, fd, p, 1),
                                      wasi_path_unlink_file(fd, p, 1),
                                      wasi_sock_accept(fd, 0, p),
                                      wasi_sock_recv(fd, p, 0, 0, p, p),
                                      wasi_sock_send(fd, p, 0, 0, p),
                                      wasi_sock_shutdown(fd, 0)};
    for (size_t i = 0; i < answers.size(); ++i)
      EXPECT_EQ(answers[i], I32{E_BADF}) << i << " " << fd;
  }
}

// The bytes that are read take the place of the second buffer's address.
TEST(PointersTest, AReadOverItsOwnListOfBuffersGoesOn) {
  InstanceInputs inputs;
  inputs.standard_input = std::string(20, 'a') + std::string(80, 'b');
  Program program(inputs);
  const Guest list = program.Room(24), other = program.Room(16), out = program.Room(4);
  const uint32_t buffers[] = {list, 20, other, 16, list + 4, 8};
  std::memcpy(&TheHost().memory[list], buffers, sizeof buffers);
  EXPECT_EQ(wasi_fd_read(0, list, 3, out), E_OK);
  EXPECT_EQ(program.Number(out), 44u);
  EXPECT_EQ(program.Text(other, 16), std::string(16, 'b'));
  EXPECT_EQ(program.Text(list, 20), "aaaabbbbbbbbaaaaaaaa");
}

TEST(PointersTest, AReadFillsAThousandAndTwentyFourBuffersAtMost) {
  InstanceInputs inputs;
  inputs.standard_input = std::string(3000, 'a');
  Program program(inputs);
  const Guest out = program.Room(4);
  const Guest list = program.Buffers(std::vector<uint32_t>(1025, 1));
  EXPECT_EQ(wasi_fd_read(0, list, 1025, out), E_OK);
  EXPECT_EQ(program.Number(out), 1024u);
  EXPECT_EQ(wasi_fd_write(1, list, 1025, out), E_OK);
  EXPECT_EQ(program.Number(out), 1025u);
}

}  // namespace
}  // namespace wb::test
