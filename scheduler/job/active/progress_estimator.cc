#include "scheduler/job/active/progress_estimator.h"

#include <algorithm>
#include <cmath>

namespace wb {
namespace {

using std::chrono::nanoseconds;

constexpr int kMomentsOfWindow = 16;
constexpr double kErrors = 2;                        // standard errors to each side
constexpr double kLongest = 100 * 365.25 * 86400.0;  // seconds; a range beyond is none

double InSeconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

nanoseconds TimeOf(double seconds) {
  return nanoseconds(static_cast<int64_t>(std::max(0.0, seconds) * 1e9));
}

}  // namespace

void ProgressEstimator::Window::Record(const Moment& moment) {
  if (!moments_.empty() && moment.at - moments_.back().at < length_ / kMomentsOfWindow) return;
  const auto is_old = [&](size_t i) { return moment.at - moments_[i].at >= length_; };
  while (moments_.size() > 1 && is_old(1)) moments_.erase(moments_.begin());
  moments_.push_back(moment);
}

void ProgressEstimator::Start(TimePoint now) {
  if (started_) return;
  started_ = now_.at = now;
  recent_.Record(now_);
  long_.Record(now_);
}

void ProgressEstimator::RecordEnded(uint64_t instances, uint64_t fuel, double fuel_squares,
                                    uint64_t longest) {
  now_.ended += static_cast<double>(instances);
  now_.ended_fuel += static_cast<double>(fuel);
  squares_ += fuel_squares;
  longest_ = std::max(longest_, static_cast<double>(longest));
}

void ProgressEstimator::Record(TimePoint now, uint64_t running, uint64_t running_fuel,
                               uint64_t left) {
  if (!started_) return;
  running_ = static_cast<double>(running);
  running_fuel_ = static_cast<double>(running_fuel);
  left_ = static_cast<double>(left);
  const double fuel = now_.ended_fuel + running_fuel_;
  if (fuel > now_.fuel) ++now_.launches;
  now_.at = now;
  now_.fuel = fuel;
  recent_.Record(now_);
  long_.Record(now_);
}

// Instances that start again take their fuel back, so that it may be less than before.
double ProgressEstimator::RateSince(const Moment& begin) const {
  if (now_.at - begin.at < kLeastSpan) return 0;
  return std::max(0.0, now_.fuel - begin.fuel) / InSeconds(now_.at - begin.at);
}

ProgressEstimator::Bounds ProgressEstimator::Rates() const {
  Bounds rates;
  for (const Window* window : {&recent_, &long_}) {
    const double rate = RateSince(window->begin());
    const auto launches = static_cast<double>(now_.launches - window->begin().launches);
    if (rate <= 0 || launches < 2) continue;
    const double least = rate * (launches - 1) / launches;
    rates.least = rates.least > 0 ? std::min(rates.least, least) : least;
    rates.most = std::max(rates.most, rate * (launches + 1) / launches);
  }
  return rates;
}

// As if one instance besides had shown that lengths differ as much as those that fail at any time
// alike: few of one length prove little.
double ProgressEstimator::Variation() const {
  const double mean = now_.ended_fuel / now_.ended;
  const double seen = std::max(0.0, squares_ / now_.ended / (mean * mean) - 1);
  return (seen * now_.ended + 1) / (now_.ended + 1);
}

double ProgressEstimator::Beyond() const {
  return std::max(0.0, running_fuel_ - running_ * now_.ended_fuel / now_.ended);
}

ProgressEstimator::Bounds ProgressEstimator::FuelPerInstance() const {
  const double variation = Variation();
  const double error = kErrors * std::sqrt(variation / now_.ended);
  const double mean = now_.ended_fuel / now_.ended;
  const double beyond = Beyond();
  const double hidden = beyond + std::min(1.0, variation) * (running_fuel_ - beyond);
  Bounds fuel{mean / (1 + error), (mean + hidden / now_.ended) * (1 + error)};
  const Moment& begin = recent_.begin();
  const double ended = now_.ended - begin.ended;
  if (ended < static_cast<double>(kFewestRecent)) return fuel;
  const double recent = (now_.ended_fuel - begin.ended_fuel) / ended;
  const double recent_error = kErrors * std::sqrt(variation / ended);
  fuel.least = std::min(fuel.least, recent / (1 + recent_error));
  fuel.most = std::max(fuel.most, recent * (1 + recent_error));
  return fuel;
}

// Running instances have done a part of theirs; the less lengths differ, the surer it is that they
// have less left.
ProgressEstimator::Bounds ProgressEstimator::Work() const {
  const Bounds fuel = FuelPerInstance();
  const double waiting = std::max(0.0, left_ - running_);
  const double beyond = Beyond();
  const double sure = (1 - std::min(1.0, Variation())) * (running_fuel_ - beyond);
  Bounds work;
  work.least = std::max(waiting * fuel.least, left_ * fuel.least - (running_fuel_ - beyond));
  work.most = std::max(waiting * fuel.most, left_ * fuel.most - sure);
  return work;
}

// Seconds from when no instance waits any more until the last one has ended: its lane's part of the
// rate is what runs it.
double ProgressEstimator::Tail(double rate) const { return longest_ * running_ / rate; }

JobForecast ProgressEstimator::Forecast() const {
  JobForecast forecast;
  if (!started_) return forecast;
  const double rate = RateSince(recent_.begin());
  if (rate > 0) forecast.instructions_per_second = rate;
  const Bounds rates = Rates();
  const bool has_ended = now_.ended >= static_cast<double>(kFewestEnded) && now_.ended_fuel > 0;
  if (!has_ended || rates.least <= 0 || left_ <= 0) return forecast;
  if (Beyond() > now_.ended_fuel) return forecast;
  const Bounds work = Work();
  const double most = work.most / rates.least + Tail(rates.least);
  if (!(most < kLongest)) return forecast;
  forecast.left = {TimeOf(work.least / rates.most), TimeOf(most)};
  return forecast;
}

}  // namespace wb
