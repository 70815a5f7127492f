#pragma once

// The stand-in's classes behind Metal's protocols. C++ members are pointers: the old Objective-C
// runtime makes none for an object.

#import <Block.h>
#import <Metal/Metal.h>

#include <map>
#include <vector>

#include "compiler/base/mutex.h"
#include "scheduler/devices/cpu/shared_object.h"
#include "tests/standin/metal/state.h"

namespace wb::standin {

constexpr NSUInteger kBuffers = 9;  // of our kernel
using KernelFunction = void (*)(void*, void*, void*, void*, void*, void*, void*, void*, void*,
                                uint32_t);

// Metal's own checks end the process with a text of this kind.
[[noreturn]] void Assert(const char* what);

NSError* ErrorOf(NSString* domain, NSInteger code, const std::string& text);

}  // namespace wb::standin

@interface WBStandInObject : NSObject {
  NSString* label_;
}
@property(copy, atomic) NSString* label;
@end

@interface WBStandInCompiler : NSObject
- (id<MTLLibrary>)newLibraryWithSource:(NSString*)source
                               options:(MTLCompileOptions*)options
                                 error:(NSError**)error;
- (id<MTLComputePipelineState>)
    newComputePipelineStateWithDescriptor:(MTLComputePipelineDescriptor*)descriptor
                                  options:(MTLPipelineOption)options
                               reflection:(MTLAutoreleasedComputePipelineReflection*)reflection
                                    error:(NSError**)error;
- (id<MTLBinaryArchive>)newBinaryArchiveWithDescriptor:(MTLBinaryArchiveDescriptor*)descriptor
                                                 error:(NSError**)error;
@end

@interface WBStandInDevice : WBStandInCompiler <MTLDevice>
@end

@interface WBStandInBuffer : WBStandInObject <MTLBuffer> {
 @public
  uint8_t* bytes;
  NSUInteger bytesLength;
  void (^deallocator)(void*, NSUInteger);
}
@end

@interface WBStandInLibrary : WBStandInObject <MTLLibrary> {
 @public
  std::string* text;
}
@end

@interface WBStandInFunction : NSObject <MTLFunction> {
 @public
  WBStandInLibrary* library;
}
@end

@interface WBStandInArchive : NSObject <MTLBinaryArchive> {
 @public
  std::map<wb::Digest, wb::Bytes>* objects;
}
@end

@interface WBStandInPipeline : NSObject <MTLComputePipelineState> {
 @public
  wb::SharedObject* object;
  wb::standin::KernelFunction kernel;
}
@end

@interface WBStandInQueue : WBStandInObject <MTLCommandQueue>
@end

namespace wb::standin {

// One dispatch, or (without a pipeline) one fill.
struct Command {
  WBStandInPipeline* pipeline = nil;
  WBStandInBuffer* buffers[kBuffers] = {};
  NSUInteger offsets[kBuffers] = {};
  Bytes bytes[kBuffers];  // of setBytes
  uint32_t threads = 0;
  NSRange range = {0, 0};
  uint8_t value = 0;
};

}  // namespace wb::standin

@interface WBStandInCommandBuffer : WBStandInObject <MTLCommandBuffer> {
 @public
  std::vector<wb::standin::Command>* commands;
  std::vector<MTLCommandBufferHandler>* handlers;
  wb::Mutex* mutex;
  MTLCommandBufferStatus state;
  NSError* failure;
  double begin, end;
  NSUInteger openEncoders;
}
@end

@interface WBStandInEncoder : WBStandInObject <MTLComputeCommandEncoder, MTLBlitCommandEncoder> {
 @public
  WBStandInCommandBuffer* owner;
  wb::standin::Command* next;
}
@end
