#pragma once

// DiskCalls: the system's calls by which bytes and names come onto a disk. What must last is
// written through these, so that a test can put a disk in their place that fails, or that loses
// what was not flushed. Reading goes to the system itself.
//
// Each returns what the call of that name does, -1 with `errno` for a failure. Threads: any.

#include <sys/types.h>

#include <string>

#include "compiler/base/bytes.h"

namespace wb {

class DiskCalls {
 public:
  virtual ~DiskCalls() = default;
  virtual int Open(const std::string& path,
                   int flags) const;  // for this user alone, closed at exec
  virtual ssize_t Write(int fd, ByteView bytes) const;
  virtual int Flush(int fd) const;
  virtual int Close(int fd) const;
  virtual int Rename(const std::string& from, const std::string& to) const;
  virtual int Remove(const std::string& path) const;
  virtual int MakeFolder(const std::string& path, mode_t mode) const;
  virtual int RemoveFolder(const std::string& path) const;
  // Of the sqlite3_vfs that databases on this disk use; null: SQLite's own.
  virtual const char* database_layer() const { return nullptr; }
};

// Of this machine. Lives as long as the process.
const DiskCalls& SystemDisk();

}  // namespace wb
