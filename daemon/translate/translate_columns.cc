#include "daemon/translate/translate_columns.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "daemon/translate/translate_binding.h"
#include "daemon/translate/translate_result.h"
#include "wasmburst/v1/results.pb.h"

namespace wb {
namespace {

namespace v1 = wasmburst::v1;

class ColumnsMaker {
 public:
  ColumnsMaker(const ResultSlice& slice, const JobRequest& request, v1::ResultColumns* proto)
      : batch_(*slice.batch), from_(slice.from), to_(slice.to), request_(request), proto_(*proto) {}

  void Make() {
    if (from_ == to_) return;
    AddInstances();
    const std::vector<uint64_t>& fuels = batch_.fuels();
    proto_.mutable_fuel()->Add(fuels.data() + from_, fuels.data() + to_);
    size_t row = from_;
    for (size_t run = batch_.RunOf(from_); row < to_; ++run) {
      const size_t end = std::min(to_, batch_.EndOf(run));
      AddRun(batch_.runs()[run].shape, row, end);
      row = end;
    }
    AddOutputs();
  }

 private:
  void AddInstances() {
    v1::ResultColumns::Range* range = nullptr;
    for (size_t row = from_; row < to_; ++row) {
      const uint64_t instance = batch_.instances()[row];
      if (range == nullptr || range->first() + range->count() != instance) {
        range = proto_.add_instances();
        range->set_first(instance);
      }
      range->set_count(range->count() + 1);
    }
  }

  // The words of the values that are shown: of the first steps.
  uint32_t ShownWords(const InstanceResult& common) const {
    uint32_t words = 0;
    for (size_t i = 0; i < std::min(request_.shown_steps, common.steps.size()); ++i) {
      for (const Value& value : common.steps[i].values) words += TypeWords(value.type);
    }
    return words;
  }

  void AddRun(uint32_t shape, size_t row, size_t end) {
    const ResultBatch::Shape& its = batch_.shapes()[shape];
    const auto [at, is_new] = numbers_.try_emplace(shape, numbers_.size());
    if (is_new) {
      ResultToProto(its.common, request_.shown_steps, proto_.add_shapes(), request_.recorded);
    }
    v1::ResultColumns::Run* run = proto_.add_runs();
    run->set_shape(at->second);
    run->set_rows(static_cast<uint32_t>(end - row));
    const uint32_t shown = ShownWords(its.common);
    if (shown == 0) return;
    const uint32_t* words = batch_.WordsOf(row).data();
    if (shown == its.words) {
      proto_.mutable_words()->Add(words, words + (end - row) * shown);
      return;
    }
    for (; row < end; ++row, words += its.words) proto_.mutable_words()->Add(words, words + shown);
  }

  void AddOutputs() {
    const size_t end = batch_.FirstOutput(to_);
    for (size_t i = batch_.FirstOutput(from_); i < end; ++i) {
      const ResultBatch::OutputPlace& place = batch_.outputs()[i];
      const std::string& name = batch_.names()[place.name];
      const ByteView bytes = batch_.BytesOf(place);
      v1::ResultColumns::Extra* extra = proto_.add_extras();
      extra->set_row(static_cast<uint32_t>(place.row - from_));
      if (!request_.recorded.empty() && IsRecord(name)) {
        CallsToProto(bytes, request_.recorded, extra->mutable_calls());
      } else {
        extra->mutable_output()->set_name(name);
        extra->mutable_output()->set_data(bytes.data(), bytes.size());
      }
    }
  }

  const ResultBatch& batch_;
  const size_t from_;
  const size_t to_;
  const JobRequest& request_;
  v1::ResultColumns& proto_;
  std::unordered_map<uint32_t, uint32_t> numbers_;  // of shapes, in the message
};

}  // namespace

void ColumnsToProto(const ResultSlice& slice, const JobRequest& request, v1::ResultColumns* proto) {
  ColumnsMaker(slice, request, proto).Make();
}

}  // namespace wb
