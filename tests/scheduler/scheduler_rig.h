#pragma once

// What the scheduler's tests share: modules and jobs over them.

#include <memory>
#include <string>
#include <string_view>

#include "compiler/wasm/module.h"
#include "scheduler/job/job.h"
#include "scheduler/scheduler.h"
#include "tests/scheduler/base/temporary_folder.h"

namespace wb::test {

std::shared_ptr<const Module> ModuleOf(std::string_view wat);

// A job that calls `run` with the instance's number, an i32.
JobSpec NumberJob(std::shared_ptr<const Module> module, uint64_t instances);

// An input of so many bytes of this value, the same for all instances.
Column InputOf(size_t bytes, uint8_t value);

// (func (export "run") (param i32) (result i32)), and one page of memory that may grow to 64.
std::shared_ptr<const Module> NumberModule();

}  // namespace wb::test
