#include "daemon/store/result_positions.h"

#include <string>

#include "daemon/store/names.h"

namespace wb {

Status CheckAcknowledgedPosition(const JobRecord& record, uint64_t position) {
  if (position <= record.results->next()) return {};
  return Status(
      Reason::kInvalidArgument,
      "The cursor lies beyond the last result of the job [" + JobName(record.info.id) + "].",
      {{"field", "cursor"}});
}

Status CheckReadPosition(const JobRecord& record, uint64_t position) {
  WB_TRY(CheckAcknowledgedPosition(record, position));
  const uint64_t oldest = record.results->oldest();
  if (position >= oldest) return {};
  const std::string cursor = MakeCursor(record.info.id, oldest);
  return Status(Reason::kCursorExpired,
                std::string("The results after this cursor have been dropped ") +
                    (record.info.results_dropped > 0
                         ? "to make room for results of other jobs (results.max_total_bytes)"
                         : "since a reader acknowledged them") +
                    "; the oldest cursor is [" + cursor + "].",
                {{"oldest_cursor", cursor}});
}

}  // namespace wb
