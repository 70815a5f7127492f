#include "daemon/database/disk_alarm.h"

#include <sys/statvfs.h>

#include <utility>

#include "daemon/process/log.h"
#include "scheduler/base/quoted.h"

namespace wb {
namespace {

// So much more than the bound must be free again, so that the alarm does not come and go.
constexpr uint64_t kMargin = 8;  // an eighth

}  // namespace

DiskRoom RoomAt(const std::string& folder) {
  struct statvfs facts {};
  if (folder.empty() || statvfs(folder.c_str(), &facts) != 0) return {};
  DiskRoom room;
  room.known = true;
  room.read_only = (facts.f_flag & ST_RDONLY) != 0;
  room.free_bytes = static_cast<uint64_t>(facts.f_bavail) * facts.f_frsize;
  return room;
}

// The empty reason: all is well.
DiskAlarm::Raised DiskAlarm::Judge(const DiskRoom& room) const {
  const std::string disk = "The disk of " + Quoted(parts_.folder);
  if (!trouble_.empty() && !parts_.database.empty()) {
    return {
        "The database at " + Quoted(parts_.database) + " did not take the last change. " + trouble_,
        "See to the database; what was not stored is kept in memory and tried again every "
        "second.",
        0};
  }
  if (!trouble_.empty()) {
    return {disk + " did not take the last change. " + trouble_,
            "See to the disk; what was not stored is kept in memory and tried again every second.",
            0};
  }
  if (room.known && room.read_only) return {disk + " is read-only.", "Mount it for writing.", 0};
  if (is_low_) {
    return {disk + " has " + Quoted(room.free_bytes) +
                " bytes free; new work needs server.min_free_bytes " +
                Quoted(parts_.min_free_bytes) + ".",
            "Free space there, or delete jobs, modules or inputs; running jobs go on.", 0};
  }
  return {};
}

void DiskAlarm::NoteCommit(const Status& status) {
  const MutexLock lock(mutex_);
  trouble_ = status.message();
}

std::optional<DiskAlarm::Raised> DiskAlarm::Look() {
  const DiskRoom room = parts_.room();
  const MutexLock lock(mutex_);
  const uint64_t bound = parts_.min_free_bytes;
  const uint64_t enough = is_low_ ? bound + bound / kMargin : bound;
  if (room.known) is_low_ = room.free_bytes < enough;
  Raised found = Judge(room);
  const bool was_raised = raised_.has_value();
  if (found.reason.empty()) {
    raised_.reset();
    if (was_raised) Log(LogLevel::kWarning, "disk_alarm_cleared", {});
    return raised_;
  }
  found.since_unix_ns = was_raised ? raised_->since_unix_ns : parts_.now();
  if (!was_raised) Log(LogLevel::kError, "disk_alarm", {{"error", found.reason}});
  raised_ = std::move(found);
  return raised_;
}

Status DiskAlarm::Admit() const {
  const MutexLock lock(mutex_);
  if (!is_low_) return {};
  return Status(Reason::kNoSpace,
                "The disk of " + Quoted(parts_.folder) +
                    " has too little free space for new work (server.min_free_bytes " +
                    Quoted(parts_.min_free_bytes) + ").",
                {{"path", parts_.folder}});
}

}  // namespace wb
