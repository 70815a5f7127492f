// Common vector operators become one instruction of the processor's vector unit on the cpu device:
// the compiled code of a module that loads two vectors, computes and stores is looked through for
// it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

#include "tests/built_objects/built_objects.h"
#include "tests/scheduler/devices/rig.h"

namespace wb::test {
namespace {

struct CodeCase {
  const char* name;
  const char* text;         // over X and Y
  const char* instruction;  // of AVX
  const char* unwanted;     // lane by lane; or "-"
};
constexpr CodeCase kCases[] = {
    {"i8x16_add", "(i8x16.add X Y)", "vpaddb", "vpextr"},
    {"i8x16_sub_sat_s", "(i8x16.sub_sat_s X Y)", "vpsubsb", "vpextr"},
    {"i8x16_min_u", "(i8x16.min_u X Y)", "vpminub", "vpextr"},
    {"i8x16_swizzle", "(i8x16.swizzle X Y)", "vpshufb", "vpextr"},
    {"i8x16_lt_s", "(i8x16.lt_s X Y)", "vpcmpgtb", "vpextr"},
    {"i8x16_narrow", "(i8x16.narrow_i16x8_s X Y)", "vpacksswb", "vpextr"},
    {"i16x8_mul", "(i16x8.mul X Y)", "vpmullw", "vpextr"},
    {"i16x8_add", "(i16x8.add X Y)", "vpaddw", "vpextr"},
    {"i16x8_q15mulr", "(i16x8.q15mulr_sat_s X Y)", "vpmulhrsw", "vpextr"},
    {"i16x8_avgr", "(i16x8.avgr_u X Y)", "vpavgw", "vpextr"},
    {"i32x4_add", "(i32x4.add X Y)", "vpaddd", "vpextr"},
    {"i32x4_mul", "(i32x4.mul X Y)", "vpmulld", "vpextr"},
    {"i32x4_min_s", "(i32x4.min_s X Y)", "vpminsd", "vpextr"},
    {"i32x4_eq", "(i32x4.eq X Y)", "vpcmpeqd", "vpextr"},
    {"i32x4_dot", "(i32x4.dot_i16x8_s X Y)", "vpmaddwd", "vpextr"},
    {"i32x4_shl", "(i32x4.shl X (i32.const 3))", "vpslld", "vpextr"},
    {"i64x2_add", "(i64x2.add X Y)", "vpaddq", "vpextr"},
    {"i64x2_extmul", "(i64x2.extmul_low_i32x4_u X Y)", "vpmuludq", "vpextr"},
    {"v128_and", "(v128.and X Y)", "v(pand|andps)", "vpextr"},
    {"v128_bitselect", "(v128.bitselect X Y (i32x4.splat (local.get 0)))", "v(pand|andps)",
     "vpextr"},
    {"f32x4_add", "(f32x4.add X Y)", "vaddps", "vaddss"},
    {"f32x4_mul", "(f32x4.mul X Y)", "vmulps", "vmulss"},
    {"f32x4_sqrt", "(f32x4.sqrt X)", "vsqrtps", "vsqrtss"},
    {"f32x4_lt", "(f32x4.lt X Y)", "vcmpltps", "vucomiss"},
    {"f32x4_floor", "(f32x4.floor X)", "vroundps", "vroundss"},
    {"f32x4_convert", "(f32x4.convert_i32x4_s X)", "vcvtdq2ps", "vcvtsi2ss"},
    {"f32x4_abs", "(f32x4.abs X)", "v(pand|andps)", "-"},
    {"f64x2_add", "(f64x2.add X Y)", "vaddpd", "vaddsd"},
    {"f64x2_mul", "(f64x2.mul X Y)", "vmulpd", "vmulsd"},
    {"f64x2_div", "(f64x2.div X Y)", "vdivpd", "vdivsd"},
    {"load_and_store", "X", "v?mov(up|dq)", "-"},
};

std::string ModuleText(std::string operation) {
  const auto replace = [&operation](const std::string& from, const std::string& to) {
    for (size_t at = 0; (at = operation.find(from, at)) != std::string::npos; at += to.size()) {
      operation.replace(at, from.size(), to);
    }
  };
  replace(" X", " (v128.load offset=64 (local.get 0))");
  replace(" Y", " (v128.load offset=128 (local.get 0))");
  if (operation == "X") operation = "(v128.load offset=64 (local.get 0))";
  return "(module (memory 1) (func (export \"run\") (param i32) (v128.store (local.get 0) " +
         operation + ")))";
}

// The compiled code as the assembler writes it, a line an instruction.
std::string Disassembled(const Bytes& binary) {
  const auto file =
      std::filesystem::temp_directory_path() / ("wasmburst-code-" + std::to_string(getpid()));
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(binary.data()),
             static_cast<std::streamsize>(binary.size()));
  std::string text;
  FILE* pipe = popen(("objdump -d --no-show-raw-insn " + file.string() + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return text;
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;) text.append(part, n);
  pclose(pipe);
  std::filesystem::remove(file);
  return text;
}

bool IsThere(const char* program) {
  return std::system(("command -v " + std::string(program) + " >/dev/null 2>&1").c_str()) == 0;
}

class VectorCode : public testing::TestWithParam<CodeCase> {};

TEST_P(VectorCode, IsOneInstruction) {
  const std::string& target = Cpu().info().target;
  if (target.find("clang") == std::string::npos || target.find("x86-64-v3") == std::string::npos) {
    GTEST_SKIP() << "instructions are known for clang on x86-64-v3 only, not [" << target << "]";
  }
  if (!IsThere("objdump")) GTEST_SKIP() << "objdump is not in PATH";
  const auto module = LowerText(ModuleText(GetParam().text));
  const auto source = EmitKernel(*module, Cpu().info().options);
  ASSERT_TRUE(source.ok()) << source.status().ToString();
  const auto binary = BuildShared(Cpu(), *module, *source);
  ASSERT_TRUE(binary.ok()) << binary.status().ToString();
  const std::string code = Disassembled(*binary);
  ASSERT_NE(code.find("wb_module_call"), std::string::npos) << code;
  EXPECT_TRUE(std::regex_search(code, std::regex(std::string("\t") + GetParam().instruction)))
      << GetParam().text << " has no " << GetParam().instruction;
  EXPECT_FALSE(std::regex_search(code, std::regex(std::string("\t") + GetParam().unwanted)))
      << GetParam().text << " has a " << GetParam().unwanted;
}

INSTANTIATE_TEST_SUITE_P(Operators, VectorCode, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace wb::test
