#include "lab/trend/trend_tables.h"

namespace stepgate::lab {

LabReport run_trend_lab(const LabRequest& request) {
  LabReport report;
  report.csv = "table,row,column,value,lower,upper\n";
  const auto wanted = [&](const std::string& table) { return request.tables.find(table) != std::string::npos; };
  if (wanted("detection")) detection_tables(request, report);
  if (wanted("repeated")) repeated_tables(request, report);
  if (wanted("creep")) creep_table(request, report);
  if (wanted("drift")) drift_table(request, report);
  if (wanted("bursts")) bursts_table(request, report);
  return report;
}

}  // namespace stepgate::lab
