#pragma once

// Files that outlive the daemon: plain ones of its user, closed to others, and on the disk once
// they were flushed. Where something fails `errno` says why.

#include <fcntl.h>
#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/base/bytes.h"
#include "compiler/base/status.h"
#include "scheduler/base/disk_calls.h"

namespace wb {

class DiskFile {
 public:
  // `flags` as for open(2). The disk outlives the file.
  DiskFile(const std::string& path, int flags, const DiskCalls& disk = SystemDisk());
  ~DiskFile();
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;
  bool ok() const { return fd_ >= 0; }
  int fd() const { return fd_; }

  // nullopt: not a regular file of this user.
  std::optional<struct stat> Facts() const;
  // How many bytes of `out` there were; nullopt: it cannot be read.
  std::optional<size_t> Read(std::span<uint8_t> out) const;
  bool Write(ByteView bytes) const;
  bool Flush() const;

 private:
  const DiskCalls& disk_;
  const int fd_;
};

// Not blocking, so that a named pipe in the file's place does not hold us up.
inline constexpr int kReadFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

// A folder of this user, closed to others, made with its parents if it is missing. A link in its
// place is not followed. `what` begins the message: "The cache directory". IO_ERROR, MACHINE_FAULT.
Status MakePrivateFolder(const std::string& path, const std::string& what,
                         const DiskCalls& disk = SystemDisk());
// And it is there after a power loss: its name, and those of the folders above it that belong to
// this user, are flushed.
Status MakeLastingFolder(const std::string& path, const std::string& what,
                         const DiskCalls& disk = SystemDisk());

// `parts` one after another, flushed. `flags` say what happens to a file that is there.
bool WriteFlushed(const std::string& path, int flags, const std::vector<ByteView>& parts,
                  const DiskCalls& disk = SystemDisk());
// What was renamed or made there stays so.
bool FlushFolder(const std::string& path, const DiskCalls& disk = SystemDisk());

}  // namespace wb
