#include "cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <sstream>

#include "cli/option_check.h"
#include "cli/option_scope.h"
#include "core/error.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

namespace po = boost::program_options;

struct Command {
  const char* name;
  const char* usage;
  const char* summary;
};

constexpr std::array commands = {
    Command{"list", "[CASE...]", "cases, devices, and which baselines exist"},
    Command{"run", "[CASE...]", "measure; write measurements, judge nothing"},
    Command{"check", "MEASUREMENT.json...", "judge stored measurements against baselines"},
    Command{"gate", "[CASE...]", "measure and judge: what CTest calls"},
    Command{"ab", "[CASE...] --base-build DIR", "interleave two builds, judge one against the other"},
    Command{"compare", "BASE HEAD", "two measurements (files, or folders of them), no baseline; runs nothing"},
    Command{"report", "[CASE...]", "the table of verdicts of an output folder; --ledger, --timeline: memory of cases"},
    Command{"sweep", "CASE --vary NAME=A,B,...", "a case over parameter values: table, best setting, plot"},
    Command{"doctor", "", "what could quiet this machine, what could not and why; changes nothing"},
    Command{"ablate", "CASE", "what each knob of the guard does to the noise of a case on this machine"},
    Command{"recover", "", "put back what a killed run with --guard host left changed"},
    Command{"baseline accept", "[CASE...] --reason TEXT", "turn pending files into baselines, after review"},
    Command{"baseline diff", "[CASE...]", "what the pending files would change"},
    Command{"baseline lint", "", "check every baseline file"},
    Command{"baseline show", "CASE", "a stored baseline as a table"},
};

