#include "client/services/devices.h"

#include "client/connection.h"

namespace wb {

namespace v1 = wasmburst::v1;

Result<v1::ListDevicesResponse> ListDevices(Client& client) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.admin, &v1::Admin::Stub::ListDevices,
                          v1::ListDevicesRequest());
}
Result<v1::ListDevicesResponse> FindDevices(Client& client) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.admin, &v1::Admin::Stub::FindDevices,
                          v1::FindDevicesRequest());
}

Result<v1::ChangeDeviceResponse> CordonDevice(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::CordonDeviceRequest request;
  request.set_name(name);
  return connection.Unary(*connection.admin, &v1::Admin::Stub::CordonDevice, request);
}

Result<v1::ChangeDeviceResponse> UncordonDevice(Client& client, const std::string& name) {
  ClientConnection& connection = client.connection();
  v1::UncordonDeviceRequest request;
  request.set_name(name);
  return connection.Unary(*connection.admin, &v1::Admin::Stub::UncordonDevice, request);
}

Result<v1::ChangeDeviceResponse> DrainDevice(Client& client, const std::string& name,
                                             std::chrono::nanoseconds deadline) {
  ClientConnection& connection = client.connection();
  v1::DrainDeviceRequest request;
  request.set_name(name);
  if (deadline.count() > 0) {
    request.mutable_deadline()->set_seconds(deadline.count() / 1'000'000'000);
    request.mutable_deadline()->set_nanos(static_cast<int32_t>(deadline.count() % 1'000'000'000));
  }
  return connection.Unary(*connection.admin, &v1::Admin::Stub::DrainDevice, request);
}

Status WatchBursts(Client& client, v1::WatchBurstsRequest request, const OnBursts& on_bursts) {
  ClientConnection& connection = client.connection();
  return connection.Stream<v1::BurstEvent>(
      [&](grpc::ClientContext* context) { return connection.admin->WatchBursts(context, request); },
      [&](const v1::BurstEvent& event) {
        request.set_resume_token(event.resume_token());
        return on_bursts(event);
      });
}

}  // namespace wb
