#pragma once

// SimulatedVfs: SQLite's layer of the system (sqlite.org/vfs.html) over its own one. It notes what
// SQLite does to its files in a SimulatedDisk, and fails where that says so.

#include <sqlite3.h>

#include <string>

namespace wb::test {

class SimulatedDisk;

class SimulatedVfs {
 public:
  explicit SimulatedVfs(const SimulatedDisk* disk);
  ~SimulatedVfs();
  SimulatedVfs(const SimulatedVfs&) = delete;
  SimulatedVfs& operator=(const SimulatedVfs&) = delete;
  const char* name() const { return name_.c_str(); }

 private:
  struct File;
  struct Calls;
  static sqlite3_vfs& Inner();
  // The result code of a call that is to fail; SQLITE_OK: it is not.
  int Trouble(const char* call, const std::string& path, int code) const;

  const SimulatedDisk& disk_;
  const std::string name_;
  sqlite3_vfs vfs_ = {};
};

}  // namespace wb::test
