#include "json/benchmarks/benchmark_file_json.h"

#include <fmt/format.h>

#include "core/error.h"
#include "json/benchmarks/benchmark_document.h"
#include "json/benchmarks/benchmark_tools.h"
#include "json/benchmarks/nvbench_json.h"
#include "json/benchmarks/pyperf_json.h"
#include "json/records/benchmark_output_json.h"
#include "json/text/loose_numbers.h"

namespace stepgate {
namespace {

[[noreturn]] void refuse_tool(const std::string& source, const BenchmarkTool& tool) {
  throw Error(ErrorKind::usage, fmt::format("{}: {}, which stepgate does not read", source, tool.is),
              std::string(tool.remedy));
}

}  // namespace

BenchmarkFile benchmark_file_from_text(std::string_view text, const std::string& source) {
  if (const BenchmarkTool* tool = tool_of_text(text)) refuse_tool(source, *tool);
  const Origin origin{source, benchmark_file_document};
  const DocumentTree document = read_document(without_bare_non_finite(text), origin);
  const BenchmarkTool* tool = tool_of_document(document);
  if (tool == nullptr) {
    throw Error(ErrorKind::usage, source + ": JSON, but of no tool that stepgate knows",
                std::string(benchmark_file_document.remedy));
  }
  BenchmarkFile file{.tool = std::string(tool->name), .processes = {}};
  switch (tool->reader) {
    case BenchmarkReaderKind::google_benchmark:
      file.processes.push_back(benchmark_output_from_text(text, source));
      break;
    case BenchmarkReaderKind::nvbench:
      file.processes.push_back(nvbench_output(Reader(document, origin)));
      break;
    case BenchmarkReaderKind::pyperf:
      file.processes = pyperf_outputs(Reader(document, origin));
      break;
    case BenchmarkReaderKind::none:
      refuse_tool(source, *tool);
  }
  return file;
}

}  // namespace stepgate
