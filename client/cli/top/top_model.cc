#include "client/cli/top/top_model.h"

#include <algorithm>

#include "client/cli/output/print.h"
#include "client/cli/output/trap_text.h"
#include "client/cli/top/job_page.h"
#include "client/cli/top/top_tables.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

constexpr size_t kLeastWidth = 40;
constexpr size_t kLeastHeight = 10;
constexpr size_t kFrame = 4;  // lines that are no rows: two above the table, its header, one below

constexpr std::array<const char*, 14> kHelp = {
    "d, j, t      devices, jobs, tenants",
    "up, down     select a row; k and j (where jobs are shown) do so too",
    "Enter        the page of the selected job",
    "Esc          back; the filter goes too",
    "s, r         sort by the next column; turn the order",
    "/            only rows that contain what you write, up to Enter",
    "f            on a job's page: read its first failures",
    "c            cancel the selected job, after a question",
    "p            pause: what is shown stays, and nothing is asked",
    "q            quit",
    "",
    "A bar of BURSTS: how much of two seconds was spent in bursts; a dot: a rest.",
    "INSTR/S and LAST MINUTES: instructions a second, from look to look.",
    "LANES: those with an instance, of those with memory, in the last burst."};

std::string ClockText(int64_t unix_ns) {
  google::protobuf::Timestamp time;
  time.set_seconds(unix_ns / 1'000'000'000);
  return TimeText(time);
}

std::string JobCounts(const v1::ListJobsResponse& jobs) {
  uint64_t running = 0;
  uint64_t waiting = 0;
  uint64_t ended = 0;
  for (const v1::Job& job : jobs.jobs()) {
    if (JobHasEnded(job.state())) {
      ++ended;
    } else if (job.state() == v1::Job::RUNNING) {
      ++running;
    } else {
      ++waiting;
    }
  }
  return "jobs: " + std::to_string(running) + " running, " + std::to_string(waiting) +
         " waiting, " + std::to_string(ended) + " ended";
}

std::string CacheText(const v1::ListCacheResponse& cache) {
  const uint64_t asked = cache.hits() + cache.misses();
  std::string text = "cache: " + SizeText(cache.bytes()) + " of " + SizeText(cache.max_bytes());
  if (asked > 0) text += ", " + std::to_string(100 * cache.hits() / asked) + " % hits";
  return text;
}

bool IsCharacter(TopKey key) { return key >= 0x20 && key < kKeyUp && key != 0x7f; }

// As UTF-8.
void AppendCharacter(TopKey key, std::string* text) {
  if (key < 0x80) {
    *text += static_cast<char>(key);
    return;
  }
  const int parts = key < 0x800 ? 1 : key < 0x10000 ? 2 : 3;
  constexpr uint8_t kLeads[] = {0, 0xc0, 0xe0, 0xf0};
  *text += static_cast<char>(kLeads[parts] | (key >> (6 * parts)));
  for (int i = parts - 1; i >= 0; --i) {
    *text += static_cast<char>(0x80 | ((key >> (6 * i)) & 0x3f));
  }
}

void DropCharacter(std::string* text) {
  while (!text->empty() && (static_cast<uint8_t>(text->back()) & 0xc0) == 0x80) text->pop_back();
  if (!text->empty()) text->pop_back();
}

// Of the parts that were not asked for this time, those from before.
void KeepParts(TopFacts* before, TopFacts* now) {
  if (!now->server) now->server = std::move(before->server);
  if (!now->cache) now->cache = std::move(before->cache);
  if (!now->tenants) now->tenants = std::move(before->tenants);
  if (!now->page && now->page_trouble.empty()) now->page = std::move(before->page);
}

}  // namespace

TopModel::TopModel(std::string daemon, Glyphs glyphs)
    : daemon_(std::move(daemon)), glyphs_(glyphs) {
  views_[static_cast<size_t>(TopView::kJobs)].descending = true;  // by names: the newest first
}

void TopModel::Take(const TopAnswer& answer) {
  answer_ = Printable(answer.words);
  if (answer.job == page_) failures_ = answer.failures;
}