po::options_description described(Options& o) {
  po::options_description d("Options");
  const auto path = [](std::filesystem::path& p) {
    return po::value<std::string>()->notifier([&p](const std::string& text) { p = text; });
  };
  const auto maybe = []<typename T>(std::optional<T>& slot) {
    return po::value<T>()->notifier([&slot](const T& value) { slot = value; });
  };
  auto add = d.add_options();
  add("build", path(o.build)->value_name("DIR"), "folder that holds stepgate-manifest.json [STEPGATE_MANIFEST_DIR]");
  add("base-build", path(o.base_build)->value_name("DIR"),
      "ab, gate: build folder of the other side, e.g. of the merge base [STEPGATE_BASE_BUILD]");
  add("head-build", path(o.build)->value_name("DIR"), "ab, gate: --build by its name beside --base-build");
  add("out", path(o.out)->value_name("DIR"), "where results go (default stepgate-out) [STEPGATE_OUT]");
  add("filter", po::value(&o.filters)->value_name("GLOB"), "only cases that match, e.g. 'language/*'");
  add("tier", po::value(&o.tier)->value_name("exact|timed|all"), "which half of the gate (default all)");
  add("runner-class", po::value(&o.runner_class)->value_name("NAME"),
      "configured name of this kind of machine (default local) [STEPGATE_RUNNER_CLASS]");
  add("baseline-dir", path(o.baseline_root)->value_name("DIR"),
      "baselines (default: the manifest's) [STEPGATE_BASELINE_DIR]");
  add("policy-dir", path(o.policy_root)->value_name("DIR"), "policies (default: the manifest's)");
  add("data", path(o.data_dir)->value_name("DIR"), "training data (default: the build's) [STEPGATE_DATA_DIR]");
  add("replicates", maybe(o.replicates)->value_name("N"),
      "fresh processes of the timed group (default 5) [STEPGATE_REPLICATES]");
  add("exact-replicates", maybe(o.exact_replicates)->value_name("N"), "fresh processes of the exact group (default 2)");
  add("threads", maybe(o.threads)->value_name("N"), "intra-op threads of the timed group (default 1)");
  add("seed", maybe(o.seed)->value_name("N"), "seed of data and weights");
  add("steps", po::value(&o.steps)->value_name("e2e=60,..."), "step counts, over what the case declares");
  add("malloc", po::value(&o.malloc_policy)->value_name("tuned|system"),
      "glibc thresholds of measured processes (default tuned)");
  add("timeout", maybe(o.timeout_s)->value_name("S"), "seconds one process may take");
  add("session-gap", maybe(o.session_gap_s)->value_name("S"),
      "sessions closer than this count as one (default: the policy's)");
  add("wait-lock", po::value(&o.wait_lock_s)->value_name("S"), "wait for another run on this machine (default 600)");
  add("guard", po::value(&o.guard)->value_name("observe|process|host"),
      "how far to quiet the machine: not at all, each measured process (default), or the host too [STEPGATE_GUARD]");
  add("knobs", po::value(&o.knobs)->value_name("A,B,..."),
      "set only these knobs (names: stepgate doctor); one that names none of a process keeps all of those");
  add("state-dir", path(o.state_folder)->value_name("DIR"),
      "journal of --guard host (default /var/lib/stepgate) [STEPGATE_STATE_DIR]");
  add("gpu-clock", maybe(o.gpu_clock)->value_name("MHZ"), "--guard host: lock the GPU's core clock meanwhile");
  add("gpu-memory-clock", maybe(o.gpu_memory_clock)->value_name("MHZ"), "--guard host: lock its memory clock");
  add("vary", po::value(&o.vary)->value_name("NAME=A,B,..."),
      "sweep: values of a parameter (or threads); may stand more than once");
  add("metric", po::value(&o.metric)->value_name("NAME"), "sweep: what settings are ranked by (default samples_per_s)");
  add("pairs", maybe(o.pairs)->value_name("N"), "ab, gate: most pairs of a case: 4, 6, 8, 12 or 16 (default 16)");
  add("interleave", po::value(&o.interleave)->value_name("auto|processes|windows"),
      "ab, gate: processes of a pair one after the other, or alive together with windows in turns (default: windows "
      "on one CPU)");
  add("order-seed", maybe(o.order_seed)->value_name("N"),
      "ab, gate: of which side runs first in each pair (default: from the clock, logged)");
  add("seeds", maybe(o.seeds)->value_name("N"),
      "ab: also train both builds from N seeds (5 or more) and compare their final losses");
  add("seed-steps", maybe(o.seed_steps)->value_name("N"), "ab --seeds: steps of each of these runs (default 200)");
  add("budget", po::value(&o.budget_s)->value_name("S"), "ab, gate: begin no pair of a case after S seconds");
  add("reason", po::value(&o.reason)->value_name("TEXT"), "why a baseline may change (accept)");
  add("append", po::bool_switch(&o.append), "accept: only add sessions, whatever moved");
  add("replace", po::bool_switch(&o.replace), "accept: start the runner's sessions anew instead of adding one");
  add("local", po::bool_switch(&o.local), "accept: say in the file that it was measured on a person's machine");
  add("require-baseline", po::bool_switch(&o.require_baseline),
      "a missing baseline or an inconclusive case fails [STEPGATE_REQUIRE_BASELINE]");
  add("require-gpu", po::bool_switch(&o.require_gpu), "a case skipped for want of a GPU fails [STEPGATE_REQUIRE_GPU]");
  add("json", po::bool_switch(&o.json), "machine-readable output on stdout");
  add("markdown", path(o.markdown)->value_name("FILE"), "where verdicts are shown: the summary for a pull request");
  add("junit", path(o.junit)->value_name("FILE"), "where verdicts are shown: as JUnit XML");
  add("github", po::bool_switch(&o.github),
      "annotate the baselines' lines, append the summary to $GITHUB_STEP_SUMMARY");
  add("ctest", po::bool_switch(&o.ctest), "as run by CTest: print measurements; inconclusive and no baseline are 77");
  add("ledger", po::bool_switch(&o.ledger), "report: what was live when memory peaked, instead of verdicts");
  add("timeline", path(o.timeline)->value_name("FILE"),
      "report: memory of the step that peaked, as a trace for Perfetto or chrome://tracing");
  add("begin", po::bool_switch(&o.begin), "report: start a new suite run, older verdicts no longer count");
  add("expect-all", po::bool_switch(&o.expect_all), "report: every case of the manifest must have been measured");
  add("color", po::value(&o.color)->value_name("auto|always|never"), "colours (NO_COLOR is respected)");
  add("quiet", po::bool_switch(&o.quiet), "no progress");
  add("verbose", po::bool_switch(&o.verbose), "every metric, not only what moved");
  add("help", po::bool_switch(&o.help), "this text");
  add("version", po::bool_switch(&o.version), "version");
  return d;
}

struct Variable {
  const char* name;
  const char* option;
};

constexpr std::array variables = {
    Variable{"STEPGATE_MANIFEST_DIR", "build"},
    Variable{"STEPGATE_BASE_BUILD", "base-build"},
    Variable{"STEPGATE_OUT", "out"},
    Variable{"STEPGATE_RUNNER_CLASS", "runner-class"},
    Variable{"STEPGATE_BASELINE_DIR", "baseline-dir"},
    Variable{"STEPGATE_DATA_DIR", "data"},
    Variable{"STEPGATE_REPLICATES", "replicates"},
    Variable{"STEPGATE_GUARD", "guard"},
    Variable{"STEPGATE_STATE_DIR", "state-dir"},
};

