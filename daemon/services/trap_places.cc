#include "daemon/services/trap_places.h"

#include <algorithm>
#include <utility>

#include "compiler/abi/lane.h"
#include "wasmburst/v1/jobs.pb.h"
#include "wasmburst/v1/results.pb.h"

namespace wb {

namespace v1 = wasmburst::v1;

TrapPlaces::TrapPlaces(std::shared_ptr<const ModuleStore> modules,
                       std::shared_ptr<const JobRequest> request, size_t most_places)
    : modules_(std::move(modules)), request_(std::move(request)), most_places_(most_places) {}

DebugInfo* TrapPlaces::InfoOf(const std::string& module) {
  const auto known = infos_.find(module);
  if (known != infos_.end()) return known->second.get();
  Digest digest = request_->module;
  if (!module.empty()) {
    const auto& linked = request_->linked;
    const auto named =
        std::find_if(linked.begin(), linked.end(),
                     [&module](const LinkedModuleName& part) { return part.name == module; });
    if (named == linked.end()) return nullptr;
    digest = named->module;
  }
  const Result<StoredModule> stored = modules_->Get(digest);
  if (!stored.ok()) return nullptr;
  if (infos_.size() == kMostModules) infos_.clear();
  return infos_.emplace(module, std::make_unique<DebugInfo>(stored->module)).first->second.get();
}

const TrapPlaces::Place* TrapPlaces::Find(const Key& key) {
  const auto known = places_.find(key);
  if (known != places_.end()) return &known->second;
  if (places_.size() == most_places_) return nullptr;
  Place place;
  const auto& [module, function, offset] = key;
  if (DebugInfo* info = InfoOf(module); info != nullptr) {
    place = {info->FunctionName(function), info->LineAt(offset)};
  }
  return &places_.emplace(key, std::move(place)).first->second;
}

template <typename Proto>
void TrapPlaces::AddTo(Proto* proto, size_t* left) {
  if (proto->function() == abi::NONE) return;
  const Place* place = Find({proto->module(), proto->function(), proto->offset()});
  if (place == nullptr) return;
  const size_t bytes = place->function.size() + place->line.file.size();
  if (bytes > *left) return;
  *left -= bytes;
  proto->set_function_name(place->function);
  proto->set_file(place->line.file);
  proto->set_line(place->line.line);
}

void TrapPlaces::AddToResult(v1::InstanceResult* result, size_t* left) {
  if (result->has_trap()) AddTo(result->mutable_trap(), left);
  for (v1::TraceFrame& frame : *result->mutable_backtrace()) AddTo(&frame, left);
  for (v1::StepResult& step : *result->mutable_steps()) {
    if (step.has_trap()) AddTo(step.mutable_trap(), left);
  }
}

void TrapPlaces::AddTo(v1::ReadResultsResponse* results) {
  size_t left = kMostBytes;
  for (v1::InstanceResult& result : *results->mutable_results()) AddToResult(&result, &left);
  for (v1::ResultColumns& columns : *results->mutable_columns()) {
    for (v1::InstanceResult& shape : *columns.mutable_shapes()) AddToResult(&shape, &left);
  }
}

}  // namespace wb
