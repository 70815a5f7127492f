#include "scheduler/devices/cuda/cuda_context.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace wb {
namespace {

// Numbers of the driver's interface (cuda.h).
constexpr unsigned kBlockingWaits = 4;
constexpr unsigned kNonBlockingStream = 1;
constexpr int kProcessors = 16;
constexpr int kThreadsPerProcessor = 39;
constexpr int kSharedBytes = 97;  // that a block may ask for
constexpr int kBus = 33;
constexpr int kBusDevice = 34;
constexpr int kBusDomain = 50;
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;
constexpr int kMapsMemory = 102;
constexpr unsigned kLeastGranularity = 0;
constexpr uint64_t kLeastAllocation = 64;
constexpr size_t kPieceBytes = size_t{64} << 20;  // of a long copy to the GPU

}  // namespace

Result<std::shared_ptr<CudaContext>> CudaContext::Open(CudaDriverRef driver, int ordinal,
                                                       bool low_priority) {
  int count = 0;
  WB_CUDA_TRY(*driver, device_count, (&count));
  if (ordinal < 0 || ordinal >= count) {
    return Status(Reason::kConfigInvalid,
                  "There is no GPU [" + std::to_string(ordinal) + "]; the driver finds [" +
                      std::to_string(count) + "], counted from 0.",
                  {{"gpus", std::to_string(count)}});
  }
  std::shared_ptr<CudaContext> context(new CudaContext(std::move(driver)));
  context->gpus_ = static_cast<uint32_t>(count);
  WB_TRY(context->Describe(ordinal));
  const CudaDriver& calls = *context->driver_;
  WB_CUDA_TRY(calls, context_flags, (context->device_, kBlockingWaits));
  WB_CUDA_TRY(calls, context_retain, (&context->context_, context->device_));
  WB_TRY(context->Enter());
  WB_TRY(context->CreateStreams(low_priority));
  context->granule_ = context->FindGranule();
  return context;
}

// Copies keep their priority: while one waits, so does whoever waits for its launch.
Status CudaContext::CreateStreams(bool low_priority) {
  const CudaDriver& calls = *driver_;
  const bool can = calls.stream_priorities != nullptr && calls.stream_create_with != nullptr;
  int least = 0, greatest = 0;
  const bool has_priorities =
      low_priority && can && calls.stream_priorities(&least, &greatest) == 0;
  for (void*& stream : launch_streams_) {
    if (!has_priorities) break;
    WB_CUDA_TRY(calls, stream_create_with, (&stream, kNonBlockingStream, least));
  }
  for (void** stream : Streams()) {
    if (*stream == nullptr) WB_CUDA_TRY(calls, stream_create, (stream, kNonBlockingStream));
  }
  return {};
}

Status CudaContext::Describe(int ordinal) {
  WB_CUDA_TRY(*driver_, device_get, (&device_, ordinal));
  char name[256] = {};
  WB_CUDA_TRY(*driver_, device_name, (name, sizeof name - 1, device_));
  name_ = name;
  const auto attribute = [this](int which, uint32_t* value) -> Status {
    int number = 0;
    WB_CUDA_TRY(*driver_, device_attribute, (&number, which, device_));
    *value = static_cast<uint32_t>(number);
    return {};
  };
  uint32_t major = 0, minor = 0, threads = 0;
  WB_TRY(attribute(kCapabilityMajor, &major));
  WB_TRY(attribute(kCapabilityMinor, &minor));
  WB_TRY(attribute(kProcessors, &processors_));
  WB_TRY(attribute(kThreadsPerProcessor, &threads));
  WB_TRY(attribute(kSharedBytes, &shared_bytes_));
  capability_ = major * 10 + minor;
  most_threads_ = processors_ * threads;
  bus_ = FindBus();
  return {};
}

// Only the sensors want it, so it may be missing.
std::string CudaContext::FindBus() const {
  int domain = 0, bus = 0, device = 0;
  for (const auto& [which, value] :
       {std::pair(kBusDomain, &domain), {kBus, &bus}, {kBusDevice, &device}}) {
    if (driver_->device_attribute(value, which, device_) != 0) return "";
  }
  char text[32];
  std::snprintf(text, sizeof text, "%08x:%02x:%02x.0", static_cast<unsigned>(domain),
                static_cast<unsigned>(bus), static_cast<unsigned>(device));
  return text;
}

// 0 where the driver or the GPU cannot map memory. Dispatches then allocate all of it at once.
uint64_t CudaContext::FindGranule() const {
  int maps = 0;
  if (!driver_->MapsMemory()) return 0;
  if (driver_->device_attribute(&maps, kMapsMemory, device_) != 0 || maps == 0) return 0;
  CudaAllocation of;
  of.place.device = device_;
  size_t bytes = 0;
  if (driver_->memory_granularity(&bytes, &of, kLeastGranularity) != 0) return 0;
  return (bytes & (bytes - 1)) == 0 ? bytes : 0;
}

std::array<void**, CudaContext::kLaunchStreams + 4> CudaContext::Streams() {
  return {&launch_streams_[0], &launch_streams_[1], &launch_streams_[2], &upload_stream_,
          &download_stream_,   &stop_stream_,       &move_stream_};
}

CudaContext::~CudaContext() {
  if (context_ == nullptr) return;
  if (Enter().ok()) {
    for (void** stream : Streams()) {
      if (*stream != nullptr) driver_->stream_destroy(*stream);
    }
  }
  driver_->context_release(device_);
}

Status CudaContext::Enter() const {
  WB_CUDA_TRY(*driver_, context_current, (context_));
  return {};
}

Status CudaContext::WithoutKernel(const std::function<Status()>& work) const {
  Status status;
  WithIdleGpu([&] {
    status = work();
    return 0;
  });
  return status;
}

Result<uint64_t> CudaContext::FreeBytes() const {
  size_t free = 0, total = 0;
  WB_CUDA_TRY(*driver_, memory_info, (&free, &total));
  return uint64_t{free};
}

Result<CudaBuffer> CudaBuffer::Allocate(CudaContextRef context, uint64_t bytes) {
  CudaBuffer buffer;
  const CudaDriver& driver = context->driver();
  const int result = context->WithIdleGpu(
      [&] { return driver.memory_alloc(&buffer.address_, std::max(bytes, kLeastAllocation)); });
  if (result != 0) return driver.Error("memory_alloc", result);
  buffer.context_ = std::move(context);
  return buffer;
}

Result<CudaBuffer> CudaBuffer::Holding(CudaContextRef context, const std::vector<uint32_t>& words) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(words.data());
  return Holding(std::move(context), ByteView(bytes, words.size() * sizeof(uint32_t)));
}

Result<CudaBuffer> CudaBuffer::Holding(CudaContextRef context, ByteView bytes) {
  WB_ASSIGN(CudaBuffer buffer, Allocate(std::move(context), (bytes.size() + 3) / 4 * 4));
  const CudaContext& at = *buffer.context_;
  for (size_t done = 0; done < bytes.size(); done += kPieceBytes) {
    const size_t piece = std::min(kPieceBytes, bytes.size() - done);
    WB_CUDA_TRY(at.driver(), copy_to_device,
                (buffer.address_ + done, bytes.data() + done, piece, at.upload_stream()));
    // The caller's bytes may be gone when this returns.
    WB_CUDA_TRY(at.driver(), stream_synchronize, (at.upload_stream()));
  }
  return buffer;
}

CudaBuffer::~CudaBuffer() {
  if (address_ == 0) return;
  context_->WithIdleGpu([this] { return context_->driver().memory_free(address_); });
}

}  // namespace wb
