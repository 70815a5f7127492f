#pragma once

// Which processes a device has, and what each is told. Pure, but that HasBuilder asks what this
// machine can isolate.

#include <string>

#include "scheduler/engine_host/connection.h"
#include "scheduler/engine_host/engine.pb.h"
#include "scheduler/engine_host/host_settings.h"

namespace wb {

// Where they are isolated, a device is two hosts: one starts compilers, and the other, which runs
// what they make, starts nothing. A Mac's compiler is a part of its driver.
bool HasBuilder(const EngineHostSettings& settings);
// Of the host that runs, where another one builds.
EngineHostSettings RunnerOf(EngineHostSettings settings);
// Of the one that builds. `target`: the runner's.
EngineHostSettings BuilderOf(EngineHostSettings settings, const std::string& target);

wasmburst::engine::Request HelloOf(const EngineHostSettings& settings);  // the first message
EngineConnection::Plan PlanOf(const EngineHostSettings& settings);       // of its process

}  // namespace wb
