#pragma once

// Which places among a job's results a client may name by a cursor. Pure.

#include <cstdint>

#include "compiler/base/status.h"
#include "daemon/store/job_record.h"

namespace wb {

// To read from: the results there are held, or come next. INVALID_ARGUMENT; CURSOR_EXPIRED, with
// the oldest cursor that may be read.
Status CheckReadPosition(const JobRecord& record, uint64_t position);

// To acknowledge up to: those that are gone may be acknowledged again. INVALID_ARGUMENT.
Status CheckAcknowledgedPosition(const JobRecord& record, uint64_t position);

}  // namespace wb
