#include "scheduler/devices/metal/metal_capture.h"

#include <cstdio>
#include <utility>

namespace wb {
namespace {

bool Start(id<MTLCommandQueue> queue, const std::string& path) {
  MTLCaptureManager* manager = [MTLCaptureManager sharedCaptureManager];
  if (![manager supportsDestination:MTLCaptureDestinationGPUTraceDocument]) return false;
  const auto how = Ref<MTLCaptureDescriptor*>::Owned([[MTLCaptureDescriptor alloc] init]);
  how.get().captureObject = queue;
  how.get().destination = MTLCaptureDestinationGPUTraceDocument;
  how.get().outputURL = [NSURL fileURLWithPath:[NSString stringWithUTF8String:path.c_str()]];
  NSError* error = nil;
  return [manager startCaptureWithDescriptor:how.get() error:&error];
}

}  // namespace

MetalCapture::MetalCapture(id<MTLCommandQueue> queue, std::string path)
    : queue_(queue),
      path_(std::move(path)),
      scope_(Ref<id<MTLCaptureScope>>::Owned(
          [[MTLCaptureManager sharedCaptureManager] newCaptureScopeWithCommandQueue:queue])) {
  scope_.get().label = @"launch";
}

void MetalCapture::Begin() {
  if (!path_.empty() && !(writes_ = Start(queue_, path_))) {
    std::fprintf(stderr, "Metal captures nothing into [%s]; is MTL_CAPTURE_ENABLED=1 set?\n",
                 path_.c_str());
  }
  path_.clear();
  [scope_.get() beginScope];
}

void MetalCapture::End() {
  [scope_.get() endScope];
  if (std::exchange(writes_, false)) [[MTLCaptureManager sharedCaptureManager] stopCapture];
}

}  // namespace wb
