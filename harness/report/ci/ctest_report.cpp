#include "report/ci/ctest_report.h"

#include <fmt/format.h>

#include <cmath>
#include <pugixml.hpp>
#include <sstream>

#include "core/judged/emulated_result.h"
#include "report/text/clean_text.h"

namespace stepgate {
namespace {

/// One element on one line: CTest 3.25 looks for `<CTestMeasurement ...>value</CTestMeasurement>` in the output.
std::string measurement(const std::string& type, const std::string& name, const std::string& value) {
  pugi::xml_document document;
  pugi::xml_node node = document.append_child("CTestMeasurement");
  node.append_attribute("type") = type.c_str();
  node.append_attribute("name") = xml_text(name).c_str();
  node.text() = xml_text(value).c_str();
  std::ostringstream out;
  document.save(out, "", pugi::format_raw | pugi::format_no_declaration);
  std::string line = out.str();
  // GitHub's runner obeys "##[command]" anywhere in a line. As an escape of XML the sign is the same for CTest.
  for (std::size_t at = line.find("##"); at != std::string::npos; at = line.find("##", at))
    line.replace(at, 1, "&#35;");
  return line + "\n";
}

}  // namespace

std::string render_ctest_measurements(const Outcome& outcome) {
  std::string text = measurement("text/string", "verdict", std::string(name_of(outcome.verdict.status)));
  if (const std::string gpu = emulated_gpu_of(outcome); !gpu.empty()) text += measurement("text/string", "gpu", gpu);
  const auto add = [&](const std::string& name, const std::optional<double>& value) {
    if (value && std::isfinite(*value)) text += measurement("numeric/double", name, fmt::format("{}", *value));
  };
  for (const MetricVerdict& metric : outcome.verdict.metrics) {
    add(metric.metric, metric.current);
    add(metric.metric + ".change", metric.change);
  }
  return text;
}

}  // namespace stepgate
