// One thing that is wrong with the committed baselines: found in baseline/, rendered in report/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace stepgate {

struct LintProblem {
  std::string file;
  std::optional<std::int64_t> line;  ///< from 1, where it is known
  std::string code;                  ///< stable, e.g. "not-canonical", "orphan", "conflict-markers"
  std::string message;
  std::string remedy;
};

}  // namespace stepgate
