#pragma once

// Blocks of results as they were written before there were columns: row after row, a bit for each
// part that is there. Databases have them, so they are read; none is written. Pure.

#include "daemon/database/byte_text.h"
#include "scheduler/job/result_batch.h"

namespace wb {

// What comes after the block's kind. The reader fails where that is no such block.
ResultBatch ReadBlockRows(ByteReader* in);

}  // namespace wb
