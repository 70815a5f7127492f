#pragma once

// Launches as Xcode's profiler sees them. Each one is a capture scope. The first one is written to
// a .gputrace where a path was given (Metal allows it if MTL_CAPTURE_ENABLED=1 is set).

#import <Metal/Metal.h>

#include <string>

#include "scheduler/devices/metal/objc_ref.h"

namespace wb {

class MetalCapture {
 public:
  MetalCapture(id<MTLCommandQueue> queue, std::string path);

  class Scope {
   public:
    explicit Scope(MetalCapture& capture) : capture_(capture) { capture_.Begin(); }
    ~Scope() { capture_.End(); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    MetalCapture& capture_;
  };

 private:
  void Begin();
  void End();

  id<MTLCommandQueue> queue_;  // outlives this
  std::string path_;           // empty: nothing is to be written
  Ref<id<MTLCaptureScope>> scope_;
  bool writes_ = false;
};

}  // namespace wb
