#pragma once

// The service Inputs: columns that are uploaded once, for any number of jobs.

#include <string>

#include "client/client.h"
#include "client/input_source.h"
#include "client/services/upload_progress.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/inputs.pb.h"

namespace wb {

// `source` writes a Column message, which is never held as a whole: once for its digest and,
// where the daemon has no input of that digest, once for each attempt to send it. IO_ERROR: the
// bytes of two times differed; nothing is kept of them.
Result<wasmburst::v1::Input> UploadInput(Client& client, const InputSource& source,
                                         const OnUpload& on_upload = {});
Result<wasmburst::v1::Input> GetInput(Client& client, const std::string& name);
Status DeleteInput(Client& client, const std::string& name);

}  // namespace wb
