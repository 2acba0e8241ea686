#include "json/stored/calibration_json.h"

#include <fmt/format.h>

#include <utility>

#include "core/kernels/launch_name.h"
#include "json/text/canonical_text.h"
#include "json/text/reader.h"

namespace stepgate {
namespace {

constexpr DocumentType calibration_document{"stepgate.calibration",
                                            "a calibration",
                                            1,
                                            0,
                                            ErrorKind::usage,
                                            "make it again: stepgate doctor --device --calibration FILE --trace TRACE"};

/// Own choice: cuDNN's longest plans of one call have tens.
constexpr std::int64_t most_of_a_call = 10'000;

Json value_of(const LeastAndMost& range) { return Json::array({range.least, range.most}); }

/// Of the same call, in a sentence; "" where it is used.
std::string why_not_used(const CalibratedCall& call) {
  if (!call.is_ambiguous()) return "";
  return fmt::format("equal calls started {} to {} kernels", call.kernels.least, call.kernels.most);
}

Json value_of(const CalibratedCall& call) {
  Json value = {{"calls", call.calls}, {"kernels", value_of(call.kernels)}, {"memsets", value_of(call.memsets)}};
  if (const std::string why = why_not_used(call); !why.empty()) value["not_used"] = why;
  return value;
}

LeastAndMost range_at(const Reader& reader) {
  const std::vector<std::int64_t> bounds = reader.counts();
  if (bounds.size() != 2 || bounds[0] > bounds[1] || bounds[1] > most_of_a_call) {
    reader.expected(fmt::format("the least and the most of a call, two numbers from 0 to {}", most_of_a_call));
  }
  return {bounds[0], bounds[1]};
}

CalibratedCall call_at(Reader& reader) {
  CalibratedCall call;
  const Reader calls = reader.at("calls");
  call.calls = calls.count();
  if (call.calls == 0) calls.expected("a number of calls from 1");
  const Reader kernels = reader.at("kernels");
  call.kernels = range_at(kernels);
  if (call.kernels.most == 0) kernels.expected("a most of at least 1");
  call.memsets = range_at(reader.at("memsets"));
  const auto not_used = reader.find("not_used");
  const std::string why = why_not_used(call);
  if ((not_used ? not_used->text() : "") != why) {
    reader.fail(why.empty() ? "not_used, and all calls started equally many kernels"
                            : fmt::format("not_used is not \"{}\"", why));
  }
  reader.reject_other_keys();
  return call;
}

std::string text_or_none_at(Reader& reader, std::string_view key) {
  const auto text = reader.find(key);
  return text ? filled_text_at(*text) : "";
}

UncalibratedKernels left_out_at(Reader reader) {
  const UncalibratedKernels left_out{.outside_operators = reader.at("outside_operators").count(),
                                     .in_graphs = reader.at("in_graphs").count(),
                                     .without_operands = reader.at("without_operands").count()};
  reader.reject_other_keys();
  return left_out;
}

/// A name with a None would never be found.
void refuse_other_names(const Reader& reader, const LibraryCalibration& calibration) {
  if (calibration.calls.empty()) reader.expected("at least one library call");
  for (const auto& [name, call] : calibration.calls) {
    const bool has_operands = name.find('(') != std::string::npos && name.ends_with(')');
    if (operator_of_launch(name).empty() || !has_operands || calibration_key(name) != name)
      reader.fail(
          fmt::format("\"{}\" is no name of a library call, such as \"aten::mm(float32[8, 64], float32[64, 4])\"",
                      name.substr(0, 100)));
  }
}

}  // namespace

std::string to_text(const LibraryCalibration& calibration) {
  Json document = document_of(calibration_document);
  document["gpu"] = calibration.gpu;
  if (!calibration.cuda_runtime.empty()) document["cuda_runtime"] = calibration.cuda_runtime;
  if (!calibration.cuda_driver.empty()) document["cuda_driver"] = calibration.cuda_driver;
  document["left_out"] = {{"outside_operators", calibration.left_out.outside_operators},
                          {"in_graphs", calibration.left_out.in_graphs},
                          {"without_operands", calibration.left_out.without_operands}};
  Json calls = object_with_room(calibration.calls.size());
  for (const auto& [name, call] : calibration.calls) calls[name] = value_of(call);
  document["calls"] = std::move(calls);
  return canonical_text(document, {"calibration.json", calibration_document});
}

LibraryCalibration calibration_from_text(std::string_view text, const std::string& source) {
  const Origin origin{source, calibration_document};
  const DocumentTree document = read_document(text, origin);
  Reader reader(document, origin);
  reader.check_schema();
  LibraryCalibration calibration;
  calibration.source = source;
  calibration.gpu = filled_text_at(reader.at("gpu"));
  calibration.cuda_runtime = text_or_none_at(reader, "cuda_runtime");
  calibration.cuda_driver = text_or_none_at(reader, "cuda_driver");
  calibration.left_out = left_out_at(reader.at("left_out"));
  const Reader calls = reader.at("calls");
  calibration.calls = calls.map_of(call_at);
  refuse_other_names(calls, calibration);
  reader.reject_other_keys();
  return calibration;
}

}  // namespace stepgate
