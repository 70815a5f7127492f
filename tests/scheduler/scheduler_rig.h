#pragma once

// What the scheduler's tests share: modules, jobs over them, and folders that go away.

#include <memory>
#include <string>
#include <string_view>

#include "compiler/wasm/module.h"
#include "scheduler/job.h"
#include "scheduler/scheduler.h"

namespace wb::test {

std::shared_ptr<const Module> ModuleOf(std::string_view wat);

// A job that calls `run` with the instance's number, an i32.
JobSpec NumberJob(std::shared_ptr<const Module> module, uint64_t instances);

// (func (export "run") (param i32) (result i32)), and one page of memory that may grow to 64.
std::shared_ptr<const Module> NumberModule();

// A folder of its own, removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace wb::test
