#pragma once

// Lines of a trace as messages, with names and lines of sources. Not for several threads at once.

#include <cstdint>
#include <memory>

#include "daemon/services/trap_places.h"
#include "scheduler/devices/inspection.h"

namespace wasmburst::v1 {
class InstanceResult;
class ReplayEvent;
}  // namespace wasmburst::v1

namespace wb {

class TraceLines {
 public:
  // Different places that are looked up; further ones have numbers alone.
  static constexpr size_t kMostPlaces = 10000;

  TraceLines(std::shared_ptr<const ModuleStore> modules, std::shared_ptr<const JobRequest> request)
      : places_(std::move(modules), std::move(request), kMostPlaces) {}

  // `module`: that runs, in which the line's functions count. Nothing is added for what is no code
  // of a module that was given.
  void Add(const Module& module, const SeenLine& line, uint64_t number,
           wasmburst::v1::ReplayEvent* event);
  // Names and lines of its trap.
  void AddTo(wasmburst::v1::InstanceResult* result);

 private:
  TrapPlaces places_;
};

}  // namespace wb
