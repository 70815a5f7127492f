#pragma once

// SimulatedDisk: a folder of the real file system, with a record of all that was done to it through
// DiskCalls and through SQLite. The record tells a DiskModel; besides, one call can be made to
// fail.
//
// Files are real, so that reading, locks and shared memory are the system's own. Nothing is really
// flushed.
//
// Threads: any.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/base/disk_calls.h"
#include "tests/daemon/disk/disk_model.h"

namespace wb::test {

class SimulatedVfs;

class SimulatedDisk : public DiskCalls {
 public:
  // The folder has what the image says, and nothing else, and is removed in the end.
  explicit SimulatedDisk(DiskImage image = {});
  ~SimulatedDisk() override;

  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  const std::string& root() const { return root_; }
  const DiskImage& image() const { return image_; }  // what it began with
  std::vector<DiskOp> Record() const;
  size_t RecordSize() const;
  DiskImage Look() const;  // all files as the program sees them

  // After a cut when the record had `size` entries.
  DiskImage CutAt(size_t size, uint64_t seed, bool flush_works = true) const;

  // The n-th call from now that opens, writes, flushes, renames or removes fails, once.
  void FailCall(uint64_t n, int error);
  std::string failed() const;  // which one did; empty: none yet

  int Open(const std::string& path, int flags) const override;
  ssize_t Write(int fd, ByteView bytes) const override;
  int Flush(int fd) const override;
  int Close(int fd) const override;
  int Rename(const std::string& from, const std::string& to) const override;
  int Remove(const std::string& path) const override;
  int MakeFolder(const std::string& path, mode_t mode) const override;
  int RemoveFolder(const std::string& path) const override;
  const char* database_layer() const override;

 private:
  friend class SimulatedVfs;
  // Of a path below the root.
  std::optional<std::string> Relative(const std::string& path) const;
  void Note(DiskOp::Kind kind, const std::string& path, uint64_t offset = 0,
            ByteView bytes = {}) const;
  // 0, or the error of a call that is to fail.
  int Trouble(const char* call, const std::string& path) const;

  std::string root_;
  DiskImage image_;
  std::unique_ptr<SimulatedVfs> vfs_;
  struct File {
    std::string path;
    uint64_t at = 0;
  };
  mutable Mutex mutex_;
  mutable std::vector<DiskOp> record_ WB_GUARDED_BY(mutex_);
  mutable std::map<int, File> files_ WB_GUARDED_BY(mutex_);
  mutable uint64_t calls_ WB_GUARDED_BY(mutex_) = 0;
  uint64_t failing_ WB_GUARDED_BY(mutex_) = 0;
  int error_ WB_GUARDED_BY(mutex_) = 0;
  mutable std::string failed_ WB_GUARDED_BY(mutex_);
};

}  // namespace wb::test
