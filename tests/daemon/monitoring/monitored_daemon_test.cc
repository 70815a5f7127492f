// A whole daemon over the fake scheduler, as those see it who watch it.

#include "client/services/jobs.h"
#include "daemon/config/metrics_address.h"
#include "tests/daemon/metrics/metric_text.h"
#include "tests/daemon/monitoring/http_probe.h"
#include "tests/daemon/services/daemon_fixture.h"

namespace wb {
namespace {

class MonitoredDaemonTest : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    config_.metrics_address = "127.0.0.1:0";
  }
  std::string Get(const std::string& target) const { return HttpGet(Pages(), target); }
  ListenAddress Pages() const { return ParseListenAddress(daemon_->metrics_address()).value(); }
  MetricText Scrape() const {
    const std::string answer = Get("/metrics");
    EXPECT_EQ(HttpStatus(answer), 200);
    EXPECT_NE(answer.find("Content-Type: text/plain; version=0.0.4"), std::string::npos);
    MetricText text = ReadMetricText(HttpBody(answer));
    EXPECT_EQ(text.errors, std::vector<std::string>());
    return text;
  }
  static std::string Call(const std::string& method, const std::string& type) {
    return "{grpc_method=\"" + method + "\",grpc_service=\"wasmburst.v1.Jobs\",grpc_type=\"" +
           type + "\"}";
  }
  static std::string Handled(const std::string& code, const std::string& method,
                             const std::string& type) {
    return "grpc_server_handled_total{grpc_code=\"" + code + "\"," + Call(method, type).substr(1);
  }
  // A call is counted at its end, which a client may see a moment earlier.
  double HandledSoon(const std::string& key, double wanted) const {
    double value = -1;
    for (int tries = 0; tries < 200 && value != wanted; ++tries) value = Scrape().Value(key);
    return value;
  }
};

TEST_F(MonitoredDaemonTest, CountsAJobItsInstancesAndTheCalls) {
  Start();
  MetricText before = Scrape();
  EXPECT_EQ(before.Value("wasmburst_jobs_created_total{tenant=\"default\"}"), 0);
  EXPECT_EQ(before.Value("grpc_server_started_total" + Call("CreateJob", "unary")), 0);
  EXPECT_EQ(before.Value("wasmburst_jobs{state=\"running\"}"), 0);
  EXPECT_EQ(before.Value("wasmburst_modules"), 0);

  ASSERT_EQ(WaitForEnd(Create("identity", 25)).state(), wasmburst::v1::Job::SUCCEEDED);
  ASSERT_EQ(WaitForEnd(Create("trap", 3)).state(), wasmburst::v1::Job::SUCCEEDED);
  EXPECT_FALSE(GetJob(*client_, "jobs/01M87QBAA08AQ02B1D3R8HPACR").ok());

  EXPECT_EQ(HandledSoon(Handled("NotFound", "GetJob", "unary"), 1), 1);
  EXPECT_EQ(HandledSoon(Handled("OK", "WatchJob", "server_stream"), 2), 2);
  const MetricText text = Scrape();
  EXPECT_EQ(text.Value("wasmburst_jobs_created_total{tenant=\"default\"}"), 2);
  EXPECT_EQ(text.Value("wasmburst_jobs_finished_total{state=\"succeeded\",tenant=\"default\"}"), 2);
  EXPECT_EQ(text.Value("wasmburst_jobs_finished_total{state=\"failed\",tenant=\"default\"}"), 0);
  EXPECT_EQ(text.Value("wasmburst_instances_finished_total{outcome=\"returned\"}"), 25);
  EXPECT_EQ(text.Value("wasmburst_instances_finished_total{outcome=\"trapped\"}"), 3);
  EXPECT_EQ(text.Value("wasmburst_job_duration_seconds_count"), 2);
  EXPECT_EQ(text.Value("wasmburst_jobs{state=\"succeeded\"}"), 2);
  EXPECT_EQ(text.Value("wasmburst_jobs{state=\"queued\"}"), 0);
  EXPECT_EQ(text.Value("grpc_server_started_total" + Call("CreateJob", "unary")), 2);
  EXPECT_EQ(text.Value(Handled("OK", "CreateJob", "unary")), 2);
  EXPECT_EQ(text.Value("grpc_server_handling_seconds_count" + Call("CreateJob", "unary")), 2);
  EXPECT_EQ(text.Value("wasmburst_modules"), 1);
  EXPECT_GT(text.Value("wasmburst_modules_bytes"), 8);
  EXPECT_GT(text.Value("wasmburst_results_bytes"), 0);
  EXPECT_EQ(text.names.size(), before.names.size());
}