bool variable_is_on(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' && std::string(value) != "0";
}

std::string did_you_mean(std::string_view prefix, std::optional<std::string_view> name) {
  return name ? fmt::format("did you mean '{}{}'? ", prefix, *name) : "";
}

/// "gate", "baseline accept": the leading words that name a command.
std::string take_command(std::vector<std::string>& words) {
  if (words.empty()) return "";
  std::string name = words.front();
  words.erase(words.begin());
  if (name == "baseline" && !words.empty() && !words.front().starts_with("-")) {
    name += " " + words.front();
    words.erase(words.begin());
  }
  if (name == "baseline") {
    throw Error(ErrorKind::usage, "baseline needs one of its four words: accept, diff, lint, show",
                "e.g. stepgate baseline accept --help");
  }
  const bool known =
      std::any_of(commands.begin(), commands.end(), [&](const Command& command) { return name == command.name; });
  if (known || name.starts_with("-")) return name;
  std::vector<std::string_view> names;
  for (const Command& command : commands) names.emplace_back(command.name);
  throw Error(ErrorKind::usage, fmt::format("unknown command '{}'", name),
              did_you_mean("stepgate ", nearest_name(name, names)) + "all commands: stepgate --help");
}

std::vector<po::option> parse_words(const std::vector<std::string>& words, const po::options_description& d) {
  try {
    po::positional_options_description rest;
    rest.add("arguments", -1);
    po::options_description all;
    all.add(d);
    all.add_options()("arguments", po::value<std::vector<std::string>>());
    return po::command_line_parser(words)
        .options(all)
        .positional(rest)
        .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    std::vector<std::string> names;
    for (const auto& option : d.options()) names.push_back("--" + option->long_name());
    const std::vector<std::string_view> views(names.begin(), names.end());
    throw Error(ErrorKind::usage, fmt::format("unknown option '{}'", error.get_option_name()),
                did_you_mean("", nearest_name(error.get_option_name(), views)) + "all options: stepgate --help");
  } catch (const po::error& error) {
    throw Error(ErrorKind::usage, error.what(), "see stepgate --help");
  }
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Options o;
  std::vector<std::string> words(argv + 1, argv + argc);
  o.command = take_command(words);
  if (o.command.starts_with("-")) {
    words.insert(words.begin(), o.command);
    o.command.clear();
  }
  const po::options_description d = described(o);
  po::variables_map found;
  try {
    po::parsed_options parsed(&d);
    std::vector<std::string> given;
    for (po::option& option : parse_words(words, d)) {
      if (option.position_key < 0) given.push_back(option.string_key);
      if (option.string_key == "arguments" || option.position_key >= 0)
        o.arguments.insert(o.arguments.end(), option.value.begin(), option.value.end());
      else
        parsed.options.push_back(std::move(option));
    }
    refuse_foreign_options(given, o.command);
    po::store(parsed, found);
    po::store(po::parse_environment(d,
                                    [](const std::string& name) -> std::string {
                                      for (const Variable& variable : variables)
                                        if (name == variable.name && *std::getenv(variable.name))
                                          return variable.option;
                                      return "";
                                    }),
              found);
    po::notify(found);
  } catch (const po::error& error) {
    throw Error(ErrorKind::usage, error.what(), "see stepgate --help");
  }
  o.require_baseline = o.require_baseline || variable_is_on("STEPGATE_REQUIRE_BASELINE");
  o.require_gpu = o.require_gpu || variable_is_on("STEPGATE_REQUIRE_GPU");
  check_options(o);
  return o;
}

std::string help_text(const std::string& command) {
  Options unused;
  std::ostringstream text;
  if (command.empty()) {
    text << "stepgate: a performance regression gate for LibTorch training code\n\n"
            "usage: stepgate COMMAND [options]\n\n";
    for (const Command& c : commands) text << fmt::format("  {:<16} {:<24} {}\n", c.name, c.usage, c.summary);
    text << "\nexit status: 0 pass or improved, 1 regressed, 2 usage or configuration, 3 could not measure,\n"
            "4 inconclusive, 5 baseline missing or incompatible, 77 skipped\n\n";
  } else {
    for (const Command& c : commands)
      if (command == c.name) text << fmt::format("usage: stepgate {} {}\n{}\n\n", c.name, c.usage, c.summary);
  }
  po::options_description shown("Options");
  const po::options_description all = described(unused);
  for (const auto& option : all.options())
    if (command.empty() || goes_with(option->long_name(), command)) shown.add(option);
  text << shown;
  return text.str();
}

}  // namespace stepgate
