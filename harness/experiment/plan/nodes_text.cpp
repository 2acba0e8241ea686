#include "experiment/plan/nodes_text.h"

#include <fmt/format.h>

#include <charconv>

#include "core/error.h"
#include "core/text/excerpt.h"

namespace stepgate {
namespace {

constexpr std::int64_t most_nodes = 1000;

std::int64_t node_count(const std::string& text) {
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, count);
  return read.ec == std::errc{} && read.ptr == end && count <= most_nodes ? count : 0;
}

}  // namespace

NodesAsked read_nodes_text(const std::string& text) {
  const auto colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::string value = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (kind == "exec" && !value.empty()) return {NodesKind::program, 1, value};
  const std::int64_t count = node_count(value);
  if (kind == "local" && count > 0) return {NodesKind::local, count, {}};
  if (kind == "slurm" && count > 0) return {NodesKind::slurm, count, {}};
  throw Error(ErrorKind::usage, fmt::format("--nodes does not accept '{}'", excerpt(text)),
              "give local:N, slurm:N (1 to 1000 nodes) or exec:PROGRAM");
}

}  // namespace stepgate
