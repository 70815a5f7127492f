#pragma once

// MigrationRule: whether an instance that leaves a device takes its state along: where copying that
// is quicker than running again what it has run. Pure; of one device, one thread.

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace wb {

class MigrationRule {
 public:
  // How long the export of `bytes` of images took.
  void Record(uint64_t bytes, std::chrono::nanoseconds took) {
    const double seconds = std::chrono::duration<double>(took).count();
    if (bytes < kTelling || seconds <= 0) return;
    const double now = static_cast<double>(bytes) / seconds;
    bytes_per_s_ += kWeight * (now - bytes_per_s_);
  }

  // `fuel_per_s`: that all lanes together run of the module where it goes to.
  bool Pays(uint64_t bytes, uint64_t fuel, double fuel_per_s) const {
    const double copied = 2 * static_cast<double>(bytes) / bytes_per_s_;  // out and in
    return copied < static_cast<double>(fuel) / std::max(fuel_per_s, 1.0);
  }

 private:
  // Less is mostly the call's own time.
  static constexpr uint64_t kTelling = uint64_t{1} << 20;
  static constexpr double kWeight = 0.3;
  double bytes_per_s_ = 1e9;
};

}  // namespace wb
