#include "scheduler/base/disk_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace wb {

int DiskCalls::Open(const std::string& path, int flags) const {
  return ::open(path.c_str(), flags | O_CLOEXEC, 0600);
}

ssize_t DiskCalls::Write(int fd, ByteView bytes) const {
  return ::write(fd, bytes.data(), bytes.size());
}

// On macOS fsync(2) leaves bytes in the disk's own memory.
int DiskCalls::Flush(int fd) const {
#ifdef F_FULLFSYNC
  if (::fcntl(fd, F_FULLFSYNC) == 0) return 0;
#endif
  return ::fsync(fd);
}

int DiskCalls::Close(int fd) const { return ::close(fd); }

int DiskCalls::Rename(const std::string& from, const std::string& to) const {
  return ::rename(from.c_str(), to.c_str());
}

int DiskCalls::Remove(const std::string& path) const { return ::unlink(path.c_str()); }

int DiskCalls::MakeFolder(const std::string& path, mode_t mode) const {
  return ::mkdir(path.c_str(), mode);
}

int DiskCalls::RemoveFolder(const std::string& path) const { return ::rmdir(path.c_str()); }

const DiskCalls& SystemDisk() {
  static const DiskCalls disk;
  return disk;
}

}  // namespace wb
