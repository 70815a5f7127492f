#pragma once

// Uploaded inputs in memory and, where the daemon's state lasts, on the disk: an input that is not
// in memory any more is read again.

#include "daemon/services/services.h"

namespace wb {

// The bytes of an upload whose digest this is. What has not been used for longest, and is not in
// use, makes room on the disk. NOSPACE, IO_ERROR.
Status KeepInput(const ServiceContext& context, const Digest& digest, ByteView bytes);

// The upload was not taken: it was no column, or there is no memory. Jobs that use it keep it.
void ForgetInput(const ServiceContext& context, const Digest& digest);

// NOT_FOUND; STORE_FULL: there is no room in memory; IO_ERROR: its bytes are damaged.
Result<StoredInput> InputOf(const ServiceContext& context, const Digest& digest);

// Inputs make room for others, and their owners are kept a while in case they come again. When
// those are twice as many as inputs may be, they go.
void ForgetOwnersOfGoneInputs(const ServiceContext& context);

// Jobs that use it keep it. NOT_FOUND.
Status DeleteInput(const ServiceContext& context, const Digest& digest);

}  // namespace wb
