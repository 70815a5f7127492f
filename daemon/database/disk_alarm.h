#pragma once

// DiskAlarm: whether the disk of the state folder, or a database, takes what must last; if not, why
// and since when.
// It is raised by a change that the disk did not take, and by too little free space, also while
// nobody writes. It clears itself.
//
// Threads: any.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "compiler/base/mutex.h"
#include "compiler/base/status.h"

namespace wb {

// The disk of a folder.
struct DiskRoom {
  bool known = false;
  bool read_only = false;
  uint64_t free_bytes = 0;  // for this user
};
DiskRoom RoomAt(const std::string& folder);

class DiskAlarm {
 public:
  struct Parts {
    std::string folder;           // for messages
    std::string database;         // where changes go, if not to that folder; for messages
    uint64_t min_free_bytes = 0;  // server.min_free_bytes
    std::function<DiskRoom()> room;
    std::function<int64_t()> now;  // Unix time in nanoseconds
  };
  struct Raised {
    std::string reason;  // a sentence
    std::string advice;  // likewise
    int64_t since_unix_ns = 0;
  };
  explicit DiskAlarm(Parts parts) : parts_(std::move(parts)) {}

  // What became of the last change.
  void NoteCommit(const Status& status);

  // Looks at the disk now. A ticker calls it, and whoever shows the alarm.
  std::optional<Raised> Look();

  // Whether there was room for new work when somebody looked last. NOSPACE.
  Status Admit() const;

 private:
  Raised Judge(const DiskRoom& room) const WB_REQUIRES(mutex_);

  const Parts parts_;
  mutable Mutex mutex_;
  std::optional<Raised> raised_ WB_GUARDED_BY(mutex_);
  std::string trouble_ WB_GUARDED_BY(mutex_);  // why the last change failed
  bool is_low_ WB_GUARDED_BY(mutex_) = false;
};

}  // namespace wb
