#pragma once

// Pipelines, inputs and dispatches that an engine host holds. They are known by the host's handles,
// which are released with them. A dispatch's spans are memory that both processes map.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "scheduler/devices/device.h"
#include "scheduler/devices/host_memory.h"
#include "scheduler/engine_host/connection.h"

namespace wb {

using ConnectionRef = std::shared_ptr<EngineConnection>;

class RemotePipeline final : public Pipeline {
 public:
  RemotePipeline(ConnectionRef connection, uint64_t handle, const LaneLayout& layout,
                 const PipelineFacts& facts)
      : connection_(std::move(connection)), handle_(handle), layout_(layout), facts_(facts) {}
  ~RemotePipeline() override {
    wasmburst::engine::Request request;
    request.set_drop_pipeline(handle_);
    connection_->Tell(request);
  }
  uint64_t handle() const { return handle_; }
  const LaneLayout& layout() const { return layout_; }
  PipelineFacts facts() const override { return facts_; }

 private:
  const ConnectionRef connection_;
  const uint64_t handle_;
  const LaneLayout layout_;
  const PipelineFacts facts_;
};

class RemoteInput final : public KeptInput {
 public:
  RemoteInput(ConnectionRef connection, uint64_t handle)
      : connection_(std::move(connection)), handle_(handle) {}
  ~RemoteInput() override {
    wasmburst::engine::Request request;
    request.set_drop_input(handle_);
    connection_->Tell(request);
  }
  uint64_t handle() const { return handle_; }

 private:
  const ConnectionRef connection_;
  const uint64_t handle_;
};

class RemoteDispatch final : public Dispatch {
 public:
  RemoteDispatch(ConnectionRef connection, uint64_t handle, const LaneLayout& lanes,
                 DispatchShape shape, std::unique_ptr<HostRegion> region)
      : connection_(std::move(connection)),
        handle_(handle),
        lanes_(lanes),
        shape_(std::move(shape)),
        layout_(HostLayout::Of(shape_)),
        region_(std::move(region)) {}
  ~RemoteDispatch() override {
    wasmburst::engine::Request request;
    request.set_drop_dispatch(handle_);
    connection_->Tell(request);
  }

  uint64_t handle() const { return handle_; }
  // The most bytes that the image of the seat's instance can have.
  uint64_t MostImageBytesAt(uint32_t seat) {
    const size_t words = shape_.RecordWords();
    return MostImageBytes(lanes_, shape_, records().subspan(seat * words, words));
  }
  const DispatchShape& shape() const override { return shape_; }
  std::span<uint32_t> records() override { return Words(layout_.records_at, layout_.record_words); }
  std::span<uint32_t> columns() override { return Words(layout_.columns_at, layout_.column_words); }
  std::span<uint8_t> blob() override {
    return region_->bytes().subspan(layout_.blob_at, layout_.blob_bytes);
  }

 private:
  std::span<uint32_t> Words(uint64_t at, uint64_t words) {
    return {reinterpret_cast<uint32_t*>(region_->bytes().data() + at), words};
  }

  const ConnectionRef connection_;
  const uint64_t handle_;
  const LaneLayout lanes_;
  const DispatchShape shape_;
  const HostLayout layout_;
  const std::unique_ptr<HostRegion> region_;
};

}  // namespace wb
