#include "scheduler/pipelines/build_request.h"

#include <utility>

namespace wb {

Digest PipelineKeyOf(const LoweredKernel& lowered, const std::string& target) {
  DigestBuilder builder;
  builder.Add(lowered.module->program.module->digest().bytes);
  builder.Add(lowered.source.digest.bytes).Add(target).Add(uint64_t{lowered.source.text.empty()});
  return builder.Finish();
}

bool HasQuickBuild(const DeviceInfo& device, uint64_t text_bytes) {
  return text_bytes >= device.quick_text_from && text_bytes < device.quick_text_below;
}

Digest BuildRequest::DiskKeyOf(const Digest& key, Effort effort) {
  if (effort != Effort::kQuick) return key;
  return DigestBuilder().Add(key.bytes).Add("quick").Finish();
}

CacheLabel BuildRequest::Label(Effort effort) const {
  return {DiskKey(effort), lowered->module->program.module->digest(), target};
}

PreparedPipeline BuildRequest::With(std::shared_ptr<const Bytes> binary, Effort effort) const {
  const bool fast32 = on_disk() && lowered->source.options.floats == Floats::kFast32;
  KernelBuild build = effort == Effort::kQuick ? KernelBuild::kQuick : KernelBuild::kFull;
  if (!on_disk()) build = KernelBuild::kInterpreted;
  return {key, lowered->module, std::move(binary), fast32, build, effort == Effort::kBest};
}

BuildRequest RequestFor(LoweredRef lowered, BuildTarget& device) {
  const DeviceInfo info = device.info();
  BuildRequest request;
  request.device = &device;
  request.target = info.target;
  request.key = PipelineKeyOf(*lowered, request.target);
  request.has_quick = HasQuickBuild(info, lowered->source.text.size());
  request.lowered = std::move(lowered);
  return request;
}

}  // namespace wb
