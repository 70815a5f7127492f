#include "scheduler/control/energy_meter.h"

namespace wb {
namespace {

double InSeconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

void EnergyMeter::Record(const EnergySample& sample) {
  measures_ = measures_ || sample.joules || sample.watts;
  if (sample.joules) return RecordCounter(sample);
  begin_.reset();
  if (sample.watts) {
    any_ = {static_cast<double>(*sample.watts), sample.at};
    if (worked_.count() > 0) working_ = any_;
  }
  worked_ = {};
}

void EnergyMeter::RecordCounter(const EnergySample& sample) {
  const bool goes_on = begin_ && *sample.joules >= *begin_->joules;
  if (goes_on && sample.at - begin_->at < kShortestSpan) return;
  if (goes_on) {
    const double span = InSeconds(sample.at - begin_->at);
    const Power mean{(*sample.joules - *begin_->joules) / span, sample.at};
    if (InSeconds(worked_) >= kWorks * span) working_ = mean;
    any_ = mean;
  }
  if (sample.watts) any_ = {static_cast<double>(*sample.watts), sample.at};
  begin_ = sample;
  worked_ = {};
}

std::optional<double> EnergyMeter::Watts(TimePoint now) const {
  for (const std::optional<Power>& power : {working_, any_}) {
    if (power && now - power->at <= kRemembered) return power->watts;
  }
  return std::nullopt;
}

}  // namespace wb
