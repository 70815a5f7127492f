#pragma once

// A run over many modules: batches on several threads, progress on stderr, differences made small
// and kept.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/fuzzer.h"

namespace wb::fuzz {

struct CampaignSettings {
  FuzzerSetup setup;
  uint64_t modules = 100;
  uint64_t seed = 1;  // of the first module; the others follow
  uint32_t batch = 16;
  uint32_t jobs = 1;
  std::optional<uint32_t> variant;  // none: all, one after the other
  uint32_t shrink_tries = 300;      // 0: differences are kept as they are
  std::filesystem::path folder;     // for cases; empty: they are not kept
  bool shows_progress = true;
};

struct CampaignResult {
  Counts counts;
  std::vector<Finding> findings;  // by module
};

// Error: what a thread could not open or write.
Result<CampaignResult> RunCampaign(const CampaignSettings& settings, const Source& source);

}  // namespace wb::fuzz
