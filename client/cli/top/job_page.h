#pragma once

// All that is known of one job, as lines. Pure.

#include <string>
#include <vector>

#include "client/cli/top/layout.h"
#include "client/cli/top/top_history.h"

namespace wb::cli {

struct JobPageFacts {
  const wasmburst::v1::Job& job;
  const TopHistory& history;
  std::string failures;  // the first ones, in lines; empty: they were not read
  int64_t now_unix_ns = 0;
  Glyphs glyphs = Glyphs::kUnicode;
};

// Of at most `width` characters each.
std::vector<TopLine> JobPage(const JobPageFacts& facts, size_t width);

}  // namespace wb::cli
