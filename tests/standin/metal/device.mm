// The device, its memory, and what else of the system the Metal device asks.

#include <cstdlib>
#include <cstring>

#include "tests/standin/metal/objects.h"
#include "tests/standin/never_written.h"

using namespace wb::standin;

namespace {

constexpr int kNeverWritten = 0xcd;  // what fresh memory holds: zero by luck would hide mistakes

}  // namespace

NSArray* MTLCopyAllDevices(void) {
  NSMutableArray* devices = [[NSMutableArray alloc] init];
  for (uint32_t i = 0; i < Now().devices; ++i) {
    WBStandInDevice* device = [[WBStandInDevice alloc] init];
    [devices addObject:device];
    [device release];
  }
  return devices;
}

@implementation WBStandInObject
@synthesize label = label_;
- (void)dealloc {
  [label_ release];
  [super dealloc];
}
@end

@implementation WBStandInBuffer
- (NSUInteger)length {
  return bytesLength;
}
- (void*)contents {
  return bytes;
}
- (void)dealloc {
  if (deallocator != nil) {
    deallocator(bytes, bytesLength);
    Block_release(deallocator);
  } else {
    std::free(bytes);
  }
  if (bytes != nullptr) GiveMemory(bytesLength);
  [super dealloc];
}
@end

static WBStandInBuffer* NewBuffer(NSUInteger length) {
  if (length == 0) Assert("a buffer of no bytes");
  if (length > Now().max_buffer_bytes || !TakeMemory(length)) return nil;
  WBStandInBuffer* buffer = [[WBStandInBuffer alloc] init];
  buffer->bytesLength = length;
  return buffer;
}

@implementation WBStandInDevice
- (NSString*)name {
  return @"Stand-in";
}
- (uint64_t)registryID {
  return kRegistryId;
}
- (BOOL)isLowPower {
  return NO;
}
- (BOOL)isHeadless {
  return Now().headless;
}
- (BOOL)isRemovable {
  return NO;
}
- (BOOL)hasUnifiedMemory {
  return YES;
}
- (uint64_t)recommendedMaxWorkingSetSize {
  return Now().working_set_bytes;
}
- (NSUInteger)currentAllocatedSize {
  return MemoryInUse();
}
- (NSUInteger)maxBufferLength {
  return Now().max_buffer_bytes;
}
- (BOOL)supportsFamily:(MTLGPUFamily)gpuFamily {
  return static_cast<int64_t>(gpuFamily) <= Now().family;
}
- (id<MTLCommandQueue>)newCommandQueue {
  return [[WBStandInQueue alloc] init];
}
- (id<MTLBuffer>)newBufferWithLength:(NSUInteger)length options:(MTLResourceOptions)options {
  WBStandInBuffer* buffer = NewBuffer(length);
  if (buffer == nil) return nil;
  // Large ones are pages that cost nothing until they are touched.
  constexpr NSUInteger kFilled = NSUInteger{16} << 20;
  const bool is_large = length > kFilled;
  buffer->bytes = static_cast<uint8_t*>(is_large ? std::calloc(length, 1) : std::malloc(length));
  if (!is_large) wb::test::FillNeverWritten(buffer->bytes, length, kNeverWritten);
  if (options != MTLResourceStorageModeShared) Assert("a buffer that the host does not see");
  return buffer;
}
- (id<MTLBuffer>)newBufferWithBytes:(const void*)pointer
                             length:(NSUInteger)length
                            options:(MTLResourceOptions)options {
  WBStandInBuffer* buffer = (WBStandInBuffer*)[self newBufferWithLength:length options:options];
  if (buffer != nil) std::memcpy(buffer->bytes, pointer, length);
  return buffer;
}
- (id<MTLBuffer>)newBufferWithBytesNoCopy:(void*)pointer
                                   length:(NSUInteger)length
                                  options:(MTLResourceOptions)options
                              deallocator:(void (^)(void*, NSUInteger))deallocator {
  (void)options;
  const NSUInteger page = NSPageSize();
  if (reinterpret_cast<uintptr_t>(pointer) % page != 0) Assert("pointer is not page aligned");
  if (length % page != 0) Assert("length is not a multiple of the page size");
  WBStandInBuffer* buffer = Now().wraps_host_memory ? NewBuffer(length) : nil;
  if (buffer == nil) return nil;
  buffer->bytes = static_cast<uint8_t*>(pointer);
  buffer->deallocator = Block_copy(deallocator);
  return buffer;
}
@end

@implementation NSProcessInfo (WasmBurstStandIn)
- (NSProcessInfoThermalState)thermalState {
  return static_cast<NSProcessInfoThermalState>(Now().thermal_state);
}
- (BOOL)isLowPowerModeEnabled {
  return Now().low_power_mode;
}
@end

@interface WBStandInScope : WBStandInObject <MTLCaptureScope>
@end
@implementation WBStandInScope
- (void)beginScope {
}
- (void)endScope {
}
@end

@implementation MTLCaptureDescriptor
@synthesize captureObject = captureObject_;
@synthesize destination = destination_;
@synthesize outputURL = outputURL_;
- (void)dealloc {
  [captureObject_ release];
  [outputURL_ release];
  [super dealloc];
}
@end

@implementation MTLCaptureManager
+ (MTLCaptureManager*)sharedCaptureManager {
  static MTLCaptureManager* manager = [[MTLCaptureManager alloc] init];
  return manager;
}
- (id<MTLCaptureScope>)newCaptureScopeWithCommandQueue:(id<MTLCommandQueue>)commandQueue {
  (void)commandQueue;
  return [[WBStandInScope alloc] init];
}
- (BOOL)supportsDestination:(MTLCaptureDestination)destination {
  return destination == MTLCaptureDestinationGPUTraceDocument && Now().captures;
}
- (BOOL)startCaptureWithDescriptor:(MTLCaptureDescriptor*)descriptor error:(NSError**)error {
  (void)error;
  if (descriptor.captureObject == nil || descriptor.outputURL == nil) Assert("capture of nothing");
  RecordCapture();
  return YES;
}
- (void)stopCapture {
}
@end
