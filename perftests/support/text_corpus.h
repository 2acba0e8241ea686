// Source code as training text: files in a fixed order, and their symbols for a byte-level model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "support/data_files.h"

namespace stepgate {

/// The checked text of the files.
struct TextCorpus {
  std::vector<std::string> texts;  ///< one per file, in the requested order
  std::string digest;              ///< of the files: Workload::data_digest()
};

/// Reads and checks `files`, and no other file of the folder. Throws DataError.
TextCorpus load_text_corpus(const std::filesystem::path& data_dir, std::span<const DataFile> files);

/// All listed Python sources (33 files, 3.1 MB).
TextCorpus load_python_sources(const std::filesystem::path& data_dir);

/// The vocabulary: 95 printable ASCII characters, the newline, one symbol for every other byte, and one for padding.
inline constexpr std::int64_t newline_symbol = 95;
inline constexpr std::int64_t other_symbol = 96;
inline constexpr std::int64_t padding_symbol = 97;
inline constexpr std::int64_t vocabulary_size = 98;

constexpr std::int64_t symbol_of(char character) {
  if (character >= ' ' && character <= '~') return character - ' ';
  return character == '\n' ? newline_symbol : other_symbol;
}

}  // namespace stepgate
