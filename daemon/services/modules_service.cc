#include <google/protobuf/empty.pb.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "daemon/process/clock.h"
#include "daemon/services/owned.h"
#include "daemon/services/paging.h"
#include "daemon/services/services.h"
#include "daemon/services/upload_places.h"
#include "daemon/store/names.h"
#include "daemon/translate/translate_pipeline.h"
#include "daemon/translate/translate_time.h"
#include "daemon/translate/translate_value.h"
#include "daemon/translate/translate_view.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;
using google::protobuf::Empty;

Status ModuleTooLarge(uint64_t size, uint64_t most) {
  return Status(Reason::kLimitTooHigh,
                "The module has [" + std::to_string(size) + "] bytes or more; this daemon takes [" +
                    std::to_string(most) + "].",
                {{"field", "module"}, {"maximum", std::to_string(most)}});
}

Result<v1::Module> ToProto(Result<StoredModule> stored) {
  WB_ASSIGN(StoredModule module, std::move(stored));
  v1::Module proto;
  ModuleToProto(module, &proto);
  return proto;
}

// An upload in chunks.
class Upload : public StreamTarget {
 public:
  Upload(ServiceContextRef context, Caller caller, std::shared_ptr<void> place)
      : context_(std::move(context)), caller_(std::move(caller)), place_(std::move(place)) {}

  Status Add(const Message& message) override {
    const auto& chunk = static_cast<const v1::UploadModuleRequest&>(message);
    uint64_t most = context_->config->Get()->max_module_bytes;
    if (chunk.size_bytes() > most) return ModuleTooLarge(chunk.size_bytes(), most);
    if (bytes_.size() + chunk.data().size() > most) {
      return ModuleTooLarge(bytes_.size() + chunk.data().size(), most);
    }
    if (!chunk.sha256().empty()) sha256_ = chunk.sha256();
    if (chunk.size_bytes() != 0) size_ = chunk.size_bytes();
    validate_only_ = validate_only_ || chunk.validate_only();
    bytes_.insert(bytes_.end(), chunk.data().begin(), chunk.data().end());
    return {};
  }

  Result<MessagePtr> Finish() override {
    if (size_ != 0 && size_ != bytes_.size()) {
      return FieldError("size_bytes", "says [" + std::to_string(size_) + "], but [" +
                                          std::to_string(bytes_.size()) + "] bytes came");
    }
    if (!sha256_.empty() && Sha256(bytes_).Hex() != sha256_) {
      return Status(Reason::kDigestMismatch,
                    "The bytes that came have the digest [" + Sha256(bytes_).Hex() +
                        "], not the one announced.",
                    {{"field", "sha256"}});
    }
    WB_ASSIGN(v1::Module module, ToProto(StoreModule(*context_, caller_, bytes_, validate_only_)));
    return MessagePtr(std::make_unique<v1::Module>(std::move(module)));
  }

 private:
  const ServiceContextRef context_;
  const Caller caller_;
  const std::shared_ptr<void> place_;
  Bytes bytes_;
  std::string sha256_;
  uint64_t size_ = 0;
  bool validate_only_ = false;
};

// Of those that the caller may use, at most `limit`.
std::vector<StoredModule> VisibleModules(const ServiceContext& context, const Caller& caller,
                                         std::optional<Digest> after, size_t limit) {
  std::vector<StoredModule> visible;
  while (visible.size() < limit) {
    const std::vector<StoredModule> next = context.modules->List(after ? &*after : nullptr, limit);
    for (const StoredModule& stored : next) {
      after = stored.module->digest();
      if (MayUse(context, caller, OwnedKind::kModule, *after)) visible.push_back(stored);
      if (visible.size() == limit) break;
    }
    if (next.size() < limit) break;
  }
  return visible;
}

Result<v1::ListModulesResponse> ListModules(const ServiceContext& context, const Caller& caller,
                                            const v1::ListModulesRequest& request) {
  WB_ASSIGN(size_t size, PageSize(request.page_size()));
  std::optional<Digest> after;
  if (!request.page_token().empty()) {
    after = Digest::FromHex(request.page_token());
    if (!after) return FieldError("page_token", "was not given for this list");
  }
  auto modules = VisibleModules(context, caller, after, size + 1);
  v1::ListModulesResponse response;
  for (size_t i = 0; i < modules.size() && i < size; ++i) {
    ModuleToProto(modules[i], response.add_modules());
  }
  if (modules.size() > size) {
    response.set_next_page_token(modules[size - 1].module->digest().Hex());
  }
  return response;
}

