// The value of --nodes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace stepgate {

enum class NodesKind { local, slurm, program };

struct NodesAsked {
  NodesKind kind = NodesKind::local;
  std::int64_t count = 1;              ///< number of nodes for local and slurm
  std::filesystem::path program = {};  ///< program for exec
};

/// "local:4", "slurm:4", "exec:PROGRAM". Throws Error(usage) for anything else.
NodesAsked read_nodes_text(const std::string& text);

}  // namespace stepgate
