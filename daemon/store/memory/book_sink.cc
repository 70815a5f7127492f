#include "daemon/store/memory/book_sink.h"

namespace wb {

uint64_t BookSink::Room() const {
  return book_.Read([this](const JobBook& book) {
    const JobResults* results = book.results().Of(id_);
    return results == nullptr ? 0 : results->Room();
  });
}

uint64_t BookSink::Reserve(uint64_t instances) {
  return book_.Change([&](JobBook& book) {
    JobResults* results = book.results().OfOpen(id_);
    return results == nullptr ? 0 : results->Reserve(instances);
  });
}

void BookSink::Release(uint64_t instances) {
  book_.Change([&](JobBook& book) {
    if (JobResults* results = book.results().OfOpen(id_)) results->Release(instances);
  });
}

uint64_t BookSink::WholeRoom() const {
  return book_.Read([this](const JobBook& book) {
    const JobResults* results = book.results().Of(id_);
    return results == nullptr ? 0 : results->WholeRoom();
  });
}

uint64_t BookSink::Widen(uint64_t instances) {
  return book_.Change([&](JobBook& book) {
    JobResults* results = book.results().OfOpen(id_);
    return results == nullptr ? 0 : results->Widen(instances);
  });
}

void BookSink::Narrow(uint64_t instances) {
  book_.Change([&](JobBook& book) {
    if (JobResults* results = book.results().OfOpen(id_)) results->Narrow(instances);
  });
}

void BookSink::OnResults(ResultBatch results) {
  book_.Change([&](JobBook& book) { book.results().Append(id_, std::move(results)); });
}

void BookSink::OnEnded(const EndedRange& range) {
  book_.Change([&](JobBook& book) { book.results().Append(id_, range); });
}

void BookSink::OnProgress(const JobProgress& progress) {
  book_.Change([&](JobBook& book) { book.states().SetProgress(id_, progress); });
}

void BookSink::OnEnd(Status status, bool cancelled, const JobUsage& usage) {
  book_.Change(
      [&](JobBook& book) { book.End(id_, std::move(status), cancelled, usage, book.Now()); });
}

}  // namespace wb
