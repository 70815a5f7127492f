#include "scheduler/run/launches/kept_inputs.h"

#include <iterator>
#include <string>
#include <utility>

#include "scheduler/base/quoted.h"

namespace wb {
namespace {

Status InputTooLong(const DeviceInfo& info, uint64_t bytes, uint64_t most, uint32_t percent) {
  return Status(Reason::kNoDeviceFits,
                "An input of the job has " + Quoted(bytes) + " bytes. On the device " +
                    Quoted(info.id) + " inputs may have " + Quoted(most) + ", " +
                    Quoted(uint64_t{percent}) +
                    " percent of its memory for instances. Raise engine.input_percent or "
                    "engine.memory_bytes, or let the job run on another device.");
}

}  // namespace

KeptInputRef KeptInputs::Find(const Digest& digest) {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    KeptInputRef kept = entry->kept.lock();
    if (kept == nullptr) {
      entry = Drop(entry);
    } else if (entry->digest == digest) {
      entries_.splice(entries_.begin(), entries_, entry);
      return kept;
    } else {
      ++entry;
    }
  }
  return nullptr;
}

Result<KeptInputRef> KeptInputs::Take(Device& device, const InputBytes& input) {
  if (KeptInputRef kept = Find(input.digest)) return kept;
  const bool is_mapped = device.info().maps_inputs;
  const uint64_t bytes = is_mapped ? 0 : input.bytes.size();
  if (bytes > most()) return InputTooLong(device.info(), bytes, most(), percent_);
  if (!MakeRoom(bytes)) return KeptInputRef();
  WB_ASSIGN(KeptInputRef kept, Upload(device, input));
  if (kept == nullptr) return kept;
  entries_.push_front({input.digest, bytes, kept, is_mapped ? nullptr : kept});
  bytes_ += bytes;
  memory_.Keep(bytes);
  return kept;
}

// A device may have less memory than it told.
Result<KeptInputRef> KeptInputs::Upload(Device& device, const InputBytes& input) {
  Result<KeptInputRef> kept = device.Keep(input);
  while (!kept.ok() && kept.status().reason() == Reason::kNoDeviceFits && DropOldest()) {
    kept = device.Keep(input);
  }
  if (kept.ok() || kept.status().reason() != Reason::kNoDeviceFits) return kept;
  if (!memory_.empty()) return KeptInputRef();  // dispatches give some back
  return kept;
}

bool KeptInputs::MakeRoom(uint64_t bytes) {
  while (bytes_ + bytes > most() || bytes > memory_.left()) {
    if (!DropOldest()) return false;
  }
  return true;
}

// False: all that are left are read by dispatches, or cost nothing.
bool KeptInputs::DropOldest() {
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->bytes == 0 || !entry->IsIdle()) continue;
    Drop(std::prev(entry.base()));
    return true;
  }
  return false;
}

bool KeptInputs::DropIdle(const Digest& wanted) {
  const uint64_t before = bytes_;
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    entry = entry->IsIdle() && entry->digest != wanted ? Drop(entry) : std::next(entry);
  }
  return bytes_ < before;
}

std::list<KeptInputs::Entry>::iterator KeptInputs::Drop(std::list<Entry>::iterator entry) {
  bytes_ -= entry->bytes;
  memory_.GiveUp(entry->bytes);
  return entries_.erase(entry);
}

void KeptInputs::Clear() {
  while (!entries_.empty()) Drop(entries_.begin());
}

}  // namespace wb
