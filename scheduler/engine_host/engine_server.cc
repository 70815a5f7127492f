#include "scheduler/engine_host/engine_server.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "scheduler/base/quoted.h"
#include "scheduler/devices/inspection.h"
#include "scheduler/engine_host/inspection_messages.h"
#include "scheduler/engine_host/lane_transfer.h"
#include "scheduler/engine_host/messages.h"

namespace wb {
namespace {

constexpr uint32_t kMostBuilds = 64;  // threads, whatever Hello says

Status NoSuch(const std::string& what, uint64_t handle) {
  return Status(Reason::kInternal, "The engine host has no " + what + " " + Quoted(handle) + ".");
}

}  // namespace

EngineServer::EngineServer(UniqueFd socket, DeviceMaker maker, uint32_t max_message_bytes,
                           std::string isolation)
    : channel_(std::move(socket), max_message_bytes),
      maker_(std::move(maker)),
      isolation_(std::move(isolation)) {}

void EngineServer::Serve() {
  if (!Greet()) return;
  while (std::optional<Channel::Message> message = channel_.Receive()) {
    auto call = std::make_shared<Call>();
    if (!call->request.ParseFromString(message->bytes)) return;
    call->fd = std::move(message->fd);
    Dispatch(std::move(call));
  }
}

// False: there is no device, and the other end has the error.
bool EngineServer::Greet() {
  std::optional<Channel::Message> message = channel_.Receive();
  Request request;
  if (!message || !request.ParseFromString(message->bytes) || !request.has_hello()) return false;
  if (request.hello().version() != CompilerVersion()) {
    Answer(request.id(),
           Status(Reason::kIoError, "The engine host is of version " + Quoted(CompilerVersion()) +
                                        " and the daemon of " + Quoted(request.hello().version()) +
                                        ". Install both from one build."));
    return false;
  }
  auto device = maker_(request.hello(), memory_);
  if (!device.ok()) {
    Answer(request.id(), device.status());
    return false;
  }
  device_ = std::move(device).value();
  builds_ =
      std::make_unique<WorkQueue>(std::clamp(request.hello().compile_parallel(), 1u, kMostBuilds));
  Reply reply;
  Put(device_->info(), *reply.mutable_info());
  reply.mutable_info()->set_isolation(isolation_);
  Answer(request.id(), reply);
  return true;
}

void EngineServer::Answer(uint64_t id, const Result<Reply>& reply) {
  Reply out;
  if (reply.ok()) {
    out = *reply;
  } else {
    Put(reply.status(), *out.mutable_error());
  }
  out.set_id(id);
  const Status fits = channel_.CheckFits(out.ByteSizeLong(), "from the engine host");
  if (!fits.ok()) {
    out.Clear();
    Put(fits, *out.mutable_error());
    out.set_id(id);
  }
  (void)channel_.Send(out.SerializeAsString());  // no listener: Serve() ends too
}

void EngineServer::Dispatch(CallRef call) {
  const Request& request = call->request;
  if (request.has_stop()) {
    device_->Stop();
    // A launch that was requested before the stop may still have to begin.
    return owner_.Post([this] { device_->Stop(); });
  }
  if (request.has_build()) {
    return builds_->Post([this, call = std::move(call)] {
      Answer(call->request.id(), Build(call->request.build()));
    });
  }
  owner_.Post([this, call = std::move(call)] {
    (void)ended_launches_.load(std::memory_order_acquire);
    const Request& owned = call->request;
    if (owned.has_drop_pipeline()) {
      pipelines_.erase(owned.drop_pipeline());
    } else if (owned.has_drop_dispatch()) {
      dispatches_.erase(owned.drop_dispatch());
    } else if (owned.has_drop_input()) {
      inputs_.erase(owned.drop_input());
    } else if (owned.has_launch()) {
      Launch(owned.id(), owned.launch());
    } else {
      Answer(owned.id(), Own(*call));
    }
  });
}

Result<EngineServer::Reply> EngineServer::Own(Call& call) {
  switch (call.request.body_case()) {
    case Request::kLoad: return Load(call.request.id(), call.request.load());
    case Request::kKeep: return Keep(call);
    case Request::kAllocate: return Allocate(call);
    case Request::kAdopt: return Adopt(call.request.adopt());
    case Request::kExportLanes: return ExportLanes(call);
    case Request::kImportLanes: return ImportLanes(call);
    case Request::kInspect: return Inspect(call.request.inspect());
    case Request::kSample: return Sample();
    default: return Status(Reason::kInternal, "The engine host does not know this request.");
  }
}

Result<EngineServer::Reply> EngineServer::Build(const wasmburst::engine::Build& build) {
  WB_ASSIGN(const KernelSource source, SourceOf(build));
  WB_ASSIGN(const auto lowered, modules_.Load(AsBytes(build.wasm())));
  WB_ASSIGN(const Effort effort, EffortOf(build));
  WB_ASSIGN(const Bytes binary, device_->Build(*lowered, source, effort));
  Reply reply;
  reply.set_binary(binary.data(), binary.size());
  return reply;
}

Result<EngineServer::Reply> EngineServer::Load(uint64_t id, const wasmburst::engine::Load& load) {
  WB_ASSIGN(auto lowered, modules_.Load(AsBytes(load.wasm())));
  const std::string& binary = load.binary_is_wasm() ? load.wasm() : load.binary();
  WB_ASSIGN(PipelineRef pipeline, device_->Load(std::move(lowered), AsBytes(binary)));
  Reply reply;
  Put(pipeline->facts(), *reply.mutable_facts());
  pipelines_[id] = std::move(pipeline);
  reply.set_handle(id);
  return reply;
}

Result<EngineServer::Reply> EngineServer::Keep(const Call& call) {
  const wasmburst::engine::Keep& keep = call.request.keep();
  InputBytes input;
  if (keep.bytes() == 0 || keep.digest().size() != input.digest.bytes.size()) {
    return Status(Reason::kInternal, "An input to keep has no bytes or no digest.");
  }
  WB_ASSIGN(std::shared_ptr<HostRegion> region, MapSharedToRead(call.fd.get(), keep.bytes()));
  std::copy(keep.digest().begin(), keep.digest().end(), input.digest.bytes.begin());
  input.bytes = region->bytes();
  input.owner = std::move(region);
  WB_ASSIGN(inputs_[call.request.id()], device_->Keep(input));
  Reply reply;
  reply.set_handle(call.request.id());
  return reply;
}

Result<EngineServer::Reply> EngineServer::Allocate(Call& call) {
  const wasmburst::engine::Allocate& allocate = call.request.allocate();
  const auto pipeline = pipelines_.find(allocate.pipeline());
  if (pipeline == pipelines_.end()) return NoSuch("pipeline", allocate.pipeline());
  memory_->Offer(std::move(call.fd));
  DispatchShape shape = ShapeOf(allocate);
  if (allocate.kept() != 0) {
    const auto kept = inputs_.find(allocate.kept());
    if (kept == inputs_.end()) return NoSuch("input", allocate.kept());
    shape.kept = kept->second;
  }
  WB_ASSIGN(auto dispatch, device_->Allocate(pipeline->second, shape));
  dispatches_[call.request.id()] = std::move(dispatch);
  Reply reply;
  reply.set_handle(call.request.id());
  return reply;
}

Result<EngineServer::Reply> EngineServer::Adopt(const wasmburst::engine::Adopt& adopt) {
  const auto dispatch = dispatches_.find(adopt.dispatch());
  if (dispatch == dispatches_.end()) return NoSuch("dispatch", adopt.dispatch());
  const auto pipeline = pipelines_.find(adopt.pipeline());
  if (pipeline == pipelines_.end()) return NoSuch("pipeline", adopt.pipeline());
  WB_TRY(device_->Adopt(*dispatch->second, pipeline->second));
  Reply reply;
  reply.set_handle(adopt.dispatch());
  return reply;
}

// The reply is sent when the launch is over. Launches are awaited in the order in which they began.
void EngineServer::Launch(uint64_t id, const wasmburst::engine::Launch& launch) {
  const auto dispatch = dispatches_.find(launch.dispatch());
  const Status begun = dispatch == dispatches_.end()
                           ? NoSuch("dispatch", launch.dispatch())
                           : device_->Begin(*dispatch->second, LimitsOf(launch));
  if (!begun.ok()) return Answer(id, begun);
  launches_.Post([this, id] { AnswerLaunch(id); });
}

void EngineServer::AnswerLaunch(uint64_t id) {
  const Result<wb::LaunchReport> report = device_->Await();
  ended_launches_.fetch_add(1, std::memory_order_release);
  if (!report.ok()) return Answer(id, report.status());
  Reply reply;
  Put(*report, *reply.mutable_report());
  Answer(id, reply);
}

Result<EngineServer::Reply> EngineServer::ExportLanes(const Call& call) {
  const wasmburst::engine::ExportLanes& give = call.request.export_lanes();
  const auto dispatch = dispatches_.find(give.dispatch());
  if (dispatch == dispatches_.end()) return NoSuch("dispatch", give.dispatch());
  WB_ASSIGN(const auto memory, MapShared(call.fd.get(), give.bytes()));
  const std::vector<uint32_t> seats(give.seats().begin(), give.seats().end());
  WB_ASSIGN(const auto images, device_->ExportLanes(*dispatch->second, seats));
  ImageWriter writer(memory->bytes());
  Reply reply;
  wasmburst::engine::LaneImages& out = *reply.mutable_images();
  for (const std::optional<wb::LaneImage>& image : images) {
    wasmburst::engine::LaneImage& added = *out.add_images();
    if (image) (void)writer.Add(*image, added);  // without room there is none
  }
  return reply;
}

Result<EngineServer::Reply> EngineServer::ImportLanes(const Call& call) {
  const wasmburst::engine::ImportLanes& put = call.request.import_lanes();
  const auto dispatch = dispatches_.find(put.dispatch());
  if (dispatch == dispatches_.end()) return NoSuch("dispatch", put.dispatch());
  WB_ASSIGN(std::unique_ptr<HostRegion> mapped, put.lent()
                                                    ? MapSharedToRead(call.fd.get(), put.bytes())
                                                    : MapShared(call.fd.get(), put.bytes()));
  const std::shared_ptr<HostRegion> memory = std::move(mapped);
  ImageReader reader(memory->bytes());
  std::vector<LanePlace> places;
  for (int i = 0; i < std::min(put.seats_size(), put.images_size()); ++i) {
    std::optional<wb::LaneImage> image =
        put.lent() ? LentImage(put.images(i), memory->bytes(), memory) : reader.Next(put.images(i));
    if (!image) return Status(Reason::kInternal, "The image of a lane is not in its memory.");
    places.push_back({put.seats(i), std::make_shared<wb::LaneImage>(*std::move(image))});
  }
  WB_ASSIGN(const std::vector<Status> became, device_->ImportLanes(*dispatch->second, places));
  Reply reply;
  reply.mutable_put();
  for (const Status& status : became) {
    wasmburst::engine::Error& error = *reply.mutable_put()->add_errors();
    if (!status.ok()) Put(status, error);
  }
  return reply;
}

// The owner thread waits for its end: such a host has nothing else to do.
Result<EngineServer::Reply> EngineServer::Inspect(const wasmburst::engine::Inspect& inspect) {
  auto* device = dynamic_cast<InspectingDevice*>(device_.get());
  if (device == nullptr) return Status(Reason::kInternal, "This device inspects nothing.");
  const auto dispatch = dispatches_.find(inspect.launch().dispatch());
  if (dispatch == dispatches_.end()) return NoSuch("dispatch", inspect.launch().dispatch());
  WB_ASSIGN(Inspection seen, device->Inspect(*dispatch->second, LimitsOf(inspect.launch()),
                                             InspectionRequestOf(inspect)));
  Reply reply;
  Put(std::move(seen), *reply.mutable_inspected());
  return reply;
}

Result<EngineServer::Reply> EngineServer::Sample() {
  Reply reply;
  Put(device_->Sample(), *reply.mutable_telemetry());
  return reply;
}

}  // namespace wb
