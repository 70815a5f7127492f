#include "client/services/inspection.h"

#include <utility>

#include "client/connection.h"
#include "compiler/base/digest.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

// Reads a stream to its end, or until `take` says false.
template <typename Message, typename Reader, typename Take>
Status ReadAll(ClientConnection& connection, ClientConnection::Call& call, Reader& reader,
               Take take) {
  Message message;
  while (reader.Read(&message)) {
    if (take(message)) continue;
    call.context.TryCancel();
    while (reader.Read(&message)) {
    }
    reader.Finish();
    return {};
  }
  const grpc::Status status = reader.Finish();
  return status.ok() ? Status() : connection.FailureOf(status, true).status;
}

}  // namespace

Result<InstanceDump> DumpInstance(Client& client, const std::string& job, uint64_t instance) {
  ClientConnection& connection = client.connection();
  ClientConnection::Call call(&connection);
  v1::DumpInstanceRequest request;
  request.set_job(job);
  request.set_instance(instance);
  const auto reader = connection.inspection->DumpInstance(&call.context, request);
  InstanceDump dump;
  std::string sha256;
  WB_TRY(ReadAll<v1::DumpChunk>(connection, call, *reader, [&](const v1::DumpChunk& chunk) {
    dump.core += chunk.data();
    dump.kept = dump.kept || chunk.kept();
    sha256 = chunk.sha256();
    return true;
  }));
  if (Sha256(AsBytes(dump.core)).Hex() == sha256) return dump;
  return Status(Reason::kBlobCorrupt, "The dump that came is not what the daemon sent.");
}

Status ReplayInstance(Client& client, const v1::ReplayInstanceRequest& request,
                      const OnReplay& take) {
  ClientConnection& connection = client.connection();
  ClientConnection::Call call(&connection);
  const auto reader = connection.inspection->ReplayInstance(&call.context, request);
  return ReadAll<v1::ReplayEvent>(connection, call, *reader, take);
}

}  // namespace wb
