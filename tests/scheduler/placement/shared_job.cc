#include "tests/scheduler/placement/shared_job.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>

namespace wb::test {
namespace {

class SharedJob {
 public:
  SharedJob(const std::vector<SimulatedDevice>& devices, const std::vector<double>& lengths)
      : devices_(devices),
        lengths_(lengths),
        idle_(devices.size()),
        seats_(devices.size()),
        since_(lengths.size()),
        sat_since_(devices.size()) {
    end_.by_device.resize(devices.size());
    for (size_t device = 0; device < devices.size(); ++device) {
      for (uint32_t lane = 0; lane < devices[device].lanes; ++lane) {
        events_.push({devices[device].setup, device, kFree});
      }
      const SimulatedDevice& shape = devices[device];
      workers_.push_back({double(shape.lanes), shape.lane_time / shape.belief, shape.setup, 0, 0});
    }
  }

  SharedJobEnd Run() {
    while (!events_.empty() && end_.ended < lengths_.size()) {
      now_ = std::get<0>(events_.top());
      while (!events_.empty() && std::get<0>(events_.top()) <= now_ + kAtOnce) {
        Complete(std::get<1>(events_.top()), std::get<2>(events_.top()));
        events_.pop();
      }
      for (size_t i = 0; i < devices_.size(); ++i) Fill(i);
      Look();
      LeaveStragglers();
    }
    end_.seconds = now_;
    return end_;
  }

 private:
  static constexpr double kAtOnce = 1e-9;  // seconds
  static constexpr uint64_t kFree = ~uint64_t{0};
  using Event = std::tuple<double, size_t, uint64_t>;  // a lane is free, its instance has ended

  void Complete(size_t device, uint64_t instance) {
    ++idle_[device];
    if (instance == kFree) return;
    auto& seats = seats_[device];
    const auto seat = std::find(seats.begin(), seats.end(), instance);
    if (seat == seats.end()) return;  // started again elsewhere
    sat_since_[device] -= since_[instance];
    seats.erase(seat);
    --workers_[device].seated;
    ++end_.ended;
    ++end_.by_device[device];
  }

  // What the shares are told.
  void Look() {
    for (size_t i = 0; i < devices_.size(); ++i) {
      workers_[i].setup = std::max(0.0, devices_[i].setup - now_);
      const double seated = static_cast<double>(workers_[i].seated);
      workers_[i].age = seated > 0 ? now_ - sat_since_[i] / seated : 0;
    }
  }

  uint64_t waiting() const { return lengths_.size() - next_ + again_.size(); }

  void Fill(size_t device) {
    if (gone_ == device) return;
    Look();
    uint64_t count = std::min(idle_[device], ShareOut(workers_, waiting())[device]);
    for (; count > 0; --count) {
      uint64_t instance = next_;
      if (again_.empty()) {
        ++next_;
      } else {
        instance = again_.back();
        again_.pop_back();
      }
      --idle_[device];
      ++workers_[device].seated;
      seats_[device].push_back(instance);
      since_[instance] = now_;
      sat_since_[device] += now_;
      const double end = now_ + lengths_[instance] * devices_[device].lane_time;
      end_.spans.push_back({device, now_, end});
      events_.push({end, device, instance});
    }
  }

  void LeaveStragglers() {
    for (size_t i = 0; i < devices_.size() && devices_.size() > 1 && !gone_; ++i) {
      if (!IsStraggler(workers_, i, waiting())) continue;
      gone_ = i;
      again_ = std::exchange(seats_[i], {});
      workers_[i].lane_time = 0;
      workers_[i].seated = 0;
      for (size_t j = 0; j < devices_.size(); ++j) Fill(j);
    }
  }

  const std::vector<SimulatedDevice>& devices_;
  const std::vector<double>& lengths_;
  std::vector<Worker> workers_;
  std::vector<uint64_t> idle_;  // lanes
  std::vector<std::vector<uint64_t>> seats_;
  std::vector<double> since_;      // instances are seated
  std::vector<double> sat_since_;  // the sum of these, by device
  std::vector<uint64_t> again_;
  std::optional<size_t> gone_;
  uint64_t next_ = 0;
  double now_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  SharedJobEnd end_;
};

}  // namespace

SharedJobEnd RunShared(const std::vector<SimulatedDevice>& devices,
                       const std::vector<double>& lengths) {
  return SharedJob(devices, lengths).Run();
}

}  // namespace wb::test
