#include "tests/scheduler/scheduler_rig.h"

#include <stdlib.h>

#include <filesystem>
#include <utility>

#include "compiler/base/check.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {

std::shared_ptr<const Module> ModuleOf(std::string_view wat) {
  return Module::Decode(MustAssemble(wat)).value();
}

std::shared_ptr<const Module> NumberModule() {
  return ModuleOf(R"((module
    (memory (export "memory") 1 64)
    (func (export "run") (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))))");
}

JobSpec NumberJob(std::shared_ptr<const Module> module, uint64_t instances) {
  JobSpec spec;
  spec.module = std::move(module);
  Column numbers;
  numbers.kind = Column::Kind::kRange;
  numbers.type = ValueType::kI32;
  numbers.start = Value::I32(0);
  numbers.step = Value::I32(1);
  spec.columns.push_back(numbers);
  CallStep call;
  call.function = "run";
  Operand number;
  number.source = Operand::Source::kColumn;
  call.args.push_back(number);
  spec.steps.push_back(call);
  spec.instances = instances;
  return spec;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "wb_scheduler_XXXXXX").string();
  WB_CHECK(::mkdtemp(name.data()) != nullptr);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace wb::test
