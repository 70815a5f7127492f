#include "tests/built_objects/built_objects.h"

#include <cstdlib>
#include <utility>

namespace wb::test {

BuiltObjects::BuiltObjects(const std::string& folder) {
  PipelineCache::Options options;
  options.directory = folder;
  // Processes share the folder, and so they share its key.
  if (!folder.empty()) options.key = CacheKey::OfFolder(folder, [](const std::string&) {});
  auto opened = PipelineCache::Open(std::move(options));
  if (opened.ok()) kept_ = std::move(opened).value();
}

BuiltObjects& BuiltObjects::OfThisRun() {
  static const char* const folder = std::getenv("WB_BUILT_OBJECTS");
  static BuiltObjects& objects = *new BuiltObjects(folder == nullptr ? "" : folder);
  return objects;
}

Result<Bytes> BuiltObjects::Get(const std::string& target, std::string_view text, Effort effort,
                                const Builder& build) {
  if (kept_ == nullptr) return build();
  CacheLabel label;
  label.module = Sha256(AsBytes(text));
  label.target = target + (effort == Effort::kQuick ? " / quick" : " / full");
  label.key = DigestBuilder().Add(label.target).Add(text).Finish();
  if (auto object = kept_->Load(label)) return std::move(*object);
  WB_ASSIGN(Bytes object, build());
  kept_->Store(label, object);
  return object;
}

Result<Bytes> BuildShared(Device& device, const LoweredModule& module, const KernelSource& source,
                          Effort effort) {
  if (device.info().engine != Engine::kCpu) return device.Build(module, source);
  return BuiltObjects::OfThisRun().Get(device.info().target, source.text, effort,
                                       [&] { return device.Build(module, source, effort); });
}

}  // namespace wb::test
