// How tables look on the terminal.
#pragma once

#include "cli/options/option_row.h"
#include "report/text/console_style.h"

namespace stepgate {

enum class ColorChoice { automatic, always, never };

/// Every command that prints a table.
struct TableStyle {
  ColorChoice color = ColorChoice::automatic;
};
OptionRows rows_of(TableStyle& o);
/// Colour and width from --color, NO_COLOR, TERM and the terminal on stdout.
ConsoleStyle console_style(const TableStyle& o);

/// The commands whose table leaves out what did not change.
struct DetailStyle {
  bool verbose = false;
  TableStyle table;
};
OptionRow verbose_row(DetailStyle& o);
ConsoleStyle console_style(const DetailStyle& o);

OptionRow quiet_row(bool& quiet);

}  // namespace stepgate
