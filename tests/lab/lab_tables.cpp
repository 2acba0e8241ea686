#include "lab/lab_tables.h"

namespace stepgate::lab {

LabReport run_lab(const LabRequest& request) {
  LabReport report;
  report.csv = "table,row,column,value,lower,upper\n";
  const auto wanted = [&](const std::string& table) { return request.tables.find(table) != std::string::npos; };
  if (wanted("paired")) {
    paired_table(request, 1, report);
    paired_table(request, 3, report);
  }
  if (wanted("nodes")) nodes_table(request, report);
  if (wanted("control")) control_table(request, report);
  if (wanted("cases")) case_tables(request, report);
  if (wanted("background")) background_table(request, report);
  if (wanted("mde")) detection_table(request, report);
  if (wanted("stored")) stored_table(request, report);
  if (wanted("machine")) machine_table(request, report);
  if (wanted("weights")) prior_weight_table(request, report);
  if (wanted("bytes")) bytes_table(request, report);
  if (wanted("latency")) latency_table(request, 1000, report);
  if (wanted("tails")) latency_table(request, 10'000, report);
  return report;
}

}  // namespace stepgate::lab