TEST_F(MonitoredDaemonTest, JobsStandInTheirStatesAndStreamsAreOpen) {
  Start();
  scheduler_->Hold();
  const std::string name = Create("identity", 5);
  EXPECT_EQ(Scrape().Value("wasmburst_jobs{state=\"queued\"}"), 1);
  EXPECT_EQ(Scrape().Value("wasmburst_job_duration_seconds_count"), 0);
  std::thread watcher([this, &name] { (void)WaitForEnd(name); });
  EXPECT_EQ(HandledSoon("wasmburst_stream_clients", 1), 1);
  scheduler_->Release();
  watcher.join();
  EXPECT_EQ(HandledSoon("wasmburst_stream_clients", 0), 0);
  ASSERT_TRUE(DeleteJob(*client_, name).ok());
  const MetricText text = Scrape();
  EXPECT_EQ(text.Value("wasmburst_jobs{state=\"queued\"}"), 0);
  EXPECT_EQ(text.Value("wasmburst_jobs{state=\"running\"}"), 0);
  EXPECT_EQ(text.Value("wasmburst_jobs{state=\"succeeded\"}"), 0);
}

TEST_F(MonitoredDaemonTest, TenantsHaveTheirOwnSeriesAndRefusalsAReason) {
  config_.tenants["ann"].max_jobs = 0;
  config_.max_jobs = 1;
  Start();
  EXPECT_EQ(Scrape().Value("wasmburst_jobs_created_total{tenant=\"ann\"}"), 0);
  scheduler_->Hold();
  wasmburst::v1::CreateJobRequest request = Request("identity", 1);
  (*request.mutable_job()->mutable_labels())["tenant"] = "ann";
  ASSERT_TRUE(CreateJob(*client_, request).ok());
  EXPECT_EQ(CreateJob(*client_, Request("identity", 1)).status().reason(), Reason::kQueueFull);
  const std::string refused = "wasmburst_queue_rejected_total{reason=\"QUEUE_FULL\"}";
  EXPECT_EQ(HandledSoon(refused, 1), 1);
  EXPECT_EQ(Scrape().Value("wasmburst_jobs_created_total{tenant=\"ann\"}"), 1);
  EXPECT_EQ(Scrape().Value("wasmburst_jobs_created_total{tenant=\"default\"}"), 0);
  scheduler_->Release();
}

TEST_F(MonitoredDaemonTest, CommitsAreTimedWhereThereIsADisk) {
  state_directory_ = folder_ + "/state";
  std::filesystem::create_directory(state_directory_);
  Start();
  ASSERT_EQ(WaitForEnd(Create("identity", 25)).state(), wasmburst::v1::Job::SUCCEEDED);
  const MetricText text = Scrape();
  EXPECT_GE(text.Value("wasmburst_storage_commit_duration_seconds_count"), 2);
  EXPECT_GT(text.Value("wasmburst_storage_commit_duration_seconds_sum"), 0);
  EXPECT_EQ(text.Value("wasmburst_storage_commit_failures_total"), 0);
  EXPECT_GT(text.Value("wasmburst_storage_free_bytes"), 0);
  EXPECT_EQ(text.Value("wasmburst_instances_finished_total{outcome=\"returned\"}"), 25);
  EXPECT_EQ(text.Value("wasmburst_jobs_finished_total{state=\"succeeded\",tenant=\"default\"}"), 1);
  // The next daemon keeps the job and counts anew.
  client_.reset();
  daemon_.reset();
  Start();
  EXPECT_EQ(Scrape().Value("wasmburst_jobs{state=\"succeeded\"}"), 1);
  EXPECT_EQ(Scrape().Value("wasmburst_jobs_created_total{tenant=\"default\"}"), 0);
}

