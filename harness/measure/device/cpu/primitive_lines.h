// What oneDNN prints of its primitives at verbose level 2.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace stepgate {

struct PrimitiveLines {
  /// Lines "onednn_verbose,...,create:cache_miss,...": a primitive was made, because none for these sizes, dtypes and
  /// layouts was in the cache.
  std::int64_t creations = 0;
  std::string others;  ///< lines that oneDNN did not print
};

PrimitiveLines primitive_lines(std::string_view printed);

}  // namespace stepgate
