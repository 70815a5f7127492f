#pragma once

// What one look at a daemon found, and what is looked for.

#include <cstdint>
#include <optional>
#include <string>

#include "wasmburst/v1/admin.pb.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/tenants.pb.h"

namespace wb::cli {

enum class TopView : uint8_t { kDevices, kJobs, kTenants };

// What the next look must have, besides devices and jobs.
struct TopInterest {
  TopView view = TopView::kJobs;
  std::string job;  // whose page is open; empty: none
  bool paused = false;
};

struct TopFacts {
  int64_t unix_ns = 0;  // by the client's clock
  // Why the daemon did not answer; empty: it did. Then only unix_ns is set besides.
  std::string trouble;
  wasmburst::v1::ListDevicesResponse devices;
  wasmburst::v1::ListJobsResponse jobs;  // the newest
  // Bursts that ended since the look before.
  wasmburst::v1::BurstEvent bursts;
  // These are asked for less often, or only where they are shown; unset: as they were.
  std::optional<wasmburst::v1::ServerInfo> server;
  std::optional<wasmburst::v1::ListCacheResponse> cache;
  std::optional<wasmburst::v1::ListTenantsResponse> tenants;
  std::string tenants_trouble;  // why they may not be seen
  std::optional<wasmburst::v1::Job> page;
  std::string page_trouble;  // why the job of the open page is not there
};

// What became of something that a key asked for.
struct TopAnswer {
  std::string words;     // a line; empty: nothing to say
  std::string job;       // of `failures`
  std::string failures;  // the first ones, in lines
};

}  // namespace wb::cli
