#include "client/services/server.h"

#include "client/connection.h"

namespace wb {

namespace v1 = wasmburst::v1;

Result<v1::ServerInfo> GetServerInfo(Client& client) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.admin, &v1::Admin::Stub::GetServerInfo,
                          v1::GetServerInfoRequest());
}

Result<v1::ServerConfig> GetServerConfig(Client& client) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.admin, &v1::Admin::Stub::GetConfig, v1::GetConfigRequest());
}

Result<v1::ListCacheResponse> ListCache(Client& client) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.admin, &v1::Admin::Stub::ListCache, v1::ListCacheRequest());
}

Result<v1::PruneCacheResponse> PruneCache(Client& client, bool all) {
  ClientConnection& connection = client.connection();
  v1::PruneCacheRequest request;
  request.set_all(all);
  return connection.Unary(*connection.admin, &v1::Admin::Stub::PruneCache, request);
}

Status ReadBackup(Client& client, const std::function<Status(const v1::BackupChunk&)>& take) {
  ClientConnection& connection = client.connection();
  ClientConnection::Call call(&connection);
  const auto reader = connection.admin->CreateBackup(&call.context, v1::CreateBackupRequest());
  v1::BackupChunk chunk;
  Status taken;
  while (taken.ok() && reader->Read(&chunk)) taken = take(chunk);
  if (!taken.ok()) {
    call.context.TryCancel();
    while (reader->Read(&chunk)) {
    }
    reader->Finish();
    return taken;
  }
  const grpc::Status status = reader->Finish();
  return status.ok() ? Status() : connection.FailureOf(status, true).status;
}

}  // namespace wb