void TopModel::Take(TopFacts facts) {
  if (is_paused_) return;
  history_.Add(facts);
  if (!facts.trouble.empty()) {
    if (lost_since_ns_ == 0) lost_since_ns_ = facts.unix_ns;
    facts_.trouble = std::move(facts.trouble);
    facts_.unix_ns = facts.unix_ns;
    return;
  }
  lost_since_ns_ = 0;
  has_answered_ = true;
  if (facts.server && facts.server->has_current_time()) {
    const google::protobuf::Timestamp& now = facts.server->current_time();
    clock_ahead_ns_ = now.seconds() * 1'000'000'000 + now.nanos() - facts.unix_ns;
  }
  // The answer may be of a page that was open before.
  if (facts.page && facts.page->name() != page_) facts.page.reset();
  KeepParts(&facts_, &facts);
  facts_ = std::move(facts);
}

TopInterest TopModel::interest() const { return {view_, page_, is_paused_}; }

int64_t TopModel::DaemonNow() const { return facts_.unix_ns + clock_ahead_ns_; }

ViewTable TopModel::Rows() const {
  switch (view_) {
    case TopView::kDevices: return DeviceRows(facts_, history_, DaemonNow(), glyphs_);
    case TopView::kJobs: return JobRows(facts_, history_, glyphs_);
    case TopView::kTenants: break;
  }
  return TenantRows(facts_.tenants ? *facts_.tenants : v1::ListTenantsResponse());
}

ViewTable TopModel::Shown() const {
  ViewTable table = Rows();
  FilterRows(&table, state().filter);
  SortRows(&table, state().sorted_by, state().descending);
  return table;
}

std::optional<size_t> TopModel::Selected() const {
  const ViewTable table = Shown();
  if (table.rows.empty()) return std::nullopt;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    if (table.rows[i].name == state().selected) return i;
  }
  return 0;
}

std::string TopModel::SelectedJob() const {
  if (!page_.empty()) return page_;
  if (view_ != TopView::kJobs) return "";
  const std::optional<size_t> row = Selected();
  return row ? Shown().rows[*row].name : "";
}

// --- keys

TopWish TopModel::Press(TopKey key) {
  answer_.clear();
  switch (mode_) {
    case Mode::kFilter: PressFilter(key); return {};
    case Mode::kAskCancel:
    case Mode::kAskFailures: return PressAnswer(key);
    case Mode::kHelp: mode_ = Mode::kTable; return {};
    case Mode::kTable: break;
  }
  return PressCommand(key);
}

void TopModel::PressFilter(TopKey key) {
  if (key == kKeyEnter) {
    mode_ = Mode::kTable;
  } else if (key == kKeyEscape) {
    mode_ = Mode::kTable;
    state().filter.clear();
  } else if (key == kKeyBackspace) {
    DropCharacter(&state().filter);
  } else if (IsCharacter(key)) {
    AppendCharacter(key, &state().filter);
  }
}

TopWish TopModel::PressAnswer(TopKey key) {
  const bool cancels = mode_ == Mode::kAskCancel;
  mode_ = Mode::kTable;
  if (key != 'y' && key != 'Y') return {};
  return {cancels ? TopWish::Kind::kCancelJob : TopWish::Kind::kReadFailures, SelectedJob()};
}

TopWish TopModel::PressCommand(TopKey key) {
  switch (key) {
    case 'q': return {TopWish::Kind::kQuit, ""};
    case '?': mode_ = Mode::kHelp; break;
    case 'd': ShowView(TopView::kDevices); break;
    case 't': ShowView(TopView::kTenants); break;
    case 'p': is_paused_ = !is_paused_; break;
    case 's': state().sorted_by = (state().sorted_by + 1) % Rows().columns.size(); break;
    case 'r': state().descending = !state().descending; break;
    case kKeyEnter: OpenPage(); break;
    case kKeyEscape: Leave(); break;
    case '/':
      if (page_.empty()) mode_ = Mode::kFilter;
      break;
    case 'c':
      if (!SelectedJob().empty()) mode_ = Mode::kAskCancel;
      break;
    case 'f':
      if (!page_.empty()) mode_ = Mode::kAskFailures;
      break;
    case 'j':
      // It is "down" as well; where no jobs are shown it shows them.
      if (view_ != TopView::kJobs) {
        ShowView(TopView::kJobs);
        break;
      }
      [[fallthrough]];
    default: PressMove(key);
  }
  return {};
}

