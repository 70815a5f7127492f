#include "scheduler/engine_host/remote_device.h"

#include <algorithm>
#include <map>

#include "scheduler/base/quoted.h"
#include "scheduler/engine_host/inspection_messages.h"
#include "scheduler/engine_host/lane_transfer.h"
#include "scheduler/engine_host/messages.h"
#include "scheduler/engine_host/shared_memory.h"

namespace wb {
namespace {

using wasmburst::engine::Reply;
using wasmburst::engine::Request;

// The slowest copy of an input to a device that is not counted as hung.
constexpr uint64_t kBytesPerSecond = uint64_t{100} << 20;

}  // namespace

Status NonsenseAnswer(const std::string& id) {
  return Status(Reason::kDeviceLost, "The engine host of the device " + Quoted(id) +
                                         " answered with something else than was asked for.");
}

Result<Bytes> RemoteDevice::Build(const LoweredModule& module, const KernelSource& source,
                                  Effort effort) {
  Request request;
  request.mutable_build()->set_effort(static_cast<uint32_t>(effort));
  Put(*module.program.module, source, *request.mutable_build());
  WB_ASSIGN(const Reply reply, builder_->Call(std::move(request), compile_time_ + patience_));
  if (!reply.has_binary()) return NonsenseAnswer(info_.id);
  return Bytes(reply.binary().begin(), reply.binary().end());
}

Result<PipelineRef> RemoteDevice::Load(std::shared_ptr<const LoweredModule> module,
                                       ByteView binary) {
  const Bytes& wasm = module->program.module->binary();
  Request request;
  wasmburst::engine::Load& load = *request.mutable_load();
  load.set_wasm(wasm.data(), wasm.size());
  load.set_binary_is_wasm(std::equal(binary.begin(), binary.end(), wasm.begin(), wasm.end()));
  if (!load.binary_is_wasm()) load.set_binary(binary.data(), binary.size());
  // The driver links the parts of a long kernel here. That is a compiler's work and takes as long.
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), compile_time_ + patience_));
  if (!reply.has_handle()) return NonsenseAnswer(info_.id);
  return PipelineRef(std::make_shared<RemotePipeline>(connection_, reply.handle(), module->layout,
                                                      FactsOf(reply.facts())));
}

// The host maps the bytes where they are in shared memory; others are copied there.
Result<KeptInputRef> RemoteDevice::Keep(const InputBytes& input) {
  const ByteView bytes = input.bytes;
  UniqueFd copy;
  if (input.shared < 0) {
    WB_ASSIGN(copy, MakeSharedMemory(std::max<size_t>(bytes.size(), 1)));
    WB_ASSIGN(const auto memory, MapShared(copy.get(), std::max<size_t>(bytes.size(), 1)));
    std::copy(bytes.begin(), bytes.end(), memory->bytes().begin());
  }
  Request request;
  request.mutable_keep()->set_bytes(bytes.size());
  request.mutable_keep()->set_digest(input.digest.bytes.data(), input.digest.bytes.size());
  const auto patience = patience_ + std::chrono::seconds(bytes.size() / kBytesPerSecond);
  const int fd = input.shared < 0 ? copy.get() : input.shared;
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience, fd));
  if (!reply.has_handle()) return NonsenseAnswer(info_.id);
  return KeptInputRef(std::make_shared<RemoteInput>(connection_, reply.handle()));
}

Result<std::unique_ptr<Dispatch>> RemoteDevice::Allocate(const PipelineRef& pipeline,
                                                         const DispatchShape& shape) {
  const uint64_t bytes = HostLayout::Of(shape).bytes;
  WB_ASSIGN(const UniqueFd fd, MakeSharedMemory(bytes));
  WB_ASSIGN(auto region, MapShared(fd.get(), bytes));
  Request request;
  Put(shape, *request.mutable_allocate());
  const auto& kernel = static_cast<const RemotePipeline&>(*pipeline);
  request.mutable_allocate()->set_pipeline(kernel.handle());
  if (shape.kept != nullptr) {
    request.mutable_allocate()->set_kept(static_cast<const RemoteInput&>(*shape.kept).handle());
  }
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience_, fd.get()));
  if (!reply.has_handle()) return NonsenseAnswer(info_.id);
  return std::unique_ptr<Dispatch>(
      new RemoteDispatch(connection_, reply.handle(), kernel.layout(), shape, std::move(region)));
}

Status RemoteDevice::Begin(Dispatch& dispatch, const LaunchLimits& limits) {
  Request request;
  Put(limits, *request.mutable_launch());
  request.mutable_launch()->set_dispatch(static_cast<RemoteDispatch&>(dispatch).handle());
  WB_ASSIGN(const uint64_t id, connection_->Ask(std::move(request)));
  launches_.emplace_back(id, limits.max_duration);
  return {};
}

Result<LaunchReport> RemoteDevice::Await() {
  const auto [id, duration] = launches_.front();
  launches_.pop_front();
  WB_ASSIGN(const Reply reply, connection_->AwaitReply(id, duration + patience_));
  if (!reply.has_report()) return NonsenseAnswer(info_.id);
  return ReportOf(reply.report(), duration + patience_);
}