Result<std::shared_ptr<const Module>> ModuleOf(const ServiceContext& context, const Caller& caller,
                                               const v1::CompileModuleRequest& request) {
  if (request.module_case() == v1::CompileModuleRequest::kWasm) {
    WB_ASSIGN(StoredModule stored, StoreModule(context, caller, AsBytes(request.wasm()), true));
    return stored.module;
  }
  WB_ASSIGN(Digest digest, ParseModuleName(request.name()));
  WB_ASSIGN(StoredModule stored, ModuleFor(context, caller, digest));
  return stored.module;
}

Result<Floats> FloatsFromProto(v1::CompileModuleRequest::TextFloats floats) {
  switch (floats) {
    case v1::CompileModuleRequest::TEXT_FLOATS_UNSPECIFIED:
    case v1::CompileModuleRequest::NATIVE: return Floats::kNative;
    case v1::CompileModuleRequest::METAL: return Floats::kMetal;
    case v1::CompileModuleRequest::FAST32: return Floats::kFast32;
    default: return FieldError("floats", "is not a known kind of floats");
  }
}

Result<v1::CompileModuleResponse> CompileModule(const ServiceContext& context,
                                                const v1::CompileModuleRequest& request,
                                                const Call& call) {
  KernelTextRequest wanted;
  wanted.is_unwanted = call.is_unwanted;
  wanted.ir = request.emit() == v1::CompileModuleRequest::IR;
  if (request.layout() == v1::CompileModuleRequest::INTERLEAVED) {
    wanted.layout = MemoryLayout::kInterleaved;
  }
  WB_ASSIGN(wanted.floats, FloatsFromProto(request.floats()));
  wanted.check = request.check();
  if (wanted.ir && wanted.check) return FieldError("check", "checks kernel text; emit MSL with it");
  WB_ASSIGN(wanted.module, ModuleOf(context, call.caller, request));
  WB_ASSIGN(KernelText text, context.kernel_texts(wanted));
  v1::CompileModuleResponse response;
  response.set_module(ModuleName(wanted.module->digest()));
  response.set_text(std::move(text.text));
  for (const Export& exported : wanted.module->exports) {
    if (exported.kind != ExternKind::kFunction) continue;
    ExportToProto(*wanted.module, exported, response.add_entry_points());
  }
  response.set_compiler_version(text.compiler_version);
  DurationToProto(text.compile_time, response.mutable_compile_time());
  response.set_checked(text.checked);
  for (std::string& finding : text.findings) response.add_findings(std::move(finding));
  return response;
}

Result<v1::ListPipelinesResponse> ListPipelines(const ServiceContext& context, const Caller& caller,
                                                const v1::ListPipelinesRequest& request) {
  WB_ASSIGN(const Digest digest, ParseModuleName(request.module()));
  WB_ASSIGN(const std::string device, ParseDeviceName(request.device()));
  WB_TRY(ModuleFor(context, caller, digest).status());
  WB_ASSIGN(const auto pipelines, context.scheduler->Pipelines(device, digest));
  v1::ListPipelinesResponse response;
  for (const PipelineStatus& status : pipelines) {
    v1::Pipeline* shown = response.add_pipelines();
    PipelineToProto(status, shown);
    if (caller.MaySeeAllJobs()) PipelineUseToProto(status, shown);
  }
  return response;
}

// Jobs that have not ended keep it on the disk: they need it if the daemon starts again.
bool IsModuleInUse(const ServiceContext& context, const Digest& digest) {
  const std::vector<JobInfo> jobs = context.intake->store().List(ActiveJobs(), "", SIZE_MAX).jobs;
  return std::any_of(jobs.begin(), jobs.end(), [&digest](const JobInfo& job) {
    const std::vector<LinkedModuleName>& linked = job.request->linked;
    return job.request->module == digest ||
           std::any_of(linked.begin(), linked.end(),
                       [&digest](const LinkedModuleName& part) { return part.module == digest; });
  });
}

// For the caller; for all once nobody owns it.
Status DeleteModule(const ServiceContext& context, const Caller& caller, const Digest& digest) {
  MutexLock lock(*context.module_changes);
  WB_TRY(ModuleFor(context, caller, digest).status());
  WB_ASSIGN(const bool is_last, Disown(context, caller, OwnedKind::kModule, digest));
  return is_last ? RemoveModule(context, digest) : Status();
}

Result<std::unique_ptr<StreamTarget>> OpenUpload(const ServiceContextRef& context,
                                                 const Caller& caller, UploadPlaces& places,
                                                 Whose whose) {
  WB_ASSIGN(std::shared_ptr<void> place, places.Take(whose));
  return std::unique_ptr<StreamTarget>(std::make_unique<Upload>(context, caller, std::move(place)));
}

