#include "daemon/services/host_call_session.h"

#include <string>
#include <utility>
#include <vector>

#include "daemon/translate/translate_host_call.h"
#include "wasmburst/v1/host_calls.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

constexpr uint64_t kMessageBytes = 1 << 20;

class HostCallSession : public StreamSession {
 public:
  explicit HostCallSession(std::shared_ptr<HostCallQueue> queue) : queue_(std::move(queue)) {}
  ~HostCallSession() override { queue_->StopServing(); }

  // A wrong answer loses none of the others; the end of the stream tells of the first.
  Status Add(const Message& message) override {
    const auto& request = static_cast<const v1::ServeHostCallsRequest&>(message);
    std::vector<HostAnswer> answers;
    for (const v1::HostAnswer& answer : request.answers()) {
      answers.push_back(HostAnswerFromProto(answer));
    }
    const Status status = queue_->Answer(std::move(answers));
    if (!status.ok() && first_wrong_.ok()) first_wrong_ = status;
    return {};
  }

  Status HalfClosed() override { return first_wrong_; }

  Item Next() override {
    if (queue_->closed()) return {nullptr, true, first_wrong_};
    const std::vector<HostCall> calls = queue_->Take(kMessageBytes);
    if (calls.empty()) return {};
    auto response = std::make_shared<v1::ServeHostCallsResponse>();
    for (const HostCall& call : calls) {
      HostCallToProto(call, queue_->imports()[call.import].name, response->add_calls());
    }
    return {std::move(response), false, {}};
  }

  MessagePtr Heartbeat() override {
    auto response = std::make_shared<v1::ServeHostCallsResponse>();
    response->set_heartbeat(true);
    return response;
  }

 private:
  const std::shared_ptr<HostCallQueue> queue_;
  Status first_wrong_;
};

}  // namespace

Result<std::unique_ptr<StreamSession>> ServeCallsAt(std::shared_ptr<HostCallQueue> queue,
                                                    std::function<void()> wake) {
  WB_TRY(queue->Serve(std::move(wake)));
  return std::unique_ptr<StreamSession>(std::make_unique<HostCallSession>(std::move(queue)));
}

}  // namespace wb
