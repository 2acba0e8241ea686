// Measures how often verdicts are wrong. Prints tables as text and, with --csv, writes one file. Exit status 1 if a
// promise of docs/verdict_quality.md is broken.
#include <fmt/format.h>

#include <boost/program_options.hpp>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>

#include "lab/lab_tables.h"

namespace options = boost::program_options;

int main(int argc, char** argv) {
  try {
    stepgate::lab::LabRequest request;
    std::string csv;
    options::options_description description("verdict_lab: how often verdicts are wrong");
    auto add = description.add_options();
    add("help", "this text");
    add("suites", options::value(&request.suites)->default_value(10'000), "suites for each row");
    add("tables",
        options::value(&request.tables)
            ->default_value("paired,nodes,control,cases,background,mde,stored,machine,weights,bytes,latency,tails"),
        "which tables, by name");
    add("traces", options::value(&request.traces)->default_value("tests/lab/traces"), "folder of recorded traces");
    add("requests", options::value(&request.requests)->default_value("tests/lab/requests"),
        "folder of recorded requests");
    add("seed", options::value(&request.seed)->default_value(20261121), "same seed, same tables");
    add("csv", options::value(&csv), "also write every row to this file");
    options::variables_map values;
    options::store(options::parse_command_line(argc, argv, description), values);
    if (values.contains("help")) {
      std::cout << description;
      return 0;
    }
    options::notify(values);
    const stepgate::lab::LabReport report = stepgate::lab::run_lab(request);
    if (!csv.empty()) std::ofstream(csv) << report.csv;
    for (const std::string& broken : report.broken) std::cout << "BROKEN: " << broken << '\n';
    if (report.broken.empty()) std::cout << "all promises held\n";
    return report.broken.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "verdict_lab: " << error.what() << '\n';
    return 2;
  }
}
