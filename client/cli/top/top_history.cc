#include "client/cli/top/top_history.h"

#include <algorithm>

#include "client/cli/output/print.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

// Of a total that may begin anew, when the daemon does.
double RateOf(double late, double early, double seconds) {
  return late >= early ? (late - early) / seconds : -1;
}

int64_t BeginOf(const v1::Burst& burst) {
  return burst.start_time().seconds() * 1'000'000'000 + burst.start_time().nanos();
}

}  // namespace

void TopHistory::Add(const TopFacts& facts) {
  if (!facts.trouble.empty()) {
    for (auto& [name, track] : tracks_) track.looked_ns = 0;
    return;
  }
  ++looks_;
  for (const v1::Job& job : facts.jobs.jobs()) {
    Follow(job.name(),
           {static_cast<double>(job.usage().fuel()), static_cast<double>(job.counts().finished()),
            Seconds(job.usage().device_time())},
           facts.unix_ns);
  }
  for (const v1::Device& device : facts.devices.devices()) {
    Follow(device.name(),
           {static_cast<double>(device.fuel()), static_cast<double>(device.instances()),
            Seconds(device.busy())},
           facts.unix_ns, RateOfJobs(facts.jobs, device.name()));
  }
  std::erase_if(tracks_, [this](const auto& one) { return one.second.last_look != looks_; });
  AddBursts(facts.bursts);
}

double TopHistory::RateOfJobs(const v1::ListJobsResponse& jobs, const std::string& device) const {
  const std::string short_name = device.substr(device.find('/') + 1);
  double sum = -1;
  for (const v1::Job& job : jobs.jobs()) {
    if (job.state() != v1::Job::RUNNING || job.device() != short_name) continue;
    const double rate = InstructionsPerSecond(job.name());
    if (rate >= 0) sum = std::max(sum, 0.0) + rate;
  }
  return sum;
}

void TopHistory::Follow(const std::string& name, const Totals& totals, int64_t now_ns,
                        double fuel_rate) {
  Track& track = tracks_[name];
  const double seconds = static_cast<double>(now_ns - track.looked_ns) / 1e9;
  track.instances_rate = track.busy_share = -1;
  if (track.looked_ns != 0 && seconds > 0) {
    if (fuel_rate < 0) fuel_rate = RateOf(totals.fuel, track.totals.fuel, seconds);
    track.instances_rate = RateOf(totals.instances, track.totals.instances, seconds);
    track.busy_share = RateOf(totals.busy_seconds, track.totals.busy_seconds, seconds);
  }
  // A first look has no rate, and no bar.
  if (track.looked_ns != 0) track.fuel_rates.push_back(fuel_rate);
  if (track.fuel_rates.size() > kLooks) track.fuel_rates.pop_front();
  track.looked_ns = now_ns;
  track.last_look = looks_;
  track.totals = totals;
}

void TopHistory::AddBursts(const v1::BurstEvent& event) {
  if (event.restarted()) bursts_.clear();
  for (const v1::Burst& burst : event.bursts()) {
    std::deque<v1::Burst>& kept = bursts_[burst.device()];
    kept.push_back(burst);
    if (kept.size() > kBursts) kept.pop_front();
  }
}

const TopHistory::Track* TopHistory::TrackOf(const std::string& name) const {
  const auto found = tracks_.find(name);
  return found == tracks_.end() || found->second.looked_ns == 0 ? nullptr : &found->second;
}

double TopHistory::InstructionsPerSecond(const std::string& name) const {
  const Track* track = TrackOf(name);
  return track == nullptr || track->fuel_rates.empty() ? -1 : track->fuel_rates.back();
}

double TopHistory::InstancesPerSecond(const std::string& name) const {
  const Track* track = TrackOf(name);
  return track == nullptr ? -1 : track->instances_rate;
}

double TopHistory::BusyShare(const std::string& device) const {
  const Track* track = TrackOf(device);
  return track == nullptr ? -1 : track->busy_share;
}

std::vector<double> TopHistory::Rates(const std::string& name) const {
  const auto found = tracks_.find(name);
  if (found == tracks_.end()) return {};
  return {found->second.fuel_rates.begin(), found->second.fuel_rates.end()};
}

std::vector<TimeSpan> TopHistory::Bursts(const std::string& device) const {
  std::vector<TimeSpan> spans;
  const auto found = bursts_.find(device);
  if (found == bursts_.end()) return spans;
  for (const v1::Burst& burst : found->second) {
    const int64_t begin = BeginOf(burst);
    spans.push_back({begin, begin + static_cast<int64_t>(Seconds(burst.duration()) * 1e9)});
  }
  return spans;
}

const v1::Burst* TopHistory::LastBurst(const std::string& device) const {
  const auto found = bursts_.find(device);
  return found == bursts_.end() || found->second.empty() ? nullptr : &found->second.back();
}

}  // namespace wb::cli
