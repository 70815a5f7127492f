#pragma once

// How a client reaches its daemon: the channel, and what is wrong with TLS where it cannot.

#include <grpcpp/channel.h>

#include <memory>
#include <string>
#include <utility>

#include "client/client_address.h"
#include "client/client_options.h"
#include "client/tls_files.h"
#include "compiler/base/status.h"

namespace wb {

struct TlsFinding;

class ClientTransport {
 public:
  // Reads the files that are named. INVALID_ARGUMENT also where a token would cross a network in
  // plain text, and where files of TLS go with an address without it.
  static Result<ClientTransport> Create(const std::string& address, const ClientOptions& options);

  std::shared_ptr<grpc::Channel> OpenChannel() const;
  bool is_tls() const { return address_.transport == ClientAddress::Transport::kTls; }

  // Why no call gets through, from a handshake of its own; ok: TLS is not why. Blocks for some
  // seconds at most. UNAUTHENTICATED: trying again does not help; UNAVAILABLE: what answers is of
  // the other kind, with TLS or without.
  Status FindTrouble() const;

 private:
  ClientTransport(ClientAddress address, const ClientOptions& options, TlsTexts texts)
      : address_(std::move(address)), options_(options), texts_(std::move(texts)) {}
  std::string NameOfDaemon() const;
  Status OfCertificate(const TlsFinding& finding) const;

  ClientAddress address_;
  ClientOptions options_;
  TlsTexts texts_;
};

}  // namespace wb
