// The operators of a profile as the rows of a table: sorted, and together by call site or by line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/study/operator_view.h"
#include "core/study/profile.h"

namespace stepgate {

/// One row: an operator of one shape or of several, or all operators of one line. Numbers are of one step.
struct OperatorLine {
  std::string boundary;
  std::string name;                ///< "aten::mm 512x64, 64x256", "aten::mm, 4 shapes", or "aten::mm and 3 more"
  std::string operator_name = {};  ///< "aten::mm"; for a line: its costliest operator
  std::string where;               ///< "transformer.cpp:41 Block::forward"; "" if unknown
  std::string note;                ///< "5 per parameter tensor"
  std::optional<SourceFrame> at = {};
  double self_ns = 0;
  double total_ns = 0;
  double roof_ns = 0;
  double calls = 0;
  std::int64_t flops = 0;
  std::int64_t bytes = 0;
  std::int64_t allocated_bytes = 0;
  char side = '-';  ///< 'c': FLOPs make its roof, 'b': bandwidth, 'o': the floor of its calls
};

/// All rows, the costliest by `view.sort` first; not cut to view.rows.
std::vector<OperatorLine> operator_lines(const std::vector<OperatorRow>& operators, const OperatorView& view);

/// "512x64, 64x256": sizes of the tensors among the first three operands, with the dtype where it is not float32.
std::string operands_text(const OperatorSite& site);

/// "transformer.cpp:41 Block::forward": without folders, so that it fits a table.
std::string short_place(const SourceFrame& frame);

/// "140"; "<1" for an operator that few steps call.
std::string calls_text(const OperatorLine& line);

/// False where no line has a roof, because no process measured the peaks of the machine.
bool have_roofs(const std::vector<OperatorLine>& lines);

/// "36 c"; "- o" for what is mostly the price of its calls; "-" without a roof.
std::string roof_text(const OperatorLine& line);

}  // namespace stepgate
