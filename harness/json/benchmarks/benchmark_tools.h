// Which tool wrote a file of results? Internal to json/ (mentions nlohmann).
#pragma once

#include <string_view>

#include "json/text/document_tree.h"

namespace stepgate {

enum class BenchmarkReaderKind { none, google_benchmark, nvbench, pyperf };

struct BenchmarkTool {
  std::string_view name;    ///< as the key of an epoch has it
  std::string_view is;      ///< "results of hyperfine"
  std::string_view remedy;  ///< what can be done, where `reader` is none
  BenchmarkReaderKind reader = BenchmarkReaderKind::none;
};

/// By the first characters; null for what may be JSON.
const BenchmarkTool* tool_of_text(std::string_view text);

/// By its keys; null where no tool of the field has them.
const BenchmarkTool* tool_of_document(const DocumentTree& document);

}  // namespace stepgate
