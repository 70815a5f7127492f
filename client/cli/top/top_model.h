#pragma once

// What `top` shows and does, apart from terminals, threads and calls. Pure: facts and keys in,
// lines and wishes out.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "client/cli/top/layout.h"
#include "client/cli/top/top_facts.h"
#include "client/cli/top/top_history.h"

namespace wb::cli {

// A key: a character, or one of these, which are above all characters.
using TopKey = uint32_t;
inline constexpr TopKey kKeyUp = 0x110000;
inline constexpr TopKey kKeyDown = 0x110001;
inline constexpr TopKey kKeyPageUp = 0x110002;
inline constexpr TopKey kKeyPageDown = 0x110003;
inline constexpr TopKey kKeyHome = 0x110004;
inline constexpr TopKey kKeyEnd = 0x110005;
inline constexpr TopKey kKeyEnter = 0x110006;
inline constexpr TopKey kKeyEscape = 0x110007;
inline constexpr TopKey kKeyBackspace = 0x110008;

// What a key asks of the world outside.
struct TopWish {
  enum class Kind : uint8_t { kNothing, kQuit, kCancelJob, kReadFailures };
  Kind kind = Kind::kNothing;
  std::string job;
};

class TopModel {
 public:
  // `daemon`: its address, for the first line.
  TopModel(std::string daemon, Glyphs glyphs);

  void Take(TopFacts facts);
  void Take(const TopAnswer& answer);
  TopWish Press(TopKey key);
  TopInterest interest() const;

  // `height` lines of at most `width` characters. Below 40 by 10 a line says so.
  std::vector<TopLine> Screen(size_t width, size_t height);
  // The table that is shown, sorted and filtered, in all its columns: for looks without a terminal.
  ViewTable Shown() const;
  // Where the selected row stands in it; nullopt: it has none.
  std::optional<size_t> Selected() const;

 private:
  enum class Mode : uint8_t { kTable, kFilter, kAskCancel, kAskFailures, kHelp };
  struct ViewState {
    size_t sorted_by = 0;
    bool descending = false;
    std::string filter;
    std::string selected;  // a row's name; empty: the first
    size_t top = 0;        // the first row on the screen
  };

  ViewState& state() { return views_[static_cast<size_t>(view_)]; }
  const ViewState& state() const { return views_[static_cast<size_t>(view_)]; }
  ViewTable Rows() const;
  int64_t DaemonNow() const;
  std::string SelectedJob() const;

  void PressFilter(TopKey key);
  TopWish PressAnswer(TopKey key);
  TopWish PressCommand(TopKey key);
  void PressMove(TopKey key);
  void MoveTo(int64_t row);
  void ShowView(TopView view);
  void OpenPage();
  bool Leave();  // a page or a filter; false: there is nothing to leave

  TopLine TitleLine(size_t width) const;
  TopLine SecondLine(size_t width) const;
  TopLine LastLine(size_t width) const;
  std::string LastText() const;
  std::vector<TopLine> TableLines(size_t width, size_t height);
  std::vector<TopLine> PageLines(size_t width, size_t height);

  const std::string daemon_;
  const Glyphs glyphs_;
  TopFacts facts_;  // the last that came; of parts that were not asked for, the last before
  TopHistory history_;
  int64_t lost_since_ns_ = 0;   // 0: the daemon answers
  int64_t clock_ahead_ns_ = 0;  // of the daemon's clock, before the client's
  bool has_answered_ = false;
  TopView view_ = TopView::kJobs;
  std::array<ViewState, 3> views_;
  Mode mode_ = Mode::kTable;
  bool is_paused_ = false;
  std::string page_;  // the job whose page is open
  size_t page_top_ = 0;
  std::string failures_;    // of page_
  size_t rows_shown_ = 10;  // by the last Screen: what a page is
  std::string answer_;
};

}  // namespace wb::cli
