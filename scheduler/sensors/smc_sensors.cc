#include "scheduler/sensors/smc_sensors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "scheduler/sensors/thermometers.h"

namespace wb {
namespace {

// By reports of people that compared them with load: Tg is the GPU of M1, M2 and M4. An M3 has its
// cores, the GPU's and the processors', under Tf. Tp and Te are fast and slow processors.
struct FamilyName {
  MacPart part;
  std::string_view prefix;
};
constexpr std::array<FamilyName, 5> kFamilies = {{{MacPart::kGpu, "Tg"},
                                                  {MacPart::kGpu, "Tf"},
                                                  {MacPart::kProcessors, "Tp"},
                                                  {MacPart::kProcessors, "Te"},
                                                  {MacPart::kProcessors, "Tf"}}};
constexpr uint32_t kPower = SmcName("PSTR");
constexpr size_t kMostOfAFamily = 64;  // each is a message at every look

bool Begins(uint32_t key, std::string_view prefix) {
  return key >> 24 == static_cast<uint8_t>(prefix[0]) &&
         (key >> 16 & 0xff) == static_cast<uint8_t>(prefix[1]);
}

}  // namespace

Result<std::unique_ptr<Sensors>> SmcSensors::Create(std::unique_ptr<SmcLine> line, MacPart part) {
  std::unique_ptr<SmcSensors> sensors(new SmcSensors(std::move(line)));
  sensors->Find(part);
  if (sensors->families_.empty() && !sensors->has_power_) {
    return Status(Reason::kConfigInvalid, "The SMC has no key for its heat or power.");
  }
  return std::unique_ptr<Sensors>(std::move(sensors));
}

void SmcSensors::Find(MacPart part) {
  const std::vector<uint32_t> keys = smc_.Keys();
  for (const FamilyName& name : kFamilies) {
    if (name.part != part) continue;
    Family family{name.prefix, {}};
    for (const uint32_t key : keys) {
      if (family.keys.size() == kMostOfAFamily) break;
      if (Begins(key, name.prefix) && smc_.IsFloat(key)) family.keys.push_back(key);
    }
    if (!family.keys.empty()) families_.push_back(std::move(family));
  }
  has_power_ = smc_.IsFloat(kPower);
}

// What is switched off says 0 or nonsense.
std::optional<float> SmcSensors::Hottest(const Family& family) {
  std::optional<float> hottest;
  for (const uint32_t key : family.keys) {
    const std::optional<float> celsius = smc_.Read(key);
    if (!celsius || !IsBelievable(*celsius)) continue;
    hottest = std::max(hottest.value_or(*celsius), *celsius);
  }
  return hottest;
}

Telemetry SmcSensors::Read() {
  Telemetry telemetry;
  for (const Family& family : families_) {
    telemetry.celsius = Hottest(family);
    if (telemetry.celsius) break;
  }
  if (has_power_) telemetry.watts = smc_.Read(kPower);
  if (telemetry.watts && !(*telemetry.watts >= 0)) telemetry.watts.reset();  // NaN as well
  return telemetry;
}

std::string SmcSensors::Words() const {
  std::string words = "SMC:";
  for (const Family& family : families_) {
    words += " " + std::to_string(family.keys.size()) + " thermometers " +
             std::string(family.prefix) + "*,";
  }
  if (families_.empty()) words += " no thermometer,";
  return words + (has_power_ ? " power of the whole Mac" : " no power");
}

}  // namespace wb
