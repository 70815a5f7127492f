// The terminal by ncurses, the wide one.

#include <clocale>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <curses.h>
#include <langinfo.h>

#include "client/cli/top/terminal.h"

namespace wb::cli {
namespace {

volatile std::sig_atomic_t ended_by_signal = 0;  // one terminal at a time

void NoteSignal(int number) { ended_by_signal = number; }

// Signals that would leave the terminal as it is drawn on.
class SignalWatch {
 public:
  SignalWatch() {
    ended_by_signal = 0;
    struct sigaction noting = {};
    noting.sa_handler = NoteSignal;
    sigaction(SIGHUP, &noting, &before_hangup_);
    sigaction(SIGQUIT, &noting, &before_quit_);
  }
  ~SignalWatch() {
    sigaction(SIGHUP, &before_hangup_, nullptr);
    sigaction(SIGQUIT, &before_quit_, nullptr);
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  struct sigaction before_hangup_ = {};
  struct sigaction before_quit_ = {};
};

constexpr short kGreenPair = 1;
constexpr short kYellowPair = 2;
constexpr short kRedPair = 3;

TopKey KeyOf(wint_t key) {
  switch (key) {
    case KEY_UP: return kKeyUp;
    case KEY_DOWN: return kKeyDown;
    case KEY_PPAGE: return kKeyPageUp;
    case KEY_NPAGE: return kKeyPageDown;
    case KEY_HOME: return kKeyHome;
    case KEY_END: return kKeyEnd;
    case KEY_ENTER: return kKeyEnter;
    case KEY_BACKSPACE: return kKeyBackspace;
    default: return 0;
  }
}

TopKey CharacterOf(wint_t character) {
  switch (character) {
    case '\r':
    case '\n': return kKeyEnter;
    case 27: return kKeyEscape;
    case 8:
    case 127: return kKeyBackspace;
    default: return static_cast<TopKey>(character);
  }
}

class Ncurses : public Terminal {
 public:
  Ncurses(SCREEN* screen, bool colour, Glyphs glyphs) : screen_(screen), glyphs_(glyphs) {
    set_term(screen_);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    set_escdelay(25);  // milliseconds after Esc in which a longer key may come
    curs_set(0);
    colours_ = colour && has_colors();
    if (!colours_) return;
    start_color();
    use_default_colors();
    init_pair(kGreenPair, COLOR_GREEN, -1);
    init_pair(kYellowPair, COLOR_YELLOW, -1);
    init_pair(kRedPair, COLOR_RED, -1);
  }
  ~Ncurses() override {
    endwin();
    delscreen(screen_);
  }
  Ncurses(const Ncurses&) = delete;
  Ncurses& operator=(const Ncurses&) = delete;

  size_t width() const override { return static_cast<size_t>(COLS); }
  size_t height() const override { return static_cast<size_t>(LINES); }
  Glyphs glyphs() const override { return glyphs_; }
  bool has_ended() const override { return ended_by_signal != 0; }

  void Draw(const std::vector<TopLine>& lines) override {
    erase();
    for (size_t i = 0; i < lines.size(); ++i) {
      move(static_cast<int>(i), 0);
      for (const TopSpan& span : lines[i]) {
        attrset(static_cast<int>(LookOf(span.tone)));
        addstr(span.text.c_str());
      }
    }
    attrset(static_cast<int>(A_NORMAL));
    refresh();
  }

  std::optional<TopKey> ReadKey(int milliseconds) override {
    timeout(milliseconds);
    wint_t read = 0;
    const int kind = get_wch(&read);
    if (kind == ERR) return std::nullopt;
    const TopKey key = kind == KEY_CODE_YES ? KeyOf(read) : CharacterOf(read);
    return key == 0 ? std::nullopt : std::optional<TopKey>(key);
  }

 private:
  // Without colours what stands out is bold.
  chtype LookOf(Tone tone) const {
    switch (tone) {
      case Tone::kPlain: return A_NORMAL;
      case Tone::kDim: return A_DIM;
      case Tone::kTitle: return A_BOLD;
      case Tone::kHeader: return A_UNDERLINE;
      case Tone::kSelected: return A_REVERSE;
      case Tone::kGood: return colours_ ? COLOR_PAIR(kGreenPair) : A_NORMAL;
      case Tone::kWarn: return colours_ ? COLOR_PAIR(kYellowPair) : A_BOLD;
      case Tone::kBad: return colours_ ? COLOR_PAIR(kRedPair) | A_BOLD : A_BOLD;
    }
    return A_NORMAL;
  }

  const SignalWatch signals_;
  SCREEN* const screen_;
  const Glyphs glyphs_;
  bool colours_ = false;
};

}  // namespace

Result<std::unique_ptr<Terminal>> Terminal::Open(bool colour) {
  const char* const kind = std::getenv("TERM");
  const std::string name = kind == nullptr ? "" : kind;
  const Status refused(Reason::kInvalidArgument,
                       "The terminal [" + name +
                           "] (TERM) cannot be drawn on; `wasmburstctl top --plain` prints tables, "
                           "and TERM=xterm is right for most terminals.");
  if (name.empty() || name == "dumb") return refused;
  std::setlocale(LC_CTYPE, "");
  const bool is_utf8 = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  SCREEN* const screen = newterm(nullptr, stdout, stdin);
  if (screen == nullptr) return refused;
  return std::unique_ptr<Terminal>(
      std::make_unique<Ncurses>(screen, colour, is_utf8 ? Glyphs::kUnicode : Glyphs::kAscii));
}

}  // namespace wb::cli
