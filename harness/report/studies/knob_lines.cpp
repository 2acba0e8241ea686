#include "report/studies/knob_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>

#include "report/text/clean_text.h"

namespace stepgate {
namespace {

struct Look {
  std::string_view mark;
  std::string_view ascii_mark;
  Status colour;
};

/// Colour and mark only repeat the state's name beside them.
Look look_of(KnobState state) {
  constexpr std::array<Look, all_knob_states.size()> looks = {{{"✓", "+", Status::pass},
                                                               {"✓", "+", Status::pass},
                                                               {"○", "o", Status::improved},
                                                               {"·", "-", Status::skipped},
                                                               {"✗", "x", Status::inconclusive},
                                                               {"!", "!", Status::regressed}}};
  return looks[static_cast<std::size_t>(state)];
}

constexpr std::size_t state_width = 11;  // "unsupported"
/// A narrower text column is harder to read than one that exceeds the width.
constexpr std::size_t narrowest_text = 24;

std::string arrow(const std::string& from, const std::string& to) {
  if (from.empty() || to.empty() || from == to) return to.empty() ? from : to;
  return from + " -> " + to;
}

std::string values_of(const KnobReport& knob) {
  switch (knob.state) {
    case KnobState::achieved:
      return arrow(knob.before, knob.after);
    case KnobState::already:
      return knob.before.empty() ? knob.wanted : knob.before;
    case KnobState::available:
    case KnobState::denied:
      return arrow(knob.before, knob.wanted);
    case KnobState::overridden:
      return fmt::format("{}, reads {}", arrow(knob.before, knob.wanted), knob.after.empty() ? "?" : knob.after);
    case KnobState::unsupported:
      break;
  }
  return "";
}

/// Shortens a refused write to its error: beside the remedy the file's name seldom helps.
std::string reason_of(const KnobReport& knob, bool verbose) {
  const bool short_form = knob.state == KnobState::denied && knob.error != 0 && !verbose;
  return short_form ? std::generic_category().message(knob.error) : knob.reason;
}

std::string text_of(const KnobReport& knob, bool verbose) {
  const std::string values = values_of(knob);
  const std::string reason = reason_of(knob, verbose);
  return values.empty() || reason.empty() ? values + reason : values + ": " + reason;
}

void add_knob_line(const KnobReport& knob, std::size_t name_width, ConsolePage& page) {
  const Look look = look_of(knob.state);
  const std::string mark(page.style().ascii ? look.ascii_mark : look.mark);
  const std::string name = padded_right(page.clean(knob.name), name_width);
  const std::string state = padded_right(std::string(name_of(knob.state)), state_width);
  const std::string margin(4 + name_width + 2 + state_width + 2, ' ');
  const std::size_t room =
      page.width() > margin.size() + narrowest_text ? page.width() - margin.size() : narrowest_text;
  std::string begin =
      fmt::format("  {} {}  {}  ", page.painted(mark, look.colour), name, page.painted(state, look.colour));
  for (const std::string& part : wrapped(page.clean(text_of(knob, page.style().verbose)), room)) {
    page.line(begin + part);
    begin = margin;
  }
}

/// Not wrapped, because most remedies are commands.
void add_remedy(const std::string& remedy, std::size_t sharing, ConsolePage& page) {
  if (remedy.empty()) return;
  const std::string whom = sharing > 1 ? fmt::format("for these {}: ", sharing) : "";
  page.line("      " + page.clean(whom + remedy));
}

/// Over the knobs of all modes, so that their groups align.
std::size_t widest_name(const std::vector<KnobReport>& knobs) {
  std::size_t widest = 0;
  for (const KnobReport& knob : knobs) widest = std::max(widest, columns(terminal_text(knob.name, false)));
  return widest;
}

}  // namespace

void add_knob_lines(const std::vector<KnobReport>& knobs, GuardMode mode, ConsolePage& page) {
  const std::size_t name_width = widest_name(knobs);
  std::vector<const KnobReport*> mine;
  for (const KnobReport& knob : knobs) {
    if (knob.mode == mode) mine.push_back(&knob);
  }
  std::size_t sharing = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    add_knob_line(*mine[i], name_width, page);
    ++sharing;
    if (i + 1 < mine.size() && mine[i + 1]->remedy == mine[i]->remedy) continue;
    add_remedy(mine[i]->remedy, sharing, page);
    sharing = 0;
  }
}

}  // namespace stepgate
