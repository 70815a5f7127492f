#include "daemon/store/memory/result_positions.h"

#include "daemon/store/names.h"

namespace wb {

ResultPlaces PlacesOf(const JobRecord& record) {
  return {record.info.id, record.results->oldest(), record.results->next(),
          record.info.results_dropped > 0};
}

Status CheckAcknowledgedPosition(const ResultPlaces& places, uint64_t position) {
  if (position <= places.next) return {};
  return Status(Reason::kInvalidArgument,
                "The cursor lies beyond the last result of the job [" + JobName(places.id) + "].",
                {{"field", "cursor"}});
}

Status CheckReadPosition(const ResultPlaces& places, uint64_t position) {
  WB_TRY(CheckAcknowledgedPosition(places, position));
  if (position >= places.oldest) return {};
  const std::string cursor = MakeCursor(places.id, places.oldest);
  return Status(
      Reason::kCursorExpired,
      std::string("The results after this cursor have been dropped ") +
          (places.made_room ? "to make room for results of other jobs (results.max_total_bytes)"
                            : "since a reader acknowledged them") +
          "; the oldest cursor is [" + cursor + "].",
      {{"oldest_cursor", cursor}});
}

}  // namespace wb
