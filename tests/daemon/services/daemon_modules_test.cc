// Modules over the wire.

#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "tests/daemon/services/daemon_fixture.h"

#include <vector>

#include "tests/compiler/debug/debug_bytes.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

TEST_F(DaemonTest, BadModulesAreRefusedByReason) {
  Start();
  EXPECT_EQ(PushModule(*client_, "").status().reason(), Reason::kWasmMalformed);
  EXPECT_EQ(PushModule(*client_, "this is no wasm").status().reason(), Reason::kWasmMalformed);
  std::string wasm = cli::AssembleWat(kFakeModule, "fake.wat").value();
  EXPECT_EQ(PushModule(*client_, wasm.substr(0, wasm.size() - 3)).status().reason(),
            Reason::kWasmMalformed);
  EXPECT_EQ(ListModules(*client_, {}).value().modules_size(), 0);
}

TEST_F(DaemonTest, AModuleThatNothingRunsIsStoredAndItsJobsAreRefused) {
  Start();
  const char* text = "(module (import \"a\" \"b\" (func)) (func (export \"trap\")))";
  v1::CreateJobRequest request = Request("trap", 1);
  request.mutable_job()->set_module(
      PushModule(*client_, cli::AssembleWat(text, "t").value()).value().name());
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kImportNotProvided);
}

// What took too long at one time may not at another, so nothing is remembered.
TEST_F(DaemonTest, AModuleWhoseCheckTakesTooLongIsRefusedAndNotStored) {
  bool is_slow = true;
  check_module_ = [&](std::shared_ptr<const Module>) {
    return is_slow ? Status(Reason::kCompileTimeout, "The module takes too long.") : Status();
  };
  Start();
  const std::string wasm = cli::AssembleWat(kFakeModule, "fake.wat").value();
  EXPECT_EQ(PushModule(*client_, wasm).status().reason(), Reason::kCompileTimeout);
  EXPECT_EQ(ListModules(*client_, {}).value().modules_size(), 0);
  is_slow = false;
  EXPECT_TRUE(PushModule(*client_, wasm).ok());
}

TEST_F(DaemonTest, AModuleShowsItsHintsAndItsJobsHaveThem) {
  Start();
  const std::string text(kFakeModule);
  const auto push = [&](std::string_view hints) {
    const std::string wasm = cli::AssembleWat(text, "fake.wat").value();
    const Bytes with =
        test::WithCustom(Bytes(wasm.begin(), wasm.end()), "wasmburst.hints", AsBytes(hints));
    return PushModule(*client_, std::string(with.begin(), with.end())).value();
  };
  const v1::Module module = push("divergent\nhot f");
  ASSERT_EQ(module.hints_size(), 1);
  EXPECT_EQ(module.hints(0), "divergent");
  ASSERT_EQ(module.ignored_hints_size(), 1);
  EXPECT_EQ(module.ignored_hints(0), "hot f");
  v1::CreateJobRequest request = Request("identity", 1);
  request.mutable_job()->set_module(module.name());
  EXPECT_EQ(CreateJob(*client_, request).value().hints(0), "divergent");
  request.set_request_id("");
  request.mutable_job()->add_hints("uniform");  // the caller's count first
  EXPECT_EQ(CreateJob(*client_, request).value().hints(0), "uniform");
  request.mutable_job()->set_hints(0, "hot f");
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonTest, ListsWhatADeviceHasOfAModule) {
  Start();
  v1::ListPipelinesRequest request;
  request.set_device("devices/fake0");
  request.set_module("modules/sha256:" + std::string(64, 'a'));
  EXPECT_EQ(ListPipelines(*client_, request).status().reason(), Reason::kNotFound);
  request.set_module(PushModule(*client_, cli::AssembleWat(kFakeModule, "t").value())->name());
  const v1::ListPipelinesResponse response = ListPipelines(*client_, request).value();
  ASSERT_EQ(response.pipelines_size(), 3);
  const v1::Pipeline& full = response.pipelines(0);
  EXPECT_EQ(full.tier(), "full");
  EXPECT_EQ(full.code_bytes(), 5000u);
  EXPECT_EQ(full.registers(), 96u);
  EXPECT_EQ(full.local_bytes(), 24u);
  EXPECT_EQ(full.block_threads(), 128u);
  EXPECT_EQ(full.lanes_per_processor(), 640u);
  EXPECT_EQ(full.occupancy().lanes_per_processor(), 256u);
  EXPECT_EQ(full.occupancy().block_threads(), 64u);
  EXPECT_EQ(full.launches(), 3u);
  EXPECT_EQ(full.instructions_per_second(), 4.5e6);
  EXPECT_EQ(full.useful_lanes(), 0.75);
  EXPECT_EQ(response.pipelines(1).tier(), "quick");
  EXPECT_EQ(response.pipelines(2).tier(), "best");
  EXPECT_FALSE(response.pipelines(1).has_occupancy());
  EXPECT_FALSE(response.pipelines(1).has_useful_lanes());
  request.set_device("devices/cuda7");
  EXPECT_EQ(ListPipelines(*client_, request).status().reason(), Reason::kNotFound);
  request.set_device("cuda7");
  EXPECT_EQ(ListPipelines(*client_, request).status().reason(), Reason::kInvalidArgument);
}

