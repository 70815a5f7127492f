#pragma once

// Which places among a job's results a client may name by a cursor. Pure.

#include <cstdint>
#include <string>

#include "compiler/base/status.h"
#include "daemon/store/memory/job_record.h"

namespace wb {

// Where the results of a job lie that can be read: at positions [oldest, next).
struct ResultPlaces {
  std::string id;  // of the job
  uint64_t oldest = 0;
  uint64_t next = 0;
  bool made_room = false;  // those in front were dropped for results of other jobs
};
ResultPlaces PlacesOf(const JobRecord& record);

// To read from: the results there are held, or come next. INVALID_ARGUMENT; CURSOR_EXPIRED, with
// the oldest cursor that may be read.
Status CheckReadPosition(const ResultPlaces& places, uint64_t position);

// To acknowledge up to: those that are gone may be acknowledged again. INVALID_ARGUMENT.
Status CheckAcknowledgedPosition(const ResultPlaces& places, uint64_t position);

}  // namespace wb
