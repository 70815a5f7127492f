#pragma once

// A profile for people. Pure.

#include <cstddef>
#include <string>

#include "client/cli/profile/profile_tree.h"
#include "wasmburst/v1/profiles.pb.h"

namespace wb::cli {

// The functions and loops that used most themselves, `rows` of them, with what they used together
// with all that they called. Of calls of a function by itself the outermost counts.
std::string TopTable(const ProfileTree& tree, size_t rows);

// How much of the job was run again, and what of it was stopped midway; a line each.
std::string SampleText(const wasmburst::v1::Profile& profile);

// "12.3%"; of nothing "0.0%".
std::string ShareText(uint64_t part, uint64_t whole);

}  // namespace wb::cli
