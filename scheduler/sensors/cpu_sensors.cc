#include <algorithm>
#include <fstream>
#include <utility>
#include <vector>

#include "scheduler/sensors/sensors.h"
#include "scheduler/sensors/thermometers.h"

namespace wb {
namespace {

constexpr std::chrono::milliseconds kShortestSpan{50};  // that power and load are counted over

// Ticks of all processors, from the first line of /proc/stat.
struct Ticks {
  uint64_t busy = 0;
  uint64_t all = 0;
};

class CpuSensors final : public Sensors {
 public:
  CpuSensors(const std::string& root, Clock& clock)
      : clock_(clock),
        stat_(root + "/proc/stat"),
        thermometers_(FindThermometers(root)),
        energy_(FindEnergyCounters(root)),
        throttles_(FindThrottleCounters(root)),
        microjoules_(energy_.size()) {}

  Telemetry Read() override;

 private:
  std::optional<float> Hottest() const;
  std::optional<float> Limit() const;
  std::optional<Ticks> ReadTicks() const;
  std::optional<double> CountJoules();
  std::optional<float> Utilisation();
  void RecordEnergy(std::optional<double> joules, double seconds);
  bool Throttled();

  Clock& clock_;
  const std::string stat_;
  const std::vector<std::string> thermometers_;
  const std::vector<EnergyCounter> energy_;
  const std::vector<std::string> throttles_;

  // As of the last count.
  std::optional<TimePoint> counted_;
  std::vector<std::optional<int64_t>> microjoules_;
  double joules_ = 0;  // since the first count
  std::optional<Ticks> ticks_;
  std::optional<int64_t> throttled_;
  Telemetry last_;
};

std::optional<float> CpuSensors::Hottest() const {
  std::optional<float> hottest;
  for (const std::string& thermometer : thermometers_) {
    const auto thousandths = ReadNumber(thermometer);
    if (!thousandths) continue;
    const float celsius = static_cast<float>(*thousandths) / 1000;
    if (!IsBelievable(celsius)) continue;
    hottest = std::max(hottest.value_or(celsius), celsius);
  }
  return hottest;
}

// Of all packages together; none where one has none.
std::optional<float> CpuSensors::Limit() const {
  if (energy_.empty()) return std::nullopt;
  float limit = 0;
  for (const EnergyCounter& counter : energy_) {
    if (!counter.watts_limit) return std::nullopt;
    limit += *counter.watts_limit;
  }
  return limit;
}

// Since the last count. Counters that only root may read are left out as a whole: a part of the
// power would mislead.
std::optional<double> CpuSensors::CountJoules() {
  double joules = 0;
  bool complete = !energy_.empty();
  for (size_t i = 0; i < energy_.size(); ++i) {
    const std::optional<int64_t> now = ReadNumber(energy_[i].microjoules);
    const std::optional<int64_t> before = std::exchange(microjoules_[i], now);
    complete = complete && now && before;
    if (!complete) continue;
    int64_t used = *now - *before;
    if (used < 0) used += static_cast<int64_t>(energy_[i].wraps_at);
    joules += static_cast<double>(std::max<int64_t>(0, used)) / 1e6;
  }
  if (!complete) return std::nullopt;
  return joules;
}

std::optional<Ticks> CpuSensors::ReadTicks() const {
  std::ifstream file(stat_);
  std::string name;
  uint64_t user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, soft = 0, stolen = 0;
  file >> name >> user >> nice >> system >> idle >> waiting >> irq >> soft >> stolen;
  if (!file || name != "cpu") return std::nullopt;
  const uint64_t busy = user + nice + system + irq + soft + stolen;
  return Ticks{busy, busy + idle + waiting};
}

std::optional<float> CpuSensors::Utilisation() {
  const std::optional<Ticks> now = ReadTicks();
  const std::optional<Ticks> before = std::exchange(ticks_, now);
  if (!now || !before || now->all <= before->all || now->busy < before->busy) return std::nullopt;
  return static_cast<float>(now->busy - before->busy) / static_cast<float>(now->all - before->all);
}

bool CpuSensors::Throttled() {
  int64_t count = 0;
  for (const std::string& counter : throttles_) count += ReadNumber(counter).value_or(0);
  const std::optional<int64_t> before = std::exchange(throttled_, count);
  return before && count > *before;
}

void CpuSensors::RecordEnergy(std::optional<double> joules, double seconds) {
  last_.watts.reset();
  last_.joules.reset();
  if (!joules) return;
  last_.joules = joules_ += *joules;
  if (seconds > 0) last_.watts = static_cast<float>(*joules / seconds);
}

Telemetry CpuSensors::Read() {
  const TimePoint now = clock_.Now();
  if (!counted_ || now - *counted_ >= kShortestSpan) {
    const double seconds = counted_ ? std::chrono::duration<double>(now - *counted_).count() : 0;
    RecordEnergy(CountJoules(), seconds);
    last_.utilisation = Utilisation();
    last_.throttled = Throttled();
    counted_ = now;
  }
  last_.celsius = Hottest();
  last_.watts_limit = Limit();
  return last_;
}

}  // namespace

std::unique_ptr<Sensors> OpenCpuSensors(const std::string& root, Clock& clock) {
#ifdef __APPLE__
  auto sensors = OpenSmcSensors(MacPart::kProcessors);
  if (sensors.ok()) return std::move(sensors).value();
#endif
  return std::make_unique<CpuSensors>(root, clock);
}

}  // namespace wb
