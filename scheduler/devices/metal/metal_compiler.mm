#include "scheduler/devices/metal/metal_compiler.h"

#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "compiler/base/digest.h"
#include "scheduler/devices/compile/compile_report.h"
#include "scheduler/devices/compile/private_folder.h"
#include "scheduler/devices/metal/metal_binary.h"

namespace wb {
namespace {

using Descriptor = Ref<MTLComputePipelineDescriptor*>;
using Archive = Ref<id<MTLBinaryArchive>>;

constexpr const char* kArchiveName = "pipeline.metalarchive";
constexpr std::chrono::seconds kMostLoadTime{50};  // the daemon waits 60 s for a Load

Status Refused(const char* what, NSError* error) {
  return {Reason::kCompileFailed,
          std::string(what) + ": " + FirstLines(ErrorOf(error).text, 8) + "."};
}

std::string KeyOf(std::string_view text) { return DigestBuilder().Add(text).Finish().Hex(); }

NSURL* UrlOf(const std::string& folder) {
  return
      [NSURL fileURLWithPath:[NSString stringWithUTF8String:(folder + "/" + kArchiveName).c_str()]];
}

// Correctly rounded and without fused operations, which the text also asks for itself.
Ref<MTLCompileOptions*> Options() {
  const auto options = Ref<MTLCompileOptions*>::Owned([[MTLCompileOptions alloc] init]);
  options.get().languageVersion = MTLLanguageVersion2_4;
  if (@available(macOS 14.0, *)) options.get().languageVersion = MTLLanguageVersion3_1;
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  options.get().fastMathEnabled = NO;
#pragma clang diagnostic pop
  if (@available(macOS 15.0, *)) {
    options.get().mathMode = MTLMathModeSafe;
    options.get().mathFloatingPointFunctions = MTLMathFloatingPointFunctionsPrecise;
  }
  return options;
}

Result<Descriptor> Describe(id<MTLDevice> device, std::string_view text) {
  const auto source = Ref<NSString*>::Owned([[NSString alloc] initWithBytes:text.data()
                                                                     length:text.size()
                                                                   encoding:NSUTF8StringEncoding]);
  NSError* error = nil;
  const auto library = Ref<id<MTLLibrary>>::Owned([device newLibraryWithSource:source.get()
                                                                       options:Options().get()
                                                                         error:&error]);
  // With warnings there are both a library and an error.
  if (!library) return Refused("Metal does not compile the kernel", error);
  const auto function = Ref<id<MTLFunction>>::Owned([library.get() newFunctionWithName:@"wb_main"]);
  if (!function) return Status(Reason::kCompileFailed, "The kernel text has no [wb_main].");
  auto descriptor = Descriptor::Owned([[MTLComputePipelineDescriptor alloc] init]);
  descriptor.get().label = @"wb_main";
  descriptor.get().computeFunction = function.get();
  descriptor.get().threadGroupSizeIsMultipleOfThreadExecutionWidth = YES;
  return descriptor;
}

Result<MetalKernel> MakeKernel(id<MTLDevice> device, const Descriptor& descriptor) {
  NSError* error = nil;
  auto kernel =
      MetalKernel::Owned([device newComputePipelineStateWithDescriptor:descriptor.get()
                                                               options:MTLPipelineOptionNone
                                                            reflection:nullptr
                                                                 error:&error]);
  if (!kernel) return Refused("Metal makes no pipeline of the kernel", error);
  return kernel;
}

// The archive. Empty where Metal writes none: Load then compiles again.
Bytes ArchiveOf(id<MTLDevice> device, const Descriptor& descriptor, const std::string& folder) {
  NSError* error = nil;
  const auto blank =
      Ref<MTLBinaryArchiveDescriptor*>::Owned([[MTLBinaryArchiveDescriptor alloc] init]);
  const auto archive = Archive::Owned([device newBinaryArchiveWithDescriptor:blank.get()
                                                                       error:&error]);
  const auto place = PrivateFolder::Create(folder);
  if (!archive || !place.ok()) return {};
  if (![archive.get() addComputePipelineFunctionsWithDescriptor:descriptor.get() error:&error] ||
      ![archive.get() serializeToURL:UrlOf(place->path()) error:&error]) {
    return {};
  }
  Result<Bytes> bytes = place->Read(kArchiveName);
  return bytes.ok() ? std::move(bytes).value() : Bytes{};
}

Archive OpenArchive(id<MTLDevice> device, ByteView bytes, const PrivateFolder& place) {
  if (bytes.empty() || !place.Write(kArchiveName, AsText(bytes)).ok()) return {};
  const auto named =
      Ref<MTLBinaryArchiveDescriptor*>::Owned([[MTLBinaryArchiveDescriptor alloc] init]);
  named.get().url = UrlOf(place.path());
  NSError* error = nil;
  return Archive::Owned([device newBinaryArchiveWithDescriptor:named.get() error:&error]);
}

// Runs `work` on a thread of its own, which is left behind when the time is over. `work` must own
// what it uses.
template <typename T>
Result<T> Within(std::chrono::milliseconds limit, std::function<Result<T>()> work) {
  struct Shared {
    Mutex mutex;
    CondVar ended;
    std::optional<Result<T>> result WB_GUARDED_BY(mutex);
  };
  const auto shared = std::make_shared<Shared>();
  std::thread([shared, work = std::move(work)] {
    @autoreleasepool {
      Result<T> result = work();
      MutexLock lock(shared->mutex);
      shared->result = std::move(result);
      shared->ended.NotifyAll();
    }
  }).detach();
  const auto until = std::chrono::steady_clock::now() + limit;
  MutexLock lock(shared->mutex);
  while (!shared->result) {
    if (!shared->ended.WaitUntil(shared->mutex, until) && !shared->result) {
      return Status(Reason::kCompileTimeout, "Metal's compiler did not end within [" +
                                                 std::to_string(limit.count()) +
                                                 "] ms; its service may hang.");
    }
  }
  return std::move(*shared->result);
}

struct Built {
  MetalKernel kernel;
  Bytes archive;
};

}  // namespace

MetalCompiler::MetalCompiler(MetalGpuRef gpu, const MetalSettings& settings)
    : gpu_(std::move(gpu)),
      work_directory_(settings.work_directory),
      max_time_(settings.compile.max_time),
      max_text_bytes_(settings.options.max_text_bytes) {}

Result<Bytes> MetalCompiler::Build(const std::string& text) const {
  if (text.size() > max_text_bytes_) {
    return Status(Reason::kCompileFailed, "The kernel text has [" + std::to_string(text.size()) +
                                              "] bytes; metal.max_text_bytes allows [" +
                                              std::to_string(max_text_bytes_) + "].");
  }
  const std::function<Result<Built>()> work = [gpu = gpu_, text,
                                               folder = work_directory_]() -> Result<Built> {
    WB_ASSIGN(const Descriptor descriptor, Describe(gpu->device(), text));
    Built built;
    WB_ASSIGN(built.kernel, MakeKernel(gpu->device(), descriptor));
    built.archive = ArchiveOf(gpu->device(), descriptor, folder);
    return built;
  };
  WB_ASSIGN(const Built built, Within(max_time_, work));
  MutexLock lock(memory_->mutex);
  memory_->kernels.Put(KeyOf(text), built.kernel, 1);
  return EncodeMetalBinary({text, built.archive});
}

Result<MetalKernel> MetalCompiler::Load(ByteView binary) const {
  WB_ASSIGN(const MetalBinary parts, DecodeMetalBinary(binary));
  const std::string key = KeyOf(parts.text);
  {
    MutexLock lock(memory_->mutex);
    if (const MetalKernel* known = memory_->kernels.Find(key)) return *known;
  }
  const std::function<Result<MetalKernel>()> work =
      [gpu = gpu_, folder = work_directory_, text = std::string(parts.text),
       archived = Bytes(parts.archive.begin(), parts.archive.end())]() -> Result<MetalKernel> {
    WB_ASSIGN(const PrivateFolder place, PrivateFolder::Create(folder));
    const Archive archive = OpenArchive(gpu->device(), archived, place);
    WB_ASSIGN(const Descriptor descriptor, Describe(gpu->device(), text));
    if (archive) descriptor.get().binaryArchives = [NSArray arrayWithObject:archive.get()];
    return MakeKernel(gpu->device(), descriptor);
  };
  WB_ASSIGN(MetalKernel kernel,
            Within(std::min<std::chrono::milliseconds>(max_time_, kMostLoadTime), work));
  MutexLock lock(memory_->mutex);
  memory_->kernels.Put(key, kernel, 1);
  return kernel;
}

}  // namespace wb
