// Many streams of results at a time, of one job, against a daemon that runs:
//   wb_stream_load ADDRESS JOB STREAMS CONNECTIONS SECONDS [stall]
// Each stream follows the job's results. With `stall` it is opened and nothing of it is ever read.
// Says every error, and at the end "streams N, messages M, heartbeats H, errors E".

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "wasmburst/v1/jobs.grpc.pb.h"

namespace {

namespace v1 = wasmburst::v1;

struct Totals {
  std::atomic<uint64_t> messages{0};
  std::atomic<uint64_t> heartbeats{0};
  std::atomic<uint64_t> errors{0};
  std::atomic<uint64_t> open{0};
  std::atomic<bool> ending{false};  // what ends from now on was cancelled by us
};

class Stream : public grpc::ClientReadReactor<v1::ReadResultsResponse> {
 public:
  Stream(v1::Jobs::Stub* stub, const std::string& job, bool stalls, Totals* totals)
      : totals_(totals) {
    request_.set_name(job);
    request_.set_follow(true);
    ++totals_->open;
    stub->async()->ReadResults(&context_, &request_, this);
    // The call's end may not come before this is ready for it.
    AddHold();
    if (!stalls) StartRead(&response_);
    StartCall();
  }
  void End() {
    context_.TryCancel();
    RemoveHold();
  }
  void OnReadDone(bool ok) override {
    if (!ok) return;
    ++totals_->messages;
    if (response_.heartbeat()) ++totals_->heartbeats;
    StartRead(&response_);
  }
  void OnDone(const grpc::Status& status) override {
    if (!totals_->ending) {
      ++totals_->errors;
      std::cerr << "a stream ended: " << status.error_code() << " " << status.error_message()
                << "\n";
    }
    --totals_->open;
  }

 private:
  Totals* const totals_;
  grpc::ClientContext context_;
  v1::ReadResultsRequest request_;
  v1::ReadResultsResponse response_;
};

std::unique_ptr<v1::Jobs::Stub> Connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
  // What is not read stays at the daemon, and not in a window that grows.
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  return v1::Jobs::NewStub(
      grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 5 && !(words.size() == 6 && words[5] == "stall")) {
    std::cerr << "usage: wb_stream_load ADDRESS JOB STREAMS CONNECTIONS SECONDS [stall]\n";
    return 2;
  }
  const int streams = std::atoi(words[2].c_str());
  const int connections = std::atoi(words[3].c_str());
  if (streams < 1 || connections < 1) return 2;
  Totals totals;
  std::vector<std::unique_ptr<v1::Jobs::Stub>> stubs;
  for (int i = 0; i < connections; ++i) stubs.push_back(Connect(words[0]));
  std::vector<std::unique_ptr<Stream>> open;
  for (int i = 0; i < streams; ++i) {
    open.push_back(std::make_unique<Stream>(stubs[static_cast<size_t>(i % connections)].get(),
                                            words[1], words.size() == 6, &totals));
  }
  std::this_thread::sleep_for(std::chrono::seconds(std::atoi(words[4].c_str())));
  totals.ending = true;
  for (const auto& stream : open) stream->End();
  while (totals.open > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::cout << "streams " << streams << ", messages " << totals.messages << ", heartbeats "
            << totals.heartbeats << ", errors " << totals.errors << "\n";
  return totals.errors == 0 ? 0 : 1;
}
