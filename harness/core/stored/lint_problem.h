// One problem of the committed baselines: baseline/ finds it and report/ renders it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace stepgate {

struct LintProblem {
  std::string file;
  std::optional<std::int64_t> line;  ///< counted from 1; absent if unknown
  std::string code;                  ///< stable, e.g. "not-canonical", "orphan", "conflict-markers"
  std::string message;
  std::string remedy;
};

}  // namespace stepgate
