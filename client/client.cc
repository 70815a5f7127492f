#include "client/client.h"

#include <utility>

#include "client/connection.h"

namespace wb {

Client::Client(std::unique_ptr<ClientConnection> connection) : connection_(std::move(connection)) {}

Client::~Client() = default;

Result<std::unique_ptr<Client>> Client::Connect(const std::string& address,
                                                const ClientOptions& options) {
  WB_ASSIGN(ClientTransport transport, ClientTransport::Create(address, options));
  auto connection = std::make_unique<ClientConnection>(address, options, std::move(transport));
  return std::unique_ptr<Client>(new Client(std::move(connection)));
}

void Client::Interrupt() { connection_->Interrupt(); }
Status Client::CheckGoesOn() const { return connection_->CheckGoesOn(); }

}  // namespace wb
