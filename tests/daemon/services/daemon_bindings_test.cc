// Jobs that bind imports, over the wire.

#include "client/services/jobs.h"
#include "client/services/modules.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr const char* kImporter = R"((module
  (import "env" "abort" (func))
  (import "env" "now" (func (result i64)))
  (func (export "identity") (param i32) (result i32) (local.get 0))))";

class DaemonBindingsTest : public DaemonTest {
 protected:
  v1::CreateJobRequest Main(const char* text = kImporter) {
    v1::CreateJobRequest request = Request("identity", 2);
    const std::string wasm = cli::AssembleWat(text, "main.wat").value();
    request.mutable_job()->set_module(PushModule(*client_, wasm).value().name());
    return request;
  }
  static v1::Binding* Bind(const std::string& import, v1::CreateJobRequest* request) {
    v1::Binding* binding = request->mutable_job()->add_bindings();
    binding->set_import(import);
    return binding;
  }
};

TEST_F(DaemonBindingsTest, AJobWithAllImportsBoundRunsAndShowsItsBindings) {
  Start();
  v1::CreateJobRequest request = Main();
  Bind("env.abort", &request)->mutable_trap();
  Bind("env.now", &request)->mutable_constant()->add_values()->set_i64(5);
  const Result<v1::Job> job = CreateJob(*client_, request);
  ASSERT_TRUE(job.ok()) << job.status().message();
  EXPECT_EQ(job->module(), request.job().module());
  ASSERT_EQ(job->bindings_size(), 2);
  EXPECT_TRUE(job->bindings(0).has_trap());
  EXPECT_EQ(job->bindings(1).import(), "env.now");
  EXPECT_EQ(job->bindings(1).constant().values(0).i64(), 5);
}

constexpr const char* kLookingUp = R"((module
  (import "env" "cost" (func $cost (param i32) (result i64)))
  (func (export "identity") (param i32) (result i32) (i32.wrap_i64 (call $cost (local.get 0))))))";

TEST_F(DaemonBindingsTest, ALookUpIsShownWithoutItsRows) {
  Start();
  v1::CreateJobRequest request = Main(kLookingUp);
  v1::Binding::Lookup* lookup = Bind("env.cost", &request)->mutable_lookup();
  v1::Binding::LookupRow* row = lookup->add_rows();
  row->add_args()->set_i32(1);
  row->add_results()->set_i64(10);
  lookup->add_otherwise()->set_i64(-1);
  const Result<v1::Job> job = CreateJob(*client_, request);
  ASSERT_TRUE(job.ok()) << job.status().message();
  ASSERT_TRUE(job->bindings(0).has_lookup());
  EXPECT_EQ(job->bindings(0).lookup().rows_size(), 0);
  EXPECT_EQ(job->bindings(0).lookup().otherwise(0).i64(), -1);
}

TEST_F(DaemonBindingsTest, ALookUpIsRefusedByItsRow) {
  Start();
  v1::CreateJobRequest request = Main(kLookingUp);
  v1::Binding::Lookup* lookup = Bind("env.cost", &request)->mutable_lookup();
  const auto refused = [&] { return CreateJob(*client_, request).status().message(); };
  EXPECT_NE(refused().find("[job.bindings[0].lookup.rows] needs a row"), std::string::npos)
      << refused();
  for (int i = 0; i < 2; ++i) {
    v1::Binding::LookupRow* row = lookup->add_rows();
    row->add_args()->set_i32(i);
    row->add_results()->set_i64(10);
  }
  lookup->mutable_rows(1)->mutable_results(0)->set_i32(10);
  EXPECT_NE(refused().find("[job.bindings[0].lookup.rows[1]] is (i32) -> (i32)"), std::string::npos)
      << refused();
  lookup->mutable_rows(1)->mutable_results(0)->set_i64(10);
  lookup->mutable_rows(1)->mutable_args(0)->set_i32(0);
  EXPECT_NE(refused().find("the same arguments in rows [1] and [2]"), std::string::npos)
      << refused();
}

TEST_F(DaemonBindingsTest, ImportsThatAreLeftAreListedWithTheFlag) {
  Start();
  v1::CreateJobRequest request = Main();
  Bind("env.abort", &request)->mutable_trap();
  const Status status = CreateJob(*client_, request).status();
  EXPECT_EQ(status.reason(), Reason::kImportNotProvided);
  for (const char* text : {"[env.now]", "--bind env.NAME=trap"}) {
    EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
  }
}

TEST_F(DaemonBindingsTest, WrongOnesAreRefused) {
  Start();
  v1::CreateJobRequest request = Main();
  Bind("env.*", &request);
  Status status = CreateJob(*client_, request).status();
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("[job.bindings[0]]"), std::string::npos) << status.message();
  request = Main();
  Bind("env.*", &request)->mutable_ignore();
  Bind("env.what", &request)->mutable_trap();
  status = CreateJob(*client_, request).status();
  EXPECT_EQ(status.reason(), Reason::kInvalidArgument);
  EXPECT_NE(status.message().find("[env.what] binds nothing"), std::string::npos)
      << status.message();
  EXPECT_EQ(ListJobs(*client_, {}).value().jobs_size(), 0);
}

TEST_F(DaemonBindingsTest, OtherBindingsAreAnotherJobUnderTheSameRequestId) {
  Start();
  v1::CreateJobRequest request = Main();
  request.set_request_id("one");
  Bind("env.*", &request)->mutable_ignore();
  ASSERT_TRUE(CreateJob(*client_, request).ok());
  request.mutable_job()->mutable_bindings(0)->mutable_trap();
  EXPECT_EQ(CreateJob(*client_, request).status().reason(), Reason::kRequestIdReused);
}

}  // namespace
}  // namespace wb
