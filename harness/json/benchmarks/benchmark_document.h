// What the readers of results of other tools have in common. Internal to json/ (mentions nlohmann).
#pragma once

#include "json/text/document.h"

namespace stepgate {

inline constexpr DocumentType benchmark_file_document{
    "",
    "a file of results",
    0,
    0,
    ErrorKind::usage,
    "stepgate reads JSON of Google Benchmark (--benchmark_out=FILE --benchmark_out_format=json), "
    "nvbench (--json FILE) and pyperf (-o FILE)",
    64 * mebibyte};

/// Own choice, ten times what a tool was seen to write. One name stands for many values, and each keeps a copy.
inline constexpr std::size_t most_shared_bytes = 1000;

}  // namespace stepgate
