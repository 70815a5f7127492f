#pragma once

// The service Jobs: what runs, and its results.

#include <functional>
#include <string>

#include "client/client.h"
#include "client/services/upload_progress.h"
#include "compiler/base/status.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {

// Fills in a request id if there is none, so that it happens once. Of a job too long for a message
// the longest columns are uploaded first, as inputs. LIMIT_TOO_HIGH names a column that is too long
// for an input.
Result<wasmburst::v1::Job> CreateJob(Client& client, wasmburst::v1::CreateJobRequest request,
                                     const OnUpload& on_upload = {});
Result<wasmburst::v1::Job> GetJob(Client& client, const std::string& name);
Result<wasmburst::v1::ListJobsResponse> ListJobs(Client& client,
                                                 const wasmburst::v1::ListJobsRequest& request);
Result<wasmburst::v1::Job> CancelJob(Client& client, const std::string& name);
Result<wasmburst::v1::Job> CheckpointJob(Client& client, const std::string& name);
Result<wasmburst::v1::Job> ResumeJob(Client& client,
                                     const wasmburst::v1::ResumeJobRequest& request);
Status DeleteJob(Client& client, const std::string& name);

// False stops the stream (the result is then ok).
using OnResults = std::function<bool(const wasmburst::v1::ReadResultsResponse&)>;
using OnEvent = std::function<bool(const wasmburst::v1::JobEvent&)>;
// Every message once, across reconnections, until the daemon has ended the stream. Messages for
// which `on_results` returned true are acknowledged: the daemon may drop their results. Results
// come as columns where the request asks for these, else whole.
Status ReadResults(Client& client, wasmburst::v1::ReadResultsRequest request,
                   const OnResults& on_results);
Status WatchJob(Client& client, wasmburst::v1::WatchJobRequest request, const OnEvent& on_event);

}  // namespace wb
