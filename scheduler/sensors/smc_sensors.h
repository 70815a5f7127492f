#pragma once

// A Mac's thermometers and the power that it draws as a whole, by its SMC.

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/base/status.h"
#include "scheduler/sensors/sensors.h"
#include "scheduler/sensors/smc.h"

namespace wb {

class SmcSensors final : public Sensors {
 public:
  // CONFIG_INVALID: there is neither a thermometer of that part nor the power.
  static Result<std::unique_ptr<Sensors>> Create(std::unique_ptr<SmcLine> line, MacPart part);

  Telemetry Read() override;
  std::string Words() const override;

 private:
  // Thermometers whose names begin alike.
  struct Family {
    std::string_view prefix;
    std::vector<uint32_t> keys;
  };

  explicit SmcSensors(std::unique_ptr<SmcLine> line) : smc_(std::move(line)) {}
  void Find(MacPart part);
  std::optional<float> Hottest(const Family& family);

  Smc smc_;
  std::vector<Family> families_;  // those that come first are asked first
  bool has_power_ = false;
};

}  // namespace wb
