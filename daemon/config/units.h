#pragma once

// Numbers with units, as people write them in the configuration.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wb {

// "500ms", "1.5s", "2m", "24h", "250us", "10ns" in nanoseconds. A unit is needed, except for 0.
std::optional<int64_t> ParseDuration(std::string_view text);

// "64MiB", "1GiB", "20GB", "4096", "512B": KiB, MiB, GiB, TiB by 1024, kB, MB, GB, TB by 1000.
std::optional<uint64_t> ParseByteSize(std::string_view text);

// The other way, by the largest unit of which it is a whole number: "90s", "64MiB", "1000".
std::string DurationText(int64_t nanoseconds);
std::string ByteSizeText(uint64_t bytes);

}  // namespace wb
