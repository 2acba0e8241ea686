#include "cli/option_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"

namespace stepgate {
namespace {

struct OptionScope {
  std::string_view option;
  std::vector<std::string_view> commands;
};

const std::vector<OptionScope>& scopes() {
  static const std::vector<std::string_view> measuring = {"run", "gate", "ab", "sweep", "ablate"};
  static const std::vector<std::string_view> guarded = {"run", "gate", "ab", "sweep", "ablate", "doctor"};
  static const std::vector<std::string_view> paired = {"ab", "gate"};
  static const std::vector<std::string_view> in_pairs = {"ab", "gate", "ablate"};
  static const std::vector<std::string_view> judging = {"gate", "check", "report", "ab"};
  static const std::vector<std::string_view> rendering = {"gate", "check", "report", "ab", "compare"};
  // All but compare, whose two arguments are all that it reads.
  static const std::vector<std::string_view> placed = {"list",
                                                       "run",
                                                       "check",
                                                       "gate",
                                                       "ab",
                                                       "report",
                                                       "sweep",
                                                       "doctor",
                                                       "ablate",
                                                       "recover",
                                                       "baseline accept",
                                                       "baseline diff",
                                                       "baseline lint",
                                                       "baseline show"};
  static const std::vector<OptionScope> all = {
      {"out", placed},
      {"baseline-dir", placed},
      {"runner-class", placed},
      {"session-gap", placed},
      {"data", placed},
      {"vary", {"sweep"}},
      {"metric", {"sweep"}},
      {"replicates", measuring},
      {"exact-replicates", {"run", "gate", "ab"}},
      {"threads", measuring},
      {"seed", measuring},
      {"steps", measuring},
      {"malloc", measuring},
      {"timeout", measuring},
      {"wait-lock", measuring},
      {"guard", guarded},
      {"knobs", measuring},
      {"state-dir", {"run", "gate", "ab", "sweep", "ablate", "doctor", "recover"}},
      {"gpu-clock", guarded},
      {"gpu-memory-clock", guarded},
      {"base-build", paired},
      {"head-build", paired},
      {"pairs", in_pairs},
      {"order-seed", in_pairs},
      {"seeds", {"ab"}},
      {"seed-steps", {"ab"}},
      {"budget", paired},
      {"interleave", paired},
      {"reason", {"baseline accept"}},
      {"append", {"baseline accept"}},
      {"replace", {"baseline accept"}},
      {"local", {"baseline accept"}},
      {"markdown", rendering},
      {"junit", rendering},
      {"github", rendering},
      {"ctest", judging},
      {"require-gpu", {"gate", "check", "report", "ab", "run"}},
      {"ledger", {"report"}},
      {"timeline", {"report"}},
      {"begin", {"report"}},
      {"expect-all", {"report"}},
  };
  return all;
}

const OptionScope* scope_of(std::string_view option) {
  const auto found =
      std::find_if(scopes().begin(), scopes().end(), [&](const OptionScope& scope) { return scope.option == option; });
  return found == scopes().end() ? nullptr : &*found;
}

}  // namespace

bool goes_with(std::string_view option, std::string_view command) {
  const OptionScope* scope = scope_of(option);
  return scope == nullptr ||
         std::find(scope->commands.begin(), scope->commands.end(), command) != scope->commands.end();
}

void refuse_foreign_options(const std::vector<std::string>& options, std::string_view command) {
  if (command.empty()) return;
  for (const std::string& option : options) {
    if (goes_with(option, command)) continue;
    throw Error(ErrorKind::usage, fmt::format("--{} means nothing to stepgate {}", option, command),
                fmt::format("it goes with: {}; all options: stepgate {} --help",
                            fmt::join(scope_of(option)->commands, ", "), command));
  }
}

}  // namespace stepgate