TEST_F(MonitoredDaemonTest, ALowDiskIsShownUntilItHasSpaceAgain) {
  state_directory_ = folder_ + "/state";
  std::filesystem::create_directory(state_directory_);
  std::atomic<uint64_t> free{uint64_t{1} << 40};
  room_at_ = [&free](const std::string&) { return DiskRoom{true, false, free}; };
  Start();
  EXPECT_EQ(Scrape().Value("wasmburst_storage_alarm"), 0);
  free = 1000;
  EXPECT_EQ(Scrape().Value("wasmburst_storage_alarm"), 1);
  EXPECT_EQ(HttpStatus(Get("/readyz")), 503);
  EXPECT_NE(HttpBody(Get("/readyz")).find("[-] store: The disk of ["), std::string::npos);
  EXPECT_EQ(HttpStatus(Get("/livez")), 200);
  free = uint64_t{1} << 40;
  EXPECT_EQ(HttpStatus(Get("/readyz")), 200);
  EXPECT_EQ(Scrape().Value("wasmburst_storage_alarm"), 0);
  client_.reset();
  daemon_.reset();
}

TEST_F(MonitoredDaemonTest, HealthPages) {
  Start();
  EXPECT_EQ(HttpStatus(Get("/livez")), 200);
  EXPECT_EQ(HttpBody(Get("/livez")), "ok\n");
  EXPECT_EQ(HttpBody(Get("/livez?verbose")), "[+] workers\n");
  EXPECT_EQ(HttpStatus(Get("/readyz")), 200);
  EXPECT_EQ(HttpBody(Get("/readyz")), "ok\n");
  EXPECT_EQ(HttpBody(Get("/readyz?verbose")),
            "[+] serving\n[+] admission\n[+] store\n[+] devices\n");
  EXPECT_EQ(HttpBody(Get("/readyz?x=verbosely")), "ok\n");
}

TEST_F(MonitoredDaemonTest, OtherPathsAndMethods) {
  config_.page_enabled = false;  // with it: PageTest
  Start();
  for (const char* path : {"/", "/metrics/", "/metricsx", "/livez/x", "/../metrics", "//metrics"}) {
    EXPECT_EQ(HttpStatus(Get(path)), 404) << path;
  }
  for (const char* path : {"/metrics", "/livez", "/readyz"}) {
    for (const char* method : {"POST", "HEAD", "PUT", "DELETE", "get"}) {
      const std::string answer =
          HttpAsk(Pages(), std::string(method) + " " + path + " HTTP/1.1\r\n\r\n");
      EXPECT_EQ(HttpStatus(answer), 405) << method;
      EXPECT_NE(answer.find("\r\nAllow: GET\r\n"), std::string::npos);
    }
  }
}

TEST_F(MonitoredDaemonTest, ADrainingDaemonLivesAndIsNotReady) {
  Start();
  EXPECT_EQ(HttpStatus(Get("/readyz")), 200);
  daemon_->Drain();
  const std::string answer = Get("/readyz");
  EXPECT_EQ(HttpStatus(answer), 503);
  EXPECT_NE(HttpBody(answer).find("[-] admission: the daemon is draining\n"), std::string::npos);
  EXPECT_NE(HttpBody(answer).find("[-] serving"), std::string::npos);
  EXPECT_EQ(HttpStatus(Get("/livez")), 200);
  EXPECT_EQ(HttpStatus(Get("/metrics")), 200);
}

TEST_F(MonitoredDaemonTest, NothingIsServedWithoutAnAddress) {
  config_.metrics_address.clear();
  Start();
  EXPECT_EQ(daemon_->metrics_address(), "");
}

TEST_F(MonitoredDaemonTest, AnAddressThatIsInUseKeepsTheDaemonFromStarting) {
  Start();
  Config second = config_;
  second.listen.resize(1);
  second.listen[0].address.path = folder_ + "/second";
  second.metrics_address = "127.0.0.1:" + std::to_string(Pages().port);
  DaemonParts parts;
  parts.scheduler = scheduler_.get();
  const Status status = Daemon::Start(second, parts).status();
  EXPECT_EQ(status.reason(), Reason::kIoError);
  EXPECT_NE(status.message().find(second.metrics_address), std::string::npos) << status.message();
  second.metrics_address = "0.0.0.0:0";
  EXPECT_EQ(Daemon::Start(second, parts).status().reason(), Reason::kConfigInvalid);
}

}  // namespace
}  // namespace wb