Result<Inspection> RemoteDevice::Inspect(Dispatch& dispatch, const LaunchLimits& limits,
                                         const InspectionRequest& asked) {
  Request request;
  wasmburst::engine::Inspect& inspect = *request.mutable_inspect();
  Put(asked, inspect);
  Put(limits, *inspect.mutable_launch());
  inspect.mutable_launch()->set_dispatch(static_cast<RemoteDispatch&>(dispatch).handle());
  WB_ASSIGN(Reply reply, connection_->Call(std::move(request), limits.max_duration + patience_));
  if (!reply.has_inspected()) return NonsenseAnswer(info_.id);
  return InspectionOf(*reply.mutable_inspected(), asked);
}

Status RemoteDevice::Adopt(Dispatch& dispatch, const PipelineRef& pipeline) {
  Request request;
  request.mutable_adopt()->set_dispatch(static_cast<RemoteDispatch&>(dispatch).handle());
  request.mutable_adopt()->set_pipeline(static_cast<const RemotePipeline&>(*pipeline).handle());
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience_));
  return reply.has_handle() ? Status() : NonsenseAnswer(info_.id);
}

Result<std::vector<std::optional<LaneImage>>> RemoteDevice::ExportLanes(
    Dispatch& dispatch, std::span<const uint32_t> seats) {
  auto& from = static_cast<RemoteDispatch&>(dispatch);
  uint64_t bytes = 1;
  for (const uint32_t seat : seats) bytes += from.MostImageBytesAt(seat);
  WB_ASSIGN(const UniqueFd fd, MakeSharedMemory(bytes));
  WB_ASSIGN(const auto memory, MapShared(fd.get(), bytes));
  Request request;
  request.mutable_export_lanes()->set_dispatch(from.handle());
  request.mutable_export_lanes()->mutable_seats()->Assign(seats.begin(), seats.end());
  request.mutable_export_lanes()->set_bytes(bytes);
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience_, fd.get()));
  if (static_cast<size_t>(reply.images().images_size()) != seats.size())
    return NonsenseAnswer(info_.id);
  ImageReader reader(memory->bytes());
  std::vector<std::optional<LaneImage>> images;
  for (const auto& image : reply.images().images()) images.push_back(reader.Next(image));
  return images;
}

// Images whose states lie in memory that the host may map go as they are, a message for each such
// memory. The others are copied.
Result<std::vector<Status>> RemoteDevice::ImportLanes(Dispatch& dispatch,
                                                      std::span<const LanePlace> lanes) {
  std::map<int, std::vector<size_t>> by_memory;
  for (size_t i = 0; i < lanes.size(); ++i) by_memory[lanes[i].image->lent.shared].push_back(i);
  std::vector<Status> became(lanes.size());
  for (const auto& [shared, which] : by_memory) {
    std::vector<LanePlace> some;
    for (const size_t i : which) some.push_back(lanes[i]);
    WB_ASSIGN(std::vector<Status> its,
              shared < 0 ? ImportCopied(dispatch, some) : ImportLent(dispatch, some, shared));
    for (size_t i = 0; i < which.size(); ++i) became[which[i]] = std::move(its[i]);
  }
  return became;
}

Result<std::vector<Status>> RemoteDevice::ImportCopied(Dispatch& dispatch,
                                                       std::span<const LanePlace> lanes) {
  uint64_t bytes = 1;
  for (const LanePlace& lane : lanes) bytes += lane.image->bytes();
  WB_ASSIGN(const UniqueFd fd, MakeSharedMemory(bytes));
  WB_ASSIGN(const auto memory, MapShared(fd.get(), bytes));
  Request request;
  wasmburst::engine::ImportLanes& put = *request.mutable_import_lanes();
  put.set_bytes(bytes);
  ImageWriter writer(memory->bytes());
  for (const LanePlace& lane : lanes) {
    put.add_seats(lane.seat);
    (void)writer.Add(*lane.image, *put.add_images());
  }
  return PutLanes(dispatch, std::move(request), fd.get());
}

Result<std::vector<Status>> RemoteDevice::ImportLent(Dispatch& dispatch,
                                                     std::span<const LanePlace> lanes, int shared) {
  Request request;
  wasmburst::engine::ImportLanes& put = *request.mutable_import_lanes();
  put.set_lent(true);
  uint64_t end = 1;
  for (const LanePlace& lane : lanes) {
    put.add_seats(lane.seat);
    PutLent(*lane.image, *put.add_images());
    const LentWords& lent = lane.image->lent;
    end = std::max(end, lent.shared_at + lent.words.size_bytes());
  }
  put.set_bytes(end);
  return PutLanes(dispatch, std::move(request), shared);
}

Result<std::vector<Status>> RemoteDevice::PutLanes(Dispatch& dispatch, Request request, int fd) {
  wasmburst::engine::ImportLanes& put = *request.mutable_import_lanes();
  put.set_dispatch(static_cast<RemoteDispatch&>(dispatch).handle());
  const int wanted = put.seats_size();
  WB_ASSIGN(const Reply reply, connection_->Call(std::move(request), patience_, fd));
  if (reply.put().errors_size() != wanted) return NonsenseAnswer(info_.id);
  std::vector<Status> became;
  for (const auto& error : reply.put().errors()) {
    became.push_back(error.reason() == 0 ? Status() : StatusOf(error));
  }
  return became;
}

void RemoteDevice::Stop() {
  Request request;
  request.set_stop(true);
  connection_->Tell(request);
}

Telemetry RemoteDevice::Sample() {
  Request request;
  request.mutable_sample();
  const Result<Reply> reply = connection_->Call(std::move(request), patience_);
  return reply.ok() && reply->has_telemetry() ? TelemetryOf(reply->telemetry()) : Telemetry();
}

}  // namespace wb