void TopModel::PressMove(TopKey key) {
  const auto page = static_cast<int64_t>(std::max<size_t>(rows_shown_, 1));
  const auto at = static_cast<int64_t>(page_.empty() ? Selected().value_or(0) : page_top_);
  switch (key) {
    case kKeyUp:
    case 'k': return MoveTo(at - 1);
    case kKeyDown:
    case 'j': return MoveTo(at + 1);
    case kKeyPageUp: return MoveTo(at - page);
    case kKeyPageDown: return MoveTo(at + page);
    case kKeyHome: return MoveTo(0);
    case kKeyEnd: return MoveTo(INT64_MAX);
    default: return;
  }
}

void TopModel::MoveTo(int64_t row) {
  row = std::max<int64_t>(row, 0);
  if (!page_.empty()) {
    page_top_ =
        static_cast<size_t>(std::min<int64_t>(row, 10'000));  // Screen bounds it by the page
    return;
  }
  const ViewTable table = Shown();
  if (table.rows.empty()) return;
  const auto last = static_cast<int64_t>(table.rows.size()) - 1;
  state().selected = table.rows[static_cast<size_t>(std::min(row, last))].name;
}

void TopModel::ShowView(TopView view) {
  page_.clear();
  view_ = view;
}

void TopModel::OpenPage() {
  const std::string job = SelectedJob();
  if (job.empty() || !page_.empty()) return;
  page_ = job;
  page_top_ = 0;
  // Until the daemon has been asked, what the list had.
  facts_.page.reset();
  facts_.page_trouble.clear();
  failures_.clear();
  for (const v1::Job& one : facts_.jobs.jobs()) {
    if (one.name() == job) facts_.page = one;
  }
}

bool TopModel::Leave() {
  if (!page_.empty()) {
    page_.clear();
    return true;
  }
  const bool filtered = !state().filter.empty();
  state().filter.clear();
  return filtered;
}

// --- the screen

TopLine TopModel::TitleLine(size_t width) const {
  const std::string version = facts_.server ? " " + Printable(facts_.server->version()) : "";
  const std::string left = "wasmburst" + version + " at " + daemon_;
  const std::string right = is_paused_ ? "PAUSED" : ClockText(facts_.unix_ns);
  if (left.size() + 2 + right.size() > width) return {{Fitted(left, width, false), Tone::kTitle}};
  return {{Fitted(left, width - right.size(), false), Tone::kTitle},
          {right, is_paused_ ? Tone::kWarn : Tone::kTitle}};
}

TopLine TopModel::SecondLine(size_t width) const {
  if (lost_since_ns_ != 0) {
    return {{Fitted("not reachable since " + ClockText(lost_since_ns_) + ": " +
                        Printable(facts_.trouble),
                    width, false),
             Tone::kBad}};
  }
  if (!has_answered_) return {{Fitted("asking the daemon", width, false), Tone::kDim}};
  if (facts_.server && facts_.server->alarms_size() > 0) {
    const v1::Alarm& alarm = facts_.server->alarms(0);
    return {{Fitted("alarm: " + Printable(alarm.reason() + " " + alarm.advice()), width, false),
             Tone::kBad}};
  }
  std::string text = JobCounts(facts_.jobs);
  if (facts_.cache) text += "   " + CacheText(*facts_.cache);
  if (facts_.server && facts_.server->draining()) text += "   draining";
  return {{Fitted(text, width, false), Tone::kPlain}};
}

std::string TopModel::LastText() const {
  switch (mode_) {
    case Mode::kFilter: return "filter: " + Printable(state().filter) + "_";
    case Mode::kAskCancel: return "Cancel " + Printable(SelectedJob()) + "? y/n";
    case Mode::kAskFailures:
      return "Read results up to the first failures? They then count as read. y/n";
    case Mode::kHelp: return "any key: back";
    case Mode::kTable: break;
  }
  if (!answer_.empty()) return answer_;
  if (!page_.empty()) return "Esc back  c cancel  f failures  ? help  q quit";
  const std::string filter = state().filter.empty() ? "" : "  [" + state().filter + "]";
  return "d devices  j jobs  t tenants  s sort  / filter  ? help  q quit" + Printable(filter);
}

TopLine TopModel::LastLine(size_t width) const {
  const bool asks = mode_ == Mode::kAskCancel || mode_ == Mode::kAskFailures;
  return {{Fitted(LastText(), width, false), asks ? Tone::kWarn : Tone::kDim}};
}

std::vector<TopLine> TopModel::TableLines(size_t width, size_t height) {
  const ViewTable table = Shown();
  const size_t selected = Selected().value_or(0);
  rows_shown_ = height - 1;
  size_t& top = state().top;
  top = std::min(top, selected);
  if (selected >= top + rows_shown_) top = selected + 1 - rows_shown_;
  if (top + rows_shown_ > table.rows.size()) {
    top = table.rows.size() > rows_shown_ ? table.rows.size() - rows_shown_ : 0;
  }
  const std::vector<ShownColumn> shown = FitColumns(table, width);
  std::vector<TopLine> lines = {
      {{Fitted(HeaderText(table, shown, state().sorted_by, state().descending), width, false),
        Tone::kHeader}}};
  for (size_t i = top; i < table.rows.size() && lines.size() < height; ++i) {
    const ViewRow& row = table.rows[i];
    const Tone tone = i == selected ? Tone::kSelected : lost_since_ns_ != 0 ? Tone::kDim : row.tone;
    lines.push_back({{Fitted(RowText(row, table, shown), width, false), tone}});
  }
  if (view_ == TopView::kTenants && !facts_.tenants_trouble.empty() && lines.size() < height) {
    lines.push_back({{Cut(Printable(facts_.tenants_trouble), width), Tone::kWarn}});
  } else if (table.rows.empty() && has_answered_ && lines.size() < height) {
    lines.push_back({{Cut(state().filter.empty() ? "none" : "none that contains the filter", width),
                      Tone::kDim}});
  }
  return lines;
}

std::vector<TopLine> TopModel::PageLines(size_t width, size_t height) {
  rows_shown_ = height;
  if (!facts_.page_trouble.empty()) {
    return {{{Cut(Printable(facts_.page_trouble), width), Tone::kBad}}};
  }
  if (!facts_.page) return {{{Cut("asking for " + page_, width), Tone::kDim}}};
  std::vector<TopLine> lines =
      JobPage({*facts_.page, history_, failures_, DaemonNow(), glyphs_}, width);
  page_top_ = std::min(page_top_, lines.size() > height ? lines.size() - height : 0);
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(page_top_));
  if (lines.size() > height) lines.resize(height);
  return lines;
}

std::vector<TopLine> TopModel::Screen(size_t width, size_t height) {
  if (width < kLeastWidth || height < kLeastHeight) {
    std::vector<TopLine> lines(height);
    if (height > 0) lines[0] = {{Cut("too small: 40 by 10 is the least", width), Tone::kWarn}};
    return lines;
  }
  std::vector<TopLine> lines = {TitleLine(width), SecondLine(width)};
  const size_t room = height - kFrame + 1;
  std::vector<TopLine> middle;
  if (mode_ == Mode::kHelp) {
    for (const char* line : kHelp) middle.push_back({{Cut(line, width), Tone::kPlain}});
    if (middle.size() > room) middle.resize(room);
  } else {
    middle = page_.empty() ? TableLines(width, room) : PageLines(width, room);
  }
  lines.insert(lines.end(), middle.begin(), middle.end());
  lines.resize(height - 1);
  lines.push_back(LastLine(width));
  return lines;
}

}  // namespace wb::cli
