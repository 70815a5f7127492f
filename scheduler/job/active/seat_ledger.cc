#include "scheduler/job/active/seat_ledger.h"

#include <algorithm>
#include <vector>

#include "compiler/base/check.h"

namespace wb {
namespace {

using Seconds = std::chrono::duration<double>;

double SecondsOf(TimePoint time) { return Seconds(time.time_since_epoch()).count(); }

}  // namespace

void SeatLedger::Leave(const std::string& device) {
  WB_CHECK(seated(device) == 0);
  parts_.erase(device);
}

std::string SeatLedger::Names() const {
  std::string names;
  for (const auto& [id, part] : parts_) names += (names.empty() ? "" : ", ") + id;
  return names;
}

void SeatLedger::SetTaking(const std::string& device, bool takes) {
  const auto part = parts_.find(device);
  if (part != parts_.end()) part->second.takes = takes;
}

void SeatLedger::SetPace(const std::string& device, const Worker& pace, TimePoint now) {
  const auto part = parts_.find(device);
  if (part == parts_.end()) return;
  part->second.pace = pace;
  part->second.starts = now + std::chrono::duration_cast<TimePoint::duration>(Seconds(pace.setup));
}

void SeatLedger::Seat(const std::string& device, uint64_t count, TimePoint now) {
  if (count == 0) return;
  Part& part = parts_[device];
  const double before = static_cast<double>(part.seated);
  const double more = static_cast<double>(count);
  part.since = (part.since * before + SecondsOf(now) * more) / (before + more);
  part.seated += count;
  seated_ += count;
}

void SeatLedger::Unseat(const std::string& device, uint64_t count) {
  if (count == 0) return;
  Part& part = parts_[device];
  WB_CHECK(part.seated >= count);
  part.seated -= count;
  seated_ -= count;
}

uint64_t SeatLedger::seated(const std::string& device) const {
  const auto part = parts_.find(device);
  return part == parts_.end() ? 0 : part->second.seated;
}

double SeatLedger::AgeOf(const Part& part, TimePoint now) {
  return part.seated == 0 ? 0 : std::max(0.0, SecondsOf(now) - part.since);
}

double SeatLedger::Age(const std::string& device, TimePoint now) const {
  const auto part = parts_.find(device);
  return part == parts_.end() ? 0 : AgeOf(part->second, now);
}

uint64_t SeatLedger::Allowance(const std::string& device, uint64_t waiting, TimePoint now) const {
  if (parts_.size() < 2) return waiting;
  std::vector<Worker> workers;
  size_t own = 0;
  for (const auto& [id, part] : parts_) {
    if (id == device) own = workers.size();
    workers.push_back(part.pace);
    if (!part.takes) workers.back().lane_time = 0;
    workers.back().setup = std::max(0.0, Seconds(part.starts - now).count());
    workers.back().seated = part.seated;
    workers.back().age = AgeOf(part, now);
  }
  return ShareOut(workers, waiting)[own];
}

}  // namespace wb
