// Everything that the launcher prints goes through these functions (tests/house checks it). Names and messages in it
// come from programs, files and pull requests. None of them can address the terminal or give the runner a command: see
// report/text/log_text.h.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

#include "report/text/clean_text.h"
#include "report/text/console_style.h"

namespace stepgate {

template <typename Argument>
using LineArgument = std::conditional_t<std::is_convertible_v<Argument, std::string_view>, std::string, Argument>;

template <typename Argument>
LineArgument<Argument> line_argument(const Argument& argument) {
  if constexpr (std::is_convertible_v<Argument, std::string_view>) {
    return terminal_text(argument, false);
  } else {
    return argument;
  }
}

/// Lines of text, without colours. Never throws where `to` cannot be written: see finish_output().
void print_text(std::FILE* to, std::string_view text);

/// One line: each text among the arguments loses its line breaks, so that it cannot pretend to be a line of its own.
template <typename... Arguments>
void print_line(std::FILE* to, fmt::format_string<LineArgument<Arguments>...> format, const Arguments&... arguments) {
  print_text(to, fmt::format(format, line_argument(arguments)...) + '\n');
}

/// What went wrong or is worth knowing, and what to do next unless `next` is empty. On stderr the program's
/// name comes first. Line breaks in the text stay, and what follows them is indented.
void print_message(std::FILE* to, std::string_view text, std::string_view next);

/// A rendered page: its colours stay if the style has any.
void print_page(std::FILE* to, std::string_view page, const ConsoleStyle& style);

/// A document for programs, on stdout.
void print_json(std::string_view document);

/// Lines that a runner or CTest is meant to obey, as they are: only what workflow_command(),
/// render_ctest_measurements() or command_pause() made. Each keeps foreign text inside its line.
void print_commands(std::FILE* to, std::string_view lines);

/// The status line of a terminal on stderr: replaces the one before; "" removes it.
void print_status_line(std::string_view text);

/// Writes out what is left. 0, or why stdout could not be written: an errno.
int finish_output();

}  // namespace stepgate
