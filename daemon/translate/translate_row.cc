#include "daemon/translate/translate_row.h"

#include "daemon/store/names.h"
#include "daemon/translate/translate_columns.h"
#include "daemon/translate/translate_result.h"
#include "wasmburst/v1/jobs.pb.h"

namespace wb {

namespace v1 = wasmburst::v1;

void RowToProto(const ResultRow& row, const JobInfo& job, ResultForm form,
                v1::ReadResultsResponse* proto) {
  proto->set_cursor(MakeCursor(job.id, row.next));
  const JobRequest& request = *job.request;
  for (const ResultSlice& slice : row.slices) {
    if (form == ResultForm::kColumns) {
      ColumnsToProto(slice, request, proto->add_columns());
      continue;
    }
    for (size_t i = slice.from; i < slice.to; ++i) {
      ResultToProto(slice.batch->At(i), request.shown_steps, proto->add_results(),
                    request.recorded);
    }
  }
}

}  // namespace wb