TEST_F(DaemonTest, ImportsAndExportsHaveTypesInWords) {
  Start();
  const char* text = R"((module
    (import "env" "log" (func (param i32 i64) (result f32)))
    (import "env" "memory" (memory 1 2))
    (global (export "base") (mut i64) (i64.const 0))
    (func (export "f") (param i32))))";
  const v1::Module module = PushModule(*client_, cli::AssembleWat(text, "t").value()).value();
  ASSERT_EQ(module.imports_size(), 2);
  EXPECT_EQ(module.imports(0).type(), "(i32, i64) -> f32");
  EXPECT_EQ(module.imports(1).type(), "1..2 pages");
  ASSERT_EQ(module.exports_size(), 2);
  EXPECT_EQ(module.exports(0).type(), "mutable i64");
  EXPECT_EQ(module.exports(0).value_type(), v1::I64);
  EXPECT_EQ(module.exports(1).type(), "(i32) -> ()");
}

TEST_F(DaemonTest, LargeModulesGoInChunks) {
  config_.max_module_bytes = 12 << 20;
  Start();
  std::string wasm = cli::AssembleWat(kFakeModule, "fake.wat").value();
  // A custom section of 10 MiB.
  size_t payload = 10 << 20;
  std::string section(1, '\0');
  size_t size = payload + 2;
  for (; size >= 128; size >>= 7) section += static_cast<char>((size & 127) | 128);
  section += static_cast<char>(size);
  wasm += section + std::string("\1x") + std::string(payload, 'y');
  Result<v1::Module> module = PushModule(*client_, wasm);
  ASSERT_TRUE(module.ok()) << module.status().message();
  EXPECT_EQ(module->size_bytes(), wasm.size());
  EXPECT_EQ(PushModule(*client_, wasm + std::string(3 << 20, '\0')).status().reason(),
            Reason::kLimitTooHigh);
}

TEST_F(DaemonTest, ModulesAreListedInPagesAndDeleted) {
  Start();
  for (int i = 0; i < 5; ++i) {
    std::string text = "(module (func (export \"f" + std::to_string(i) + "\")))";
    ASSERT_TRUE(PushModule(*client_, cli::AssembleWat(text, "t").value()).ok());
  }
  v1::ListModulesRequest request;
  request.set_page_size(2);
  std::vector<std::string> names;
  do {
    v1::ListModulesResponse page = ListModules(*client_, request).value();
    EXPECT_LE(page.modules_size(), 2);
    for (const v1::Module& module : page.modules()) names.push_back(module.name());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  EXPECT_EQ(names.size(), 5u);
  EXPECT_TRUE(DeleteModule(*client_, names[0]).ok());
  EXPECT_EQ(DeleteModule(*client_, names[0]).reason(), Reason::kNotFound);
  EXPECT_EQ(GetModule(*client_, names[0]).status().reason(), Reason::kNotFound);
  request.set_page_token("nonsense");
  EXPECT_EQ(ListModules(*client_, request).status().reason(), Reason::kInvalidArgument);
}
}  // namespace
}  // namespace wb
