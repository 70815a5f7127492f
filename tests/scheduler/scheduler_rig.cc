#include "tests/scheduler/scheduler_rig.h"

#include <algorithm>
#include <utility>

#include "scheduler/job/column_data.h"
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

Column InputOf(size_t bytes, uint8_t value) {
  ByteBlock block = ByteBlock::Of(bytes);
  std::fill_n(block.bytes.get(), bytes, value);
  Column input;
  input.kind = Column::Kind::kBytes;
  input.data = ColumnData::Strings(std::move(block), {bytes});
  return input;
}

}  // namespace wb::test
