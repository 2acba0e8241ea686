// The guard's journal as lines of text, each with its own checksum: "<8 hex digits> <JSON>\n".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/stored/journal.h"

namespace stepgate {

/// The first line.
std::string journal_line(const JournalRun& run);
/// The `number`-th change, counted from 0, before it is applied.
std::string journal_line(std::size_t number, const KnobChange& change);
/// The change was applied and the value reads back as `after`.
std::string applied_line(std::size_t number, const std::string& after);
/// The change was tried and refused: there is nothing to restore.
std::string refused_line(std::size_t number);
/// The value is the one from before the run.
std::string restored_line(std::size_t number);

/// Everything that can be read. Never throws: it counts damaged and unknown lines and continues after them.
Journal journal_from_text(std::string_view text);

}  // namespace stepgate
