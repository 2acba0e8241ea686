#include "cli/options/groups/table_style.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {
namespace {

std::string style_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<ColorChoice> color_choice_named(std::string_view name) {
  if (name == "auto") return ColorChoice::automatic;
  if (name == "always") return ColorChoice::always;
  return name == "never" ? std::optional(ColorChoice::never) : std::nullopt;
}

bool wants_color(ColorChoice choice) {
  if (choice != ColorChoice::automatic) return choice == ColorChoice::always;
  return isatty(STDOUT_FILENO) != 0 && style_variable("NO_COLOR").empty() && style_variable("TERM") != "dumb";
}

bool is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = style_variable(name);
    if (!value.empty()) return value.find("UTF-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

OptionRows rows_of(TableStyle& o) {
  return {
      {Topic::output, "color", "auto|always|never", "", "colours (default auto, which respects NO_COLOR)",
       choice_into(o.color, "auto|always|never", color_choice_named)},
  };
}

ConsoleStyle console_style(const TableStyle& o) {
  ConsoleStyle style;
  style.color = wants_color(o.color);
  style.ascii = !is_utf8();
  struct winsize window {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0) style.width = window.ws_col;
  return style;
}

OptionRow verbose_row(DetailStyle& o) {
  return {Topic::output, "verbose", "", "", "show everything, not only what changed", switch_on(o.verbose)};
}

ConsoleStyle console_style(const DetailStyle& o) {
  ConsoleStyle style = console_style(o.table);
  style.verbose = o.verbose;
  return style;
}

OptionRow quiet_row(bool& quiet) { return {Topic::output, "quiet", "", "", "show no progress", switch_on(quiet)}; }

}  // namespace stepgate
