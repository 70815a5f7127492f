#include "client/transport.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <utility>

#include "client/tls_probe.h"
#include "client/token_file.h"

namespace wb {
namespace {

using Transport = ClientAddress::Transport;

constexpr int kLargestMessage = 64 << 20;

// A file of TLS that was named; empty: none was.
std::string TlsFlagGiven(const ClientOptions& options) {
  if (!options.ca_file.empty()) return "--ca";
  if (!options.certificate_file.empty()) return "--cert";
  if (!options.key_file.empty()) return "--key";
  return options.server_name.empty() ? "" : "--server-name";
}

Status CheckFits(const ClientAddress& address, const ClientOptions& options) {
  const std::string flag = TlsFlagGiven(options);
  if (address.transport != Transport::kTls && !flag.empty()) {
    return Status(Reason::kInvalidArgument,
                  "The address [" + address.text + "] has no TLS, which " + flag +
                      " is for: give an address tls://host:port, or leave " + flag + " out.",
                  {{"field", "addr"}});
  }
  if (options.token.empty()) return {};
  WB_ASSIGN(const std::string token, TokenFromText(options.token, "The token that was given"));
  if (token != options.token) {  // gRPC ends the process over a header with a line's end
    return Status(Reason::kInvalidArgument, "The token that was given has white space around it.");
  }
  if (address.transport == Transport::kPlain && !address.is_local) {
    return Status(Reason::kInvalidArgument,
                  "A token is not sent to [" + address.text +
                      "] in plain text, where others can read it: give an address "
                      "tls://host:port, or none but this machine's own for tcp://.",
                  {{"field", "addr"}});
  }
  return {};
}

// Trying again does not help here.
Status NotProven(const std::string& message, const char* flag) {
  return Status(Reason::kUnauthenticated, message, {{"flag", flag}});
}

}  // namespace

Result<ClientTransport> ClientTransport::Create(const std::string& address,
                                                const ClientOptions& options) {
  WB_ASSIGN(ClientAddress parsed, ParseClientAddress(address));
  WB_TRY(CheckFits(parsed, options));
  WB_ASSIGN(TlsTexts texts, ReadTlsFiles(options));
  return ClientTransport(std::move(parsed), options, std::move(texts));
}

std::string ClientTransport::NameOfDaemon() const {
  return options_.server_name.empty() ? address_.host : options_.server_name;
}

std::shared_ptr<grpc::Channel> ClientTransport::OpenChannel() const {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(kLargestMessage);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5000);
  // A process may hold several clients; each has its own connection.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (!is_tls()) {
    return grpc::CreateCustomChannel(address_.target, grpc::InsecureChannelCredentials(),
                                     arguments);
  }
  if (!options_.server_name.empty()) arguments.SetSslTargetNameOverride(options_.server_name);
  grpc::SslCredentialsOptions files;
  files.pem_root_certs = texts_.ca;
  files.pem_cert_chain = texts_.certificate;
  files.pem_private_key = texts_.key;
  return grpc::CreateCustomChannel(address_.target, grpc::SslCredentials(files), arguments);
}

Status ClientTransport::FindTrouble() const {
  using Found = TlsFinding::Kind;
  if (address_.transport == Transport::kUnix) return {};
  TlsProbe probe;
  if (is_tls()) probe = {texts_, NameOfDaemon()};
  const TlsFinding finding = ProbeTls(address_, probe);
  const std::string answers = "What answers at [" + address_.text + "] ";
  // Plain text was asked for: that there is no TLS is not what is wrong.
  if (!is_tls() && finding.kind != Found::kSpeaksTls) return {};
  switch (finding.kind) {
    case Found::kNothing: return {};
    case Found::kNoTls:
      return Status(Reason::kUnavailable,
                    answers +
                        "speaks no TLS; a daemon that listens at tcp:// is reached by --addr "
                        "tcp://host:port.");
    case Found::kSpeaksTls:
      return Status(Reason::kUnavailable, answers + "wants TLS: use --addr tls://" + address_.host +
                                              ":" + address_.port + ".");
    case Found::kWantsCertificate:
      return NotProven(
          answers + "demands a client certificate: name yours by --cert FILE --key FILE.",
          "--cert");
    case Found::kRefusesCertificate:
      return NotProven(answers + "refuses the client certificate [" + options_.certificate_file +
                           "]: it must be valid now, and signed by the daemon's own client_ca.",
                       "--cert");
    default: return OfCertificate(finding);
  }
}

Status ClientTransport::OfCertificate(const TlsFinding& finding) const {
  const std::string start = "The certificate of the daemon at [" + address_.text + "] is not ";
  if (finding.kind == TlsFinding::Kind::kOtherName) {
    const std::string names = finding.names.empty() ? "no name" : finding.names;
    return NotProven(start + "for [" + NameOfDaemon() + "], but for " + names +
                         ": use such a name in --addr, or name it by --server-name NAME.",
                     "--server-name");
  }
  if (finding.kind == TlsFinding::Kind::kWrongTime) {
    return NotProven(start + "valid now (" + finding.said +
                         "): its operator must renew it, unless this machine's clock is wrong.",
                     "--addr");
  }
  const std::string ca = texts_.ca.empty() ? "" : "[" + options_.ca_file + "] did not sign it; ";
  return NotProven(start + "trusted (" + finding.said + "): " + ca +
                       "name the certificate of the authority that signed it by --ca FILE.",
                   "--ca");
}

}  // namespace wb
