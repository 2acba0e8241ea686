// The guard's journal as lines of text, each with a checksum of its own: "<8 hex digits> <JSON>\n".
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
/// It was applied and reads back as `after`.
std::string applied_line(std::size_t number, const std::string& after);
/// It was tried and refused: there is nothing to take back.
std::string refused_line(std::size_t number);
/// It reads as it did before the run.
std::string restored_line(std::size_t number);

/// Everything that can be read. Throws nothing: damaged and unknown lines are counted and passed over.
Journal journal_from_text(std::string_view text);

}  // namespace stepgate
