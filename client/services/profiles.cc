#include "client/services/profiles.h"

#include "client/connection.h"

namespace wb {

namespace v1 = wasmburst::v1;

Result<v1::Profile> GetProfile(Client& client, const v1::GetProfileRequest& request) {
  ClientConnection& connection = client.connection();
  return connection.Unary(*connection.profiles, &v1::Profiles::Stub::GetProfile, request);
}

}  // namespace wb
