// Spans on their way to a receiver that is there, busy, unwilling or gone.

#include "daemon/traces/span_exporter.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "tests/daemon/traces/span_receiver.h"

namespace wb {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

class SpanExporterTest : public testing::Test {
 protected:
  SpanExporterTest() {
    settings_.gather = 1ms;
    settings_.pause = [this](int failures, nanoseconds asked) {
      std::lock_guard lock(mutex_);
      pauses_.push_back({failures, asked});
      return nanoseconds(1ms);
    };
  }
  static std::vector<Span> Named(const std::string& name, size_t count = 1) {
    Span span;
    span.name = name;
    return std::vector<Span>(count, span);
  }
  void Start(SpanExporter::Send send) {
    exporter_ = std::make_unique<SpanExporter>(
        settings_, std::move(send), [this](SpanFate fate, uint64_t spans, const std::string& why) {
          std::lock_guard lock(mutex_);
          fates_[fate] += spans;
          if (!why.empty()) why_ = why;
          changed_.notify_all();
        });
  }
  void StartPosting(const std::string& url, const std::vector<std::string>& headers = {}) {
    std::shared_ptr<HttpPost> post = HttpPost::Open(url, headers).value();
    Start([post](const std::string& body, const std::function<bool()>& is_unwanted) {
      return post->Send(body, is_unwanted);
    });
  }
  void Await(SpanFate fate, uint64_t spans) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return fates_[fate] >= spans; });
    EXPECT_EQ(fates_[fate], spans);
  }

  SpanExporter::Settings settings_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<SpanFate, uint64_t> fates_;
  std::string why_;
  std::vector<std::pair<int, nanoseconds>> pauses_;
  SpanReceiver receiver_;
  std::unique_ptr<SpanExporter> exporter_;
};

TEST_F(SpanExporterTest, ABatchIsOnePostOfJson) {
  StartPosting(receiver_.endpoint() + "/v1/traces", {"x-token: abc"});
  exporter_->Add(Named("one", 3));
  Await(SpanFate::kExported, 3);
  const auto requests = receiver_.AwaitRequests(1);
  EXPECT_EQ(requests[0].head.find("POST /v1/traces HTTP/1.1\r\n"), 0u) << requests[0].head;
  EXPECT_NE(requests[0].head.find("\r\nContent-Type: application/json"), std::string::npos);
  EXPECT_NE(requests[0].head.find("\r\nx-token: abc"), std::string::npos);
  EXPECT_EQ(requests[0].head.find("Expect"), std::string::npos);
  EXPECT_EQ(receiver_.AwaitSpan("one").size(), 3u);
}

TEST_F(SpanExporterTest, ABusyReceiverIsAskedAgainWhenItSays) {
  receiver_.Answer("429 Too Many Requests\r\nRetry-After: 7");
  receiver_.Answer("503 Service Unavailable");
  StartPosting(receiver_.endpoint() + "/v1/traces");
  exporter_->Add(Named("one"));
  Await(SpanFate::kExported, 1);
  EXPECT_EQ(receiver_.AwaitRequests(3).size(), 3u);
  ASSERT_EQ(pauses_.size(), 2u);
  EXPECT_EQ(pauses_[0], std::pair(1, nanoseconds(7s)));
  EXPECT_EQ(pauses_[1], std::pair(2, nanoseconds(0s)));
}

TEST_F(SpanExporterTest, WhatIsRefusedIsNotSentAgainAndTheNextIs) {
  receiver_.Answer("400 Bad Request");
  StartPosting(receiver_.endpoint() + "/v1/traces");
  exporter_->Add(Named("one", 2));
  Await(SpanFate::kRefused, 2);
  EXPECT_NE(why_.find("400"), std::string::npos) << why_;
  exporter_->Add(Named("two"));
  Await(SpanFate::kExported, 1);
  EXPECT_TRUE(pauses_.empty());
}

TEST_F(SpanExporterTest, WithoutAReceiverABatchIsGivenUpAfterSomeTries) {
  StartPosting("http://127.0.0.1:1/v1/traces");
  exporter_->Add(Named("one"));
  Await(SpanFate::kGivenUp, 1);
  EXPECT_FALSE(why_.empty());
  EXPECT_EQ(pauses_.size(), static_cast<size_t>(kMostExportTries) - 1);
}

TEST_F(SpanExporterTest, AFullQueueDropsAndCountsAndNeverWaits) {
  settings_.most_waiting = 10;
  settings_.batch = 4;
  std::mutex gate;
  std::unique_lock closed(gate);
  Start([&gate](const std::string&, const std::function<bool()>&) {
    std::lock_guard open(gate);
    return HttpPostAnswer{200, {}, ""};
  });
  for (int i = 0; i < 10; ++i) exporter_->Add(Named("one", 5));
  uint64_t dropped = 0;
  {
    std::lock_guard lock(mutex_);
    dropped = fates_[SpanFate::kQueueFull];
  }
  EXPECT_GE(dropped, 50u - 10 - 4);
  closed.unlock();
  Await(SpanFate::kExported, 50 - dropped);
}

TEST_F(SpanExporterTest, AtTheEndWhatIsLeftIsSent) {
  settings_.gather = 1h;
  settings_.last_words = 1h;
  StartPosting(receiver_.endpoint() + "/v1/traces");
  exporter_->Add(Named("last", 2));
  exporter_.reset();
  EXPECT_EQ(fates_[SpanFate::kExported], 2u);
}

TEST_F(SpanExporterTest, AtTheEndAReceiverThatIsGoneHoldsNothingUp) {
  settings_.pause = [](int, nanoseconds) { return nanoseconds(1h); };
  StartPosting("http://127.0.0.1:1/v1/traces");
  exporter_->Add(Named("last", 2));
  exporter_.reset();
  EXPECT_EQ(fates_[SpanFate::kGivenUp], 2u);
}

}  // namespace
}  // namespace wb
