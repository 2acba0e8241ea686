// The last step before a text leaves for a terminal or a log. Names and messages come from programs, files and pull
// requests. The parts of a page are cleaned where it is made (clean_text.h); this step holds for the page as a whole,
// whatever its parts were: also where a part was forgotten, and after lines were wrapped.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

enum class Colours { kept, removed };

/// A page of lines in which nothing addresses a terminal and no line is a command:
///   - control characters, except line ends, become '?' or a space as in terminal_text(), malformed UTF-8 U+FFFD;
///     with `kept` the colours of console_colour.h stay;
///   - a line that begins with "::", also after blanks, begins with ": :" (GitHub);
///   - "##name[" gets a blank between the signs, anywhere (GitHub, Azure Pipelines, TeamCity);
///   - "<CTest...", "<DartMeasurement", "CTEST_FULL_OUTPUT" and "[[ATTACHMENT|" are split by a blank (CTest, Jenkins).
std::string log_text(std::string_view page, Colours colours);

/// The same for a JSON document, whose meaning stays: such characters become escapes of JSON.
std::string log_json(std::string_view document);

}  // namespace stepgate
