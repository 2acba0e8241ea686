// The formats of other tools in which a run can be written, one row each.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/verdict/run_report.h"

namespace stepgate {

struct ExportFormat {
  std::string_view name;                           ///< as `--export NAME=FILE` takes it
  std::string (*render)(const RunReport& report);  ///< throws Error(measure) for values that no reader could use
};

std::span<const ExportFormat> export_formats();

struct ExportRequest {
  const ExportFormat* format = nullptr;
  std::filesystem::path file;
};

/// "sarif=out.sarif". Throws Error(usage) naming the known formats.
ExportRequest export_request(std::string_view text);

}  // namespace stepgate
