#pragma once

// Devices, jobs and tenants as rows. Pure.

#include <string>

#include "client/cli/top/layout.h"
#include "client/cli/top/top_facts.h"
#include "client/cli/top/top_history.h"

namespace wb::cli {

// The time that a device's timeline shows, up to `now_unix_ns` by the daemon's clock.
inline constexpr int64_t kTimelineNs = 60'000'000'000;
inline constexpr size_t kTimelineWidth = 30;
inline constexpr size_t kSparklineWidth = 12;

ViewTable DeviceRows(const TopFacts& facts, const TopHistory& history, int64_t now_unix_ns,
                     Glyphs glyphs);
ViewTable JobRows(const TopFacts& facts, const TopHistory& history, Glyphs glyphs);
ViewTable TenantRows(const wasmburst::v1::ListTenantsResponse& tenants);

// Instances that ended as they were not meant to: all but those that returned or exited.
uint64_t FailedInstances(const wasmburst::v1::Counts& counts);
bool JobHasEnded(wasmburst::v1::Job::State state);
// "1.28 G"; "-" below zero.
std::string RateNumber(double rate);
// Behind the "/": "cpu0" of "devices/cpu0".
std::string ShortName(const std::string& name);

}  // namespace wb::cli
