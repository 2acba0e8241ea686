// The tables of docs/trend_quality.md.
#pragma once

#include <string>

#include "lab/lab_tables.h"

namespace stepgate::lab {

/// Tables detection, repeated, creep, drift and bursts; `request.suites` series for each family.
LabReport run_trend_lab(const LabRequest& request);

// Each of the following prints one table and adds to `report`.
void detection_tables(const LabRequest& request, LabReport& report);
void repeated_tables(const LabRequest& request, LabReport& report);
void creep_table(const LabRequest& request, LabReport& report);
void drift_table(const LabRequest& request, LabReport& report);
void bursts_table(const LabRequest& request, LabReport& report);

/// The series of the detection table as JSON lines, with what the analysis finds, for peers_on_series.py.
void write_series(const LabRequest& request, const std::string& path);
/// Likewise those of the drift table, each ending 20 sessions after it has added up, and as many without a drift.
void write_drifts(const LabRequest& request, const std::string& path);

}  // namespace stepgate::lab
