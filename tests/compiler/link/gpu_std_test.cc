// The functions of gpu_std, and what declares them for C, Rust and AssemblyScript.

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "compiler/imports/imports.h"
#include "compiler/imports/primitive.h"
#include "tests/compiler/wasm/assemble.h"

namespace wb::test {
namespace {

const std::vector<std::string>& Names() {
  static const std::vector<std::string> names = {
#define WB_GPU_STD(import, primitive, code, results, params) import,
#include "compiler/abi/gpu_std.def"
#undef WB_GPU_STD
  };
  return names;
}

std::string TextOf(const std::string& file) {
  std::ifstream stream(std::string(WB_GPU_STD_FOLDER) + "/" + file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

size_t CountOf(const std::string& text, const std::string& words) {
  size_t count = 0;
  for (size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

TEST(GpuStdTest, EveryNameIsThereOnceWithACodeOfItsOwn) {
  std::set<std::string> names;
  for (const std::string& name : Names()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    const PrimitiveFacts* facts = FindPrimitive("gpu_std", name);
    ASSERT_NE(facts, nullptr) << name;
    EXPECT_TRUE(facts->primitive != Primitive::kCollective || facts->code != 0) << name;
    EXPECT_TRUE(IsOfGroup(facts->primitive) || facts->code == 0) << name;
    if (IsOfGroup(facts->primitive)) {
      EXPECT_EQ(FindPrimitive("wasmburst", name), nullptr) << name;
    }
  }
  EXPECT_EQ(FindPrimitive("gpu_std", "sum"), nullptr);
  EXPECT_EQ(FindPrimitive("gpu_std", ""), nullptr);
  EXPECT_EQ(FindPrimitive("wasmburst", ""), nullptr);
}

TEST(GpuStdTest, TheDeclarationsAreTheTable) {
  const std::string c = TextOf("gpu_std.h"), rust = TextOf("gpu_std.rs"), as = TextOf("gpu_std.ts");
  for (const std::string& name : Names()) {
    EXPECT_EQ(CountOf(c, "GPU_STD(\"" + name + "\")"), 1u) << name;
    EXPECT_EQ(CountOf(rust, "        pub fn " + name + "("), 1u) << name;
    EXPECT_EQ(CountOf(as, "@external(\"gpu_std\", \"" + name + "\")"), 1u) << name;
  }
  EXPECT_EQ(CountOf(c, "\nGPU_STD("), Names().size());
  EXPECT_EQ(CountOf(rust, "        pub fn "), Names().size());
  EXPECT_EQ(CountOf(as, "@external("), Names().size());
}

TEST(GpuStdTest, AnImportOfAnotherTypeOrNameIsRefused) {
  const auto bind = [](const std::string& import) {
    const std::string wat = "(module (import \"gpu_std\" " + import + "))";
    return BindImports(Module::Decode(MustAssemble(wat)).value(), Imports()).status();
  };
  EXPECT_TRUE(bind("\"sum_i32\" (func (param i32) (result i32))").ok());
  const Status type = bind("\"sum_i32\" (func (param i64) (result i64))");
  EXPECT_EQ(type.reason(), Reason::kImportNotProvided);
  EXPECT_NE(type.message().find("gpu_std.sum_i32"), std::string::npos) << type.message();
  const Status name = bind("\"sum\" (func (param i32) (result i32))");
  EXPECT_EQ(name.reason(), Reason::kImportNotProvided);
  EXPECT_NE(name.message().find("compiler/docs/collectives.md lists"), std::string::npos)
      << name.message();
}

}  // namespace
}  // namespace wb::test
