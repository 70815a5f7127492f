#include "bench/mandelbrot.h"

#include <utility>

#include "bench/scheduling/launches.h"

namespace wb::bench {

std::shared_ptr<const Module> MandelbrotModule() {
  static const std::shared_ptr<const Module> module = ModuleIn(WB_BENCH_MODULE);
  return module;
}

std::vector<Step> MandelbrotSteps() {
  Operand row{.source = Operand::Source::kColumn, .value = Value::I32(0), .column = 0};
  Operand address{.source = Operand::Source::kResult, .value = Value::I32(0)};
  Operand length{.source = Operand::Source::kConstant, .value = Value::I32(kRowBytes)};
  return {CallStep{.function = "row", .args = {row}},
          ReadStep{.pointer = address, .length = length, .output = "row"}};
}

JobSpec MandelbrotJob(uint32_t first, uint32_t step) {
  JobSpec spec;
  spec.module = MandelbrotModule();
  spec.steps = MandelbrotSteps();
  Column rows{.kind = Column::Kind::kRange};
  rows.start = Value::I32(first);
  rows.step = Value::I32(step);
  spec.columns = {std::move(rows)};
  spec.instances = (kRows - first + step - 1) / step;
  return spec;
}

}  // namespace wb::bench
