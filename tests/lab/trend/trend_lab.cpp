// Measures how well changes of level are found in generated series. Prints tables as text and, with --csv, writes one
// file. Exit status 1 if a promise of docs/trend_quality.md is broken.
#include <boost/program_options.hpp>
#include <fstream>
#include <iostream>
#include <string>

#include "lab/trend/trend_tables.h"

namespace options = boost::program_options;

int main(int argc, char** argv) {
  try {
    stepgate::lab::LabRequest request;
    std::string csv;
    std::string series;
    std::string drifts;
    options::options_description description("trend_lab: how well changes of level are found in series over time");
    auto add = description.add_options();
    add("help", "this text");
    add("series", options::value(&request.suites)->default_value(1000), "series for each family");
    add("tables", options::value(&request.tables)->default_value("detection,repeated,creep,drift,bursts"),
        "which tables, by name");
    add("seed", options::value(&request.seed)->default_value(20261123), "same seed, same tables");
    add("csv", options::value(&csv), "also write every row to this file");
    add("write-drifts", options::value(&drifts), "write the series of the table drift to this file, and make no table");
    add("write", options::value(&series), "write the series of the table detection to this file, and make no table");
    options::variables_map values;
    options::store(options::parse_command_line(argc, argv, description), values);
    if (values.contains("help")) {
      std::cout << description;
      return 0;
    }
    options::notify(values);
    if (!series.empty()) {
      stepgate::lab::write_series(request, series);
      return 0;
    }
    if (!drifts.empty()) {
      stepgate::lab::write_drifts(request, drifts);
      return 0;
    }
    const stepgate::lab::LabReport report = stepgate::lab::run_trend_lab(request);
    if (!csv.empty()) std::ofstream(csv) << report.csv;
    for (const std::string& broken : report.broken) std::cout << "BROKEN: " << broken << '\n';
    if (report.broken.empty()) std::cout << "all promises held\n";
    return report.broken.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "trend_lab: " << error.what() << '\n';
    return 2;
  }
}
