// What stands in for IOKit: two services, the SMC's driver and the GPU's entry in the registry, by
// the traits. Handles are counted, so that a test sees what was not given back.

#include <IOKit/IOKitLib.h>

#include <atomic>
#include <cstring>
#include <string>

#include "scheduler/sensors/smc.h"
#include "tests/standin/metal/objects.h"

using namespace wb::standin;

// What a search is for; the search consumes it.
struct __CFDictionary {
  std::string name;
  uint64_t entry = 0;
};

namespace {

enum : io_object_t { kSmcDriver = 0x501, kSmcConnection = 0x502, kGpuEntry = 0x503 };
constexpr kern_return_t kNotFound = 0x2f0;
constexpr kern_return_t kNotPermitted = 0x2e2;
constexpr uint8_t kNoSuchKey = 132;

std::atomic<int64_t> held{0};

io_object_t Hold(io_object_t object) {
  ++held;
  return object;
}

uint32_t NameOf(const std::string& text) {
  uint32_t key = 0;
  for (size_t i = 0; i < 4; ++i) key = key << 8 | static_cast<uint8_t>(text.at(i));
  return key;
}

// As the driver answers; every value is a float but those of keys that begin with '#'.
void Answer(const wb::SmcMessage& asked, wb::SmcMessage* said) {
  const Traits traits = Now();
  said->result = kNoSuchKey;
  uint32_t index = 0;
  for (const auto& [name, value] : traits.smc) {
    const uint32_t key = NameOf(name);
    const bool is_asked = asked.command == wb::kSmcKeyAt ? asked.index == index : asked.key == key;
    ++index;
    if (!is_asked) continue;
    said->result = 0;
    said->key = key;
    said->size = sizeof(float);
    said->type = name[0] == '#' ? wb::SmcName("ui32") : wb::kSmcFloat;
    if (asked.command == wb::kSmcRead) std::memcpy(said->value, &value, sizeof value);
  }
}

}  // namespace

namespace wb::standin {
int64_t HeldByIoKit() { return held; }
}  // namespace wb::standin

mach_port_t mach_task_self(void) { return 1; }
kern_return_t IOObjectRelease(io_object_t) {
  --held;
  return kIOReturnSuccess;
}
CFMutableDictionaryRef IOServiceMatching(const char* name) { return new __CFDictionary{name, 0}; }
CFMutableDictionaryRef IORegistryEntryIDMatching(uint64_t entryID) {
  return new __CFDictionary{"", entryID};
}

io_service_t IOServiceGetMatchingService(mach_port_t, CFDictionaryRef matching) {
  const __CFDictionary wanted = *matching;
  delete matching;
  if (wanted.name == "AppleSMC" && !Now().smc.empty()) return Hold(kSmcDriver);
  if (wanted.entry == kRegistryId) return Hold(kGpuEntry);
  return 0;
}

kern_return_t IOServiceOpen(io_service_t service, task_port_t task, uint32_t,
                            io_connect_t* connect) {
  if (service != kSmcDriver || task != mach_task_self()) return kNotFound;
  if (!Now().smc_opens) return kNotPermitted;
  *connect = Hold(kSmcConnection);
  return kIOReturnSuccess;
}
kern_return_t IOServiceClose(io_connect_t connect) {
  if (connect != kSmcConnection) Assert("this is no connection");
  --held;
  return kIOReturnSuccess;
}

kern_return_t IOConnectCallStructMethod(mach_port_t connection, uint32_t selector,
                                        const void* inputStruct, size_t inputStructCnt,
                                        void* outputStruct, size_t* outputStructCnt) {
  const bool fits = inputStructCnt == sizeof(wb::SmcMessage) && *outputStructCnt == inputStructCnt;
  if (connection != kSmcConnection || selector != 2 || !fits) return kNotFound;
  wb::SmcMessage asked, said;
  std::memcpy(&asked, inputStruct, sizeof asked);
  Answer(asked, &said);
  std::memcpy(outputStruct, &said, sizeof said);
  return kIOReturnSuccess;
}

CFTypeRef IORegistryEntrySearchCFProperty(io_registry_entry_t entry, const char*, CFStringRef key,
                                          CFAllocatorRef, IOOptionBits) {
  const bool is_asked = [(NSString*)key isEqualToString:@"gpu-core-count"];
  if (entry != kGpuEntry || !is_asked || Now().cores == 0) return nullptr;
  return [[NSNumber numberWithUnsignedInt:Now().cores] retain];
}
