#include "daemon/translate/translate_pipeline.h"

#include <algorithm>

#include "daemon/translate/translate_time.h"
#include "wasmburst/v1/modules.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

std::string TierOf(const PipelineStatus& status) {
  if (status.build == KernelBuild::kInterpreted) return "interpreter";
  return status.is_best ? "best" : std::string(KernelBuildName(status.build));
}

void FactsToProto(const PipelineFacts& facts, v1::Pipeline* proto) {
  proto->set_code_bytes(facts.code_bytes);
  proto->set_registers(facts.registers);
  proto->set_local_bytes(facts.local_bytes);
  proto->set_shared_bytes(facts.shared_bytes);
  proto->set_block_threads(facts.block_threads);
  proto->set_lanes_per_processor(facts.lanes_per_processor);
}

}  // namespace

void PipelineToProto(const PipelineStatus& status, v1::Pipeline* proto) {
  proto->set_tier(TierOf(status));
  proto->set_fast32(status.fast32);
  FactsToProto(status.facts, proto);
  proto->set_processors(status.processors);
  if (status.occupancy) {
    v1::Pipeline::Occupancy* shown = proto->mutable_occupancy();
    shown->set_lanes_per_processor(status.occupancy->lanes / std::max(status.processors, 1u));
    shown->set_block_threads(status.occupancy->block_threads);
    shown->set_few_registers(status.occupancy->few_registers);
    shown->set_tiled(status.occupancy->tiled);
  }
}

void PipelineUseToProto(const PipelineStatus& status, v1::Pipeline* proto) {
  proto->set_launches(status.launches);
  proto->set_fuel(status.fuel);
  DurationToProto(status.busy, proto->mutable_device_time());
  const double seconds = std::chrono::duration<double>(status.busy).count();
  if (seconds > 0) {
    proto->set_instructions_per_second(static_cast<double>(status.fuel) / seconds);
  }
  if (const auto useful = status.lane_fuel.UsefulLanes()) proto->set_useful_lanes(*useful);
}

}  // namespace wb
