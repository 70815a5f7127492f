// Command queue, command buffers and encoders: what they are given, the GPU's thread does in order.

#include <chrono>
#include <cstring>
#include <thread>

#include "compiler/base/flush_subnormals.h"
#include "tests/standin/metal/objects.h"

NSString* const MTLCommandBufferErrorDomain = @"MTLCommandBufferErrorDomain";

namespace wb::standin {
namespace {

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

constexpr NSUInteger kControl = 6;  // the buffer in which our kernels look for the host's word

// A copy of a buffer for kernels that do not see what the host writes meanwhile; what they wrote
// themselves goes back.
class Unseen {
 public:
  explicit Unseen(WBStandInBuffer* buffer)
      : buffer_(buffer), before_(buffer->bytes, buffer->bytes + buffer->bytesLength) {
    copy_ = before_;
  }
  ~Unseen() {
    for (size_t at = 0; at + 4 <= copy_.size(); at += 4) {
      if (std::memcmp(&copy_[at], &before_[at], 4) != 0) {
        std::memcpy(buffer_->bytes + at, &copy_[at], 4);
      }
    }
  }
  void* bytes() { return copy_.data(); }

 private:
  WBStandInBuffer* buffer_;
  Bytes before_, copy_;
};

void Dispatch(const Command& command, double share) {
  void* arguments[kBuffers];
  for (NSUInteger i = 0; i < kBuffers; ++i) {
    const bool has_bytes = !command.bytes[i].empty();
    if (!has_bytes && command.buffers[i] == nil) Assert("missing buffer binding");
    arguments[i] = has_bytes ? const_cast<uint8_t*>(command.bytes[i].data())
                             : command.buffers[i]->bytes + command.offsets[i];
  }
  std::optional<Unseen> unseen;
  if (!Now().sees_host_writes) {
    unseen.emplace(command.buffers[kControl]);
    arguments[kControl] = unseen->bytes();
  }
  const FlushSubnormals flushing;  // as Apple's GPUs do in every mode
  const auto threads = static_cast<uint32_t>(command.threads * share);
  for (uint32_t gid = 0; gid < threads; ++gid) {
    command.pipeline->kernel(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                             arguments[5], arguments[6], arguments[7], arguments[8], gid);
  }
}

void Do(const Command& command, double share) {
  if (command.pipeline != nil) return Dispatch(command, share);
  std::memset(command.buffers[0]->bytes + command.range.location, command.value,
              command.range.length);
}

}  // namespace
}  // namespace wb::standin

using namespace wb::standin;

@implementation MTLCommandBufferDescriptor
@synthesize retainedReferences = retainedReferences_;
@synthesize errorOptions = errorOptions_;
- (id)init {
  if ((self = [super init])) retainedReferences_ = YES;
  return self;
}
@end

@implementation WBStandInQueue
- (id<MTLCommandBuffer>)commandBufferWithDescriptor:(MTLCommandBufferDescriptor*)descriptor {
  if (!descriptor.retainedReferences) Assert("the stand-in retains what is referenced");
  return [[[WBStandInCommandBuffer alloc] init] autorelease];
}
@end