// What is on the disk before others may find it in the store.
Result<StoredModule> PutModule(const ServiceContext& context, std::shared_ptr<const Module> module,
                               Status runnable) {
  const Digest digest = module->digest();
  if (context.module_blobs != nullptr) {
    if (context.disk_alarm != nullptr) WB_TRY(context.disk_alarm->Admit());
    WB_TRY(context.module_blobs->Put(digest, module->binary()));
  }
  Result<StoredModule> stored =
      context.modules->Put(std::move(module), std::move(runnable), UnixNow());
  if (!stored.ok() && context.module_blobs != nullptr && !IsModuleInUse(context, digest)) {
    (void)context.module_blobs->Remove(digest);
  }
  return stored;
}

}  // namespace

Result<StoredModule> StoreModule(const ServiceContext& context, const Caller& caller, ByteView wasm,
                                 bool validate_only) {
  if (wasm.size() > context.config->Get()->max_module_bytes) {
    return ModuleTooLarge(wasm.size(), context.config->Get()->max_module_bytes);
  }
  WB_ASSIGN(std::shared_ptr<const Module> module, Module::Decode(wasm));
  if (validate_only) return StoredModule{std::move(module), {}, 0};
  const Digest digest = module->digest();
  Status runnable;
  if (!context.modules->Get(digest).ok() && context.check_module) {
    runnable = context.check_module(module);
    if (runnable.reason() == Reason::kCompileTimeout) return runnable;
  }
  MutexLock lock(*context.module_changes);
  Result<StoredModule> stored = context.modules->Get(digest);
  if (!stored.ok()) stored = PutModule(context, std::move(module), std::move(runnable));
  if (stored.ok()) WB_TRY(context.owners->Add(OwnedKind::kModule, digest, caller.tenant));
  return stored;
}

Status RemoveModule(const ServiceContext& context, const Digest& digest) {
  WB_TRY(context.modules->Delete(digest));
  if (context.module_blobs == nullptr || IsModuleInUse(context, digest)) return {};
  return context.module_blobs->Remove(digest);
}

Status RestoreModule(const ServiceContext& context, ByteView wasm, int64_t create_unix_ns) {
  WB_ASSIGN(std::shared_ptr<const Module> module, Module::Decode(wasm));
  Status runnable = context.check_module ? context.check_module(module) : Status();
  return context.modules->Put(std::move(module), std::move(runnable), create_unix_ns).status();
}

MethodTable ModulesService(ServiceContextRef context) {
  MethodTable table("wasmburst.v1.Modules");
  auto places =
      std::make_shared<UploadPlaces>(context->config->Get()->max_uploads, "modules.max_uploads");
  table.AddUnary<v1::CreateModuleRequest>(
      "CreateModule", RunOn::kPool,
      [context](const v1::CreateModuleRequest& request, const Call& call) {
        return ToProto(
            StoreModule(*context, call.caller, AsBytes(request.wasm()), request.validate_only()));
      });
  table.AddClientStream<v1::UploadModuleRequest>(
      "UploadModule", [context, places](const Caller& caller, Whose whose) {
        return OpenUpload(context, caller, *places, whose);
      });
  table.AddUnary<v1::GetModuleRequest>(
      "GetModule", RunOn::kCaller,
      [context](const v1::GetModuleRequest& request, const Call& call) -> Result<v1::Module> {
        WB_ASSIGN(Digest digest, ParseModuleName(request.name()));
        return ToProto(ModuleFor(*context, call.caller, digest));
      });
  table.AddUnary<v1::ListModulesRequest>(
      "ListModules", RunOn::kCaller,
      [context](const v1::ListModulesRequest& request, const Call& call) {
        return ListModules(*context, call.caller, request);
      });
  table.AddUnary<v1::DeleteModuleRequest>(
      "DeleteModule", RunOn::kPool,
      [context](const v1::DeleteModuleRequest& request, const Call& call) -> Result<Empty> {
        WB_ASSIGN(Digest digest, ParseModuleName(request.name()));
        WB_TRY(DeleteModule(*context, call.caller, digest));
        return Empty();
      });
  table.AddUnary<v1::CompileModuleRequest>(
      "CompileModule", RunOn::kCompilePool,
      [context](const v1::CompileModuleRequest& request, const Call& call) {
        return CompileModule(*context, request, call);
      });
  table.AddUnary<v1::ListPipelinesRequest>(
      "ListPipelines", RunOn::kCaller,
      [context](const v1::ListPipelinesRequest& request, const Call& call) {
        return ListPipelines(*context, call.caller, request);
      });
  return table;
}

}  // namespace wb
