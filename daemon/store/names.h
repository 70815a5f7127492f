#pragma once

// Resource names ("modules/sha256:HEX", "jobs/ID"), job ids, cursors and page tokens.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/base/digest.h"
#include "compiler/base/status.h"

namespace wb {

std::string ModuleName(const Digest& digest);
Result<Digest> ParseModuleName(std::string_view name);  // INVALID_ARGUMENT

std::string InputName(const Digest& digest);
Result<Digest> ParseInputName(std::string_view name, std::string_view field);  // INVALID_ARGUMENT

std::string JobName(std::string_view id);
Result<std::string> ParseJobName(std::string_view name);  // the id; INVALID_ARGUMENT

std::string SessionName(std::string_view id);
Result<std::string> ParseSessionName(std::string_view name);  // the id; INVALID_ARGUMENT

std::string DeviceName(std::string_view id);
Result<std::string> ParseDeviceName(std::string_view name);  // the id; INVALID_ARGUMENT

// A ULID: 26 characters of Crockford's base 32; sorts by `unix_ms`. `random` are its low 80 bits.
std::string MakeJobId(uint64_t unix_ms, uint16_t random_high, uint64_t random_low);
bool IsJobId(std::string_view id);
uint64_t JobIdTime(std::string_view id);  // unix_ms of a job's id; 0: it is none

// A place in a job's row of results or changes: opaque to clients, valid for this job only.
std::string MakeCursor(std::string_view job_id, uint64_t position);
// INVALID_ARGUMENT naming `field`. "" is position 0.
Result<uint64_t> ParseCursor(std::string_view cursor, std::string_view job_id,
                             std::string_view field);

}  // namespace wb
