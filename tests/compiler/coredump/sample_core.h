#pragma once

// A core dump with something of everything; tests only.

#include "compiler/coredump/core_dump.h"

namespace wb::test {

inline CoreDump SampleCore() {
  CoreDump core;
  core.process = "jobs/X";
  core.modules = {"lib", "main"};
  core.instances = {{0, {}, {}}, {1, {0, 1}, {0, 1, 2, 3, 4, 5}}};
  core.thread = "instance 7";
  core.frames = {{1,
                  3,
                  17,
                  {{ValueType::kI32, 0xffffffff},
                   {ValueType::kI64, 0x8000000000000000u},
                   {},
                   {ValueType::kF32, 0x7fc00000},
                   {ValueType::kF64, 0x3ff0000000000000u}},
                  {{ValueType::kI32, 5}, {ValueType::kI32, 0}}},
                 {0, 200, 3, {}, {}}};
  core.memories = {2, 1};
  core.globals = {{ValueType::kI32, 0x80000000, 0}, {ValueType::kI64, 64, 0},
                  {ValueType::kF32, 1, 0},          {ValueType::kF64, 2, 0},
                  {ValueType::kV128, 3, 4},         {ValueType::kFuncRef, 0, 0}};
  core.chunks = {{0, 16, {1, 2, 3}}, {0, 131071, {9}}, {1, 0, {4}}};
  core.facts = R"({"format":1})";
  return core;
}

}  // namespace wb::test
