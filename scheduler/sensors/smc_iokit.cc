// The SMC behind its driver, which needs no rights to be read. On macOS, and in tests over what
// stands in for IOKit.

#include <IOKit/IOKitLib.h>

#include <memory>
#include <utility>

#include "scheduler/sensors/smc_sensors.h"

namespace wb {
namespace {

constexpr uint32_t kMethod = 2;  // of the driver: a message in, a message out

class IoKitLine final : public SmcLine {
 public:
  explicit IoKitLine(io_connect_t connection) : connection_(connection) {}
  ~IoKitLine() override { IOServiceClose(connection_); }
  IoKitLine(const IoKitLine&) = delete;
  IoKitLine& operator=(const IoKitLine&) = delete;

  bool Exchange(const SmcMessage& asked, SmcMessage* said) override {
    size_t bytes = sizeof *said;
    return IOConnectCallStructMethod(connection_, kMethod, &asked, sizeof asked, said, &bytes) ==
               kIOReturnSuccess &&
           bytes == sizeof *said;
  }

 private:
  const io_connect_t connection_;
};

}  // namespace

Result<std::unique_ptr<Sensors>> OpenSmcSensors(MacPart part) {
  const io_service_t driver =
      IOServiceGetMatchingService(kIOMainPortDefault, IOServiceMatching("AppleSMC"));
  if (driver == 0) return Status(Reason::kConfigInvalid, "This Mac has no service AppleSMC.");
  io_connect_t connection = 0;
  const kern_return_t opened = IOServiceOpen(driver, mach_task_self(), 0, &connection);
  IOObjectRelease(driver);
  if (opened != kIOReturnSuccess) {
    return Status(Reason::kConfigInvalid,
                  "AppleSMC cannot be opened; IOKit said [" + std::to_string(opened) + "].");
  }
  return SmcSensors::Create(std::make_unique<IoKitLine>(connection), part);
}

}  // namespace wb
