// Reads the lines of lab_samples and prints the call of stepgate's own rule on each: the value of a process is the log
// of the median of its steps, and decide_pairs() decides.
#include <boost/program_options.hpp>
#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "judge/rules/paired_rule.h"
#include "stats/summary.h"

namespace {

namespace options = boost::program_options;

std::string_view name_of(stepgate::Call call) {
  switch (call) {
    case stepgate::Call::pass:
      return "pass";
    case stepgate::Call::improved:
      return "improved";
    case stepgate::Call::regressed:
      return "regressed";
    case stepgate::Call::inconclusive:
      break;
  }
  return "inconclusive";
}

std::vector<double> process_logs(const nlohmann::json& side) {
  std::vector<double> logs;
  for (const auto& steps : side) logs.push_back(std::log(stepgate::median(steps.get<std::vector<double>>())));
  return logs;
}

nlohmann::ordered_json verdict_on(const nlohmann::json& line, const stepgate::PairRule& rule) {
  const std::vector<double> base = process_logs(line.at("base"));
  const std::vector<double> head = process_logs(line.at("head"));
  if (base.size() != head.size()) {
    throw stepgate::Error(stepgate::ErrorKind::usage, "base and head have different numbers of processes",
                          "write one process of each side for every pair");
  }
  std::vector<double> differences;
  for (std::size_t i = 0; i < base.size(); ++i) differences.push_back(head[i] - base[i]);
  const auto decision = stepgate::decide_pairs(differences, stepgate::Margins{}, rule, {base, head});
  return {{"index", line.at("index")},
          {"call", name_of(decision.call)},
          {"pairs", decision.analysis},
          {"reason", name_of(decision.reason)}};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::string file;
    std::int64_t hypotheses = 20;
    std::int64_t fixed = 0;
    options::options_description description("lab_verdicts FILE: stepgate's verdict on each line of lab_samples");
    auto add = description.add_options();
    add("file", options::value(&file)->required(), "the lines");
    add("hypotheses", options::value(&hypotheses)->default_value(20),
        "metrics of the suite: alpha is shared over them");
    add("fixed", options::value(&fixed)->default_value(0), "decide at exactly so many pairs, not in analyses");
    options::positional_options_description positions;
    positions.add("file", 1);
    options::variables_map values;
    options::store(options::command_line_parser(argc, argv).options(description).positional(positions).run(), values);
    options::notify(values);
    const stepgate::PairRule rule(fixed > 0 ? stepgate::fixed_pair_plan(fixed) : stepgate::default_pair_plan(),
                                  {.red = 0.05 / static_cast<double>(hypotheses), .pass = 0.05});
    std::ifstream lines(file);
    if (!lines) throw stepgate::Error(stepgate::ErrorKind::usage, "cannot read " + file, "name a file of lab_samples");
    for (std::string line; std::getline(lines, line);) {
      std::cout << verdict_on(nlohmann::json::parse(line), rule).dump() << '\n';
    }
  } catch (const std::exception& error) {
    std::cerr << "lab_verdicts: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
