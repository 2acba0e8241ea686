// The tables of docs/trend_quality.md.
#pragma once

#include <string>

#include "lab/lab_tables.h"

namespace stepgate::lab {

/// Tables detection, repeated and creep; `request.suites` series for each family.
LabReport run_trend_lab(const LabRequest& request);

// Each of the following prints one table and adds to `report`.
void detection_tables(const LabRequest& request, LabReport& report);
void repeated_tables(const LabRequest& request, LabReport& report);
void creep_table(const LabRequest& request, LabReport& report);

/// The series of the detection table as JSON lines, with what the analysis finds, for peers_on_series.py.
void write_series(const LabRequest& request, const std::string& path);

}  // namespace stepgate::lab
