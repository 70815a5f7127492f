#include "tests/fuzz/campaign.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <mutex>
#include <thread>
#include <utility>

#include "tests/fuzz/crash_note.h"
#include "tests/fuzz/kept.h"

namespace wb::fuzz {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kProgressEvery{10};
constexpr size_t kMostShrunk = 20;  // a common mistake would be found again and again

class Campaign {
 public:
  Campaign(const CampaignSettings& settings, const Source& source)
      : settings_(settings), source_(source) {}

  Result<CampaignResult> Run() {
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < std::max(1u, settings_.jobs); ++i) {
      threads.emplace_back([this] {
        if (Status status = Work(); !status.ok()) Fail(status);
      });
    }
    for (std::thread& thread : threads) thread.join();
    WB_TRY(failed_);
    std::sort(result_.findings.begin(), result_.findings.end(),
              [](const Finding& a, const Finding& b) { return a.subject.name < b.subject.name; });
    return std::move(result_);
  }

 private:
  void Fail(const Status& status) {
    const std::lock_guard lock(mutex_);
    failed_ = status;
    next_ = Batches();
  }

  uint64_t Batches() const { return (settings_.modules + settings_.batch - 1) / settings_.batch; }

  // The next batch's number; none: no more.
  std::optional<uint64_t> Next() {
    const std::lock_guard lock(mutex_);
    if (next_ >= Batches()) return std::nullopt;
    return next_++;
  }

  Status Work() {
    WB_ASSIGN(Fuzzer fuzzer, Fuzzer::Open(settings_.setup));
    while (const auto number = Next()) {
      Counts counts;
      WB_ASSIGN(std::vector<Subject> subjects, SubjectsOf(*number));
      Variant variant = VariantOf(settings_.variant.value_or(*number));
      variant.turn = VariantOf(*number).turn;
      const std::vector<Finding> findings = fuzzer.Run(std::move(subjects), variant, &counts);
      Count(counts, findings.size());
      for (const Finding& finding : findings) WB_TRY(Take(fuzzer, finding));
    }
    return {};
  }

  Result<std::vector<Subject>> SubjectsOf(uint64_t number) const {
    const uint64_t begin = number * settings_.batch;
    const uint64_t end = std::min(begin + settings_.batch, settings_.modules);
    NoteBatchForCrash("modules " + std::to_string(settings_.seed + begin) + " to " +
                      std::to_string(settings_.seed + end - 1) + ", variant " +
                      std::to_string(settings_.variant.value_or(number) % kVariants));
    std::vector<Subject> subjects;
    for (uint64_t i = begin; i < end; ++i) {
      WB_ASSIGN(auto subject, source_.Make(settings_.seed + i));
      subjects.push_back(std::move(subject));
    }
    return subjects;
  }

  void Count(const Counts& counts, size_t findings) {
    const std::lock_guard lock(mutex_);
    result_.counts.Add(counts);
    differences_ += findings;
    const auto now = Clock::now();
    if (!settings_.shows_progress || now - shown_ < kProgressEvery) return;
    shown_ = now;
    const double seconds = std::chrono::duration<double>(now - began_).count();
    std::fprintf(stderr, "fuzz: %llu of %llu modules, %llu differences, %.0f modules a minute\n",
                 static_cast<unsigned long long>(result_.counts.modules),
                 static_cast<unsigned long long>(settings_.modules),
                 static_cast<unsigned long long>(differences_),
                 static_cast<double>(result_.counts.modules) / seconds * 60);
  }

  Status Take(Fuzzer& fuzzer, const Finding& finding) {
    std::fprintf(stderr, "difference: %s\n", Described(finding).c_str());
    bool shrinks = false;
    {
      const std::lock_guard lock(mutex_);
      shrinks = shrunk_++ < kMostShrunk && settings_.shrink_tries > 0;
    }
    Finding small = shrinks ? Shrunk(fuzzer, finding, settings_.shrink_tries) : finding;
    if (!settings_.folder.empty()) WB_TRY(Keep(settings_.folder, small));
    const std::lock_guard lock(mutex_);
    result_.findings.push_back(std::move(small));
    return {};
  }

  const CampaignSettings& settings_;
  const Source& source_;
  const Clock::time_point began_ = Clock::now();
  std::mutex mutex_;
  uint64_t next_ = 0;  // guarded by mutex_, like all below
  Clock::time_point shown_ = began_;
  uint64_t differences_ = 0;
  size_t shrunk_ = 0;
  CampaignResult result_;
  Status failed_;
};

}  // namespace

Result<CampaignResult> RunCampaign(const CampaignSettings& settings, const Source& source) {
  return Campaign(settings, source).Run();
}

}  // namespace wb::fuzz
