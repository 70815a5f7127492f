#include "client/cli/top/job_page.h"

#include <algorithm>
#include <array>

#include "client/cli/output/forecast_text.h"
#include "client/cli/output/print.h"
#include "client/cli/output/trap_text.h"
#include "client/cli/top/top_tables.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kNameWidth = 16;

class PageLines {
 public:
  explicit PageLines(size_t width) : width_(width) {}

  // A name on the left, a text beside it in as many lines as it takes.
  void Add(const std::string& name, const std::string& text, Tone tone = Tone::kPlain) {
    if (text.empty()) return;
    const size_t room = width_ > kNameWidth ? width_ - kNameWidth : 1;
    bool is_first = true;
    for (const std::string& part : Wrapped(text, room)) {
      lines_.push_back(
          {{Fitted(is_first ? name : "", std::min(kNameWidth, width_), false), Tone::kHeader},
           {part, tone}});
      is_first = false;
    }
  }
  void AddLines(const std::string& text, Tone tone) {
    size_t begin = 0;
    while (begin < text.size()) {
      const size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back({{Cut(Printable(text.substr(begin, end - begin)), width_), tone}});
      begin = end + 1;
    }
  }
  size_t room() const { return width_ > kNameWidth ? width_ - kNameWidth : 1; }
  std::vector<TopLine> Take() && { return std::move(lines_); }

 private:
  const size_t width_;
  std::vector<TopLine> lines_;
};

struct EndKind {
  const char* words;
  uint64_t (*count)(const v1::Counts&);
  Tone tone;
};

constexpr std::array<EndKind, 10> kEnds = {{
    {"returned", [](const v1::Counts& c) { return c.returned(); }, Tone::kGood},
    {"exited", [](const v1::Counts& c) { return c.exited(); }, Tone::kPlain},
    {"trapped", [](const v1::Counts& c) { return c.trapped(); }, Tone::kBad},
    {"out of fuel", [](const v1::Counts& c) { return c.out_of_fuel(); }, Tone::kBad},
    {"output limit", [](const v1::Counts& c) { return c.output_limit(); }, Tone::kBad},
    {"deadline", [](const v1::Counts& c) { return c.deadline(); }, Tone::kBad},
    {"engine failed", [](const v1::Counts& c) { return c.failed(); }, Tone::kBad},
    {"job's fuel out", [](const v1::Counts& c) { return c.job_out_of_fuel(); }, Tone::kBad},
    {"results limit", [](const v1::Counts& c) { return c.results_limit(); }, Tone::kBad},
    {"expired", [](const v1::Counts& c) { return c.expired(); }, Tone::kBad},
}};

void AddEnds(const v1::Counts& counts, PageLines* lines) {
  for (const EndKind& kind : kEnds) {
    const uint64_t count = kind.count(counts);
    if (count > 0) lines->Add(kind.words, std::to_string(count), kind.tone);
  }
}

void AddWaits(const v1::Job& job, PageLines* lines) {
  if (job.waits().empty()) {
    lines->Add("waits for", Printable(job.waiting_for()), Tone::kWarn);
  }
  for (const v1::WaitReason& reason : job.waits()) {
    std::string text = Printable(reason.message());
    if (reason.has_until()) text += "; until " + TimeText(reason.until()) + " at the latest";
    lines->Add("waits for", text, Tone::kWarn);
  }
}

void AddProgress(const JobPageFacts& facts, PageLines* lines) {
  const v1::Job& job = facts.job;
  const v1::Counts& counts = job.counts();
  const size_t bar = std::clamp<size_t>(lines->room() / 2, 3, 42);
  lines->Add("finished", ProgressBar(counts.finished(), counts.instances(), bar) + " " +
                             std::to_string(counts.finished()) + " of " +
                             std::to_string(counts.instances()));
  if (!JobHasEnded(job.state())) lines->Add("running", std::to_string(counts.running()));
  if (job.has_forecast()) lines->Add("goes on", ForecastText(job.forecast(), facts.now_unix_ns));
  const std::vector<double> rates = facts.history.Rates(job.name());
  if (!rates.empty()) {
    const size_t width = std::min<size_t>(lines->room(), 60);
    lines->Add("instr/s", Sparkline(rates, width, facts.glyphs) + " ");
  }
}

void AddTimes(const v1::Job& job, PageLines* lines) {
  lines->Add("created", job.has_create_time() ? TimeText(job.create_time()) : "");
  lines->Add("began", job.has_start_time() ? TimeText(job.start_time()) : "");
  lines->Add("ended", job.has_end_time() ? TimeText(job.end_time()) : "");
  std::string states;
  for (const v1::StateChange& change : job.history()) {
    states += (states.empty() ? "" : ", ") + v1::Job::State_Name(change.state());
  }
  lines->Add("states", states);
}

}  // namespace

std::vector<TopLine> JobPage(const JobPageFacts& facts, size_t width) {
  const v1::Job& job = facts.job;
  PageLines lines(width);
  lines.Add("job", Printable(job.name()), Tone::kTitle);
  lines.Add("state", v1::Job::State_Name(job.state()),
            job.state() == v1::Job::FAILED ? Tone::kBad : Tone::kPlain);
  lines.Add("error", Printable(job.error().message()), Tone::kBad);
  AddWaits(job, &lines);
  AddProgress(facts, &lines);
  AddEnds(job.counts(), &lines);
  lines.Add("limit", Printable(job.limit_reached()), Tone::kBad);
  lines.Add("device", Printable(job.device()));
  lines.Add("why there", Printable(job.placement_reason()));
  if (job.tier() != v1::Job::TIER_UNSPECIFIED) {
    lines.Add("tier", v1::Job::Tier_Name(job.tier()) + ": " + Printable(job.tier_reason()));
  }
  lines.Add("instructions", CountText(static_cast<double>(job.usage().fuel())));
  lines.Add("launches", std::to_string(job.usage().bursts()));
  lines.Add("compiled in", CompileText(job.usage()));
  lines.Add("energy", EnergyText(job.usage(), job.counts().finished()));
  AddTimes(job, &lines);
  lines.Add("module", Printable(job.module()));
  if (!facts.failures.empty()) {
    lines.Add("first failures", " ");
    lines.AddLines(facts.failures, Tone::kBad);
  } else if (FailedInstances(job.counts()) > 0) {
    lines.Add("first failures", "f reads them", Tone::kDim);
  }
  return std::move(lines).Take();
}

}  // namespace wb::cli