@implementation WBStandInCommandBuffer
- (id)init {
  if ((self = [super init])) {
    commands = new std::vector<Command>;
    handlers = new std::vector<MTLCommandBufferHandler>;
    mutex = new wb::Mutex;
  }
  return self;
}
// What a command buffer refers to is given up when it has completed, before its handlers run:
// whoever has waited for them finds the memory free.
- (void)forget {
  for (Command& command : *commands) {
    [command.pipeline release];
    for (WBStandInBuffer* buffer : command.buffers) [buffer release];
  }
  commands->clear();
}
- (void)dealloc {
  [self forget];
  delete commands;
  delete handlers;
  delete mutex;
  [failure release];
  [super dealloc];
}
- (MTLCommandBufferStatus)status {
  wb::MutexLock lock(*mutex);
  return state;
}
- (NSError*)error {
  return failure;
}
- (CFTimeInterval)GPUStartTime {
  return begin;
}
- (CFTimeInterval)GPUEndTime {
  return end;
}
- (WBStandInEncoder*)encoder {
  if (openEncoders != 0) Assert("a second encoder before the first has ended");
  ++openEncoders;
  WBStandInEncoder* encoder = [[[WBStandInEncoder alloc] init] autorelease];
  encoder->owner = [self retain];
  encoder->next = new Command;
  return encoder;
}
- (id<MTLComputeCommandEncoder>)computeCommandEncoder {
  return [self encoder];
}
- (id<MTLBlitCommandEncoder>)blitCommandEncoder {
  return [self encoder];
}
- (void)addCompletedHandler:(MTLCommandBufferHandler)block {
  if ([self status] >= MTLCommandBufferStatusCommitted) Assert("a handler after commit");
  handlers->push_back(Block_copy(block));
}
- (void)commit {
  if (openEncoders != 0) Assert("commit before endEncoding");
  if ([self status] >= MTLCommandBufferStatusCommitted) Assert("committed twice");
  {
    wb::MutexLock lock(*mutex);
    state = MTLCommandBufferStatusCommitted;
  }
  [self retain];
  RecordCommitted();
  RunOnGpu([self] { [self run]; });
}
- (void)run {
  @autoreleasepool {
    const Verdict verdict = NextVerdict();
    begin = Seconds();
    std::this_thread::sleep_for(Now().command_time);
    for (const Command& command : *commands) Do(command, verdict.share);
    end = Seconds();
    if (verdict.code != 0) {
      // Apple documents no number for what is not in MTLCommandBufferError.
      const int64_t code = verdict.code == kInteractivity ? 1 : verdict.code;
      failure = [ErrorOf(MTLCommandBufferErrorDomain, code, verdict.text) retain];
    }
    [self forget];
    {
      wb::MutexLock lock(*mutex);
      state = failure != nil ? MTLCommandBufferStatusError : MTLCommandBufferStatusCompleted;
    }
    RecordCompleted();
    for (MTLCommandBufferHandler handler : *handlers) {
      handler(self);
      Block_release(handler);
    }
    handlers->clear();
  }
  [self release];
}
@end

@implementation WBStandInEncoder
- (void)setComputePipelineState:(id<MTLComputePipelineState>)state {
  next->pipeline = (WBStandInPipeline*)state;
}
- (void)setBuffer:(id<MTLBuffer>)buffer offset:(NSUInteger)offset atIndex:(NSUInteger)index {
  if (index >= kBuffers || offset % 4 != 0 || offset >= [buffer length]) Assert("a bad binding");
  next->buffers[index] = (WBStandInBuffer*)buffer;
  next->offsets[index] = offset;
  next->bytes[index].clear();
}
- (void)setBytes:(const void*)bytes length:(NSUInteger)length atIndex:(NSUInteger)index {
  if (index >= kBuffers || length == 0 || length > 4096) Assert("setBytes of more than 4 KiB");
  const auto* from = static_cast<const uint8_t*>(bytes);
  next->bytes[index].assign(from, from + length);
}
- (void)dispatchThreadgroups:(MTLSize)groups threadsPerThreadgroup:(MTLSize)threads {
  if (next->pipeline == nil) Assert("a dispatch without a pipeline");
  const NSUInteger most = [next->pipeline maxTotalThreadsPerThreadgroup];
  const NSUInteger width = threads.width * threads.height * threads.depth;
  if (width == 0 || width > most || width % 32 != 0) Assert("a bad threadgroup");
  if (groups.height != 1 || groups.depth != 1) Assert("a grid of one dimension is expected");
  next->threads = static_cast<uint32_t>(groups.width * width);
  Command command = *next;  // the encoder's state stays for the next dispatch
  [command.pipeline retain];
  for (WBStandInBuffer* buffer : command.buffers) [buffer retain];
  owner->commands->push_back(command);
}
- (void)fillBuffer:(id<MTLBuffer>)buffer range:(NSRange)range value:(uint8_t)value {
  if (range.location % 4 != 0 || range.length % 4 != 0) Assert("a fill not of whole words");
  if (range.length == 0 || NSMaxRange(range) > [buffer length]) Assert("a fill outside its buffer");
  Command command;
  command.buffers[0] = [(WBStandInBuffer*)buffer retain];
  command.range = range;
  command.value = value;
  owner->commands->push_back(command);
}
- (void)endEncoding {
  --owner->openEncoders;
}
- (void)dealloc {
  delete next;
  [owner release];
  [super dealloc];
}
@end
