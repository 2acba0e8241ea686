#include "environment/gpu/xid_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace stepgate {
namespace {

struct XidRow {
  std::int64_t xid;
  bool of_program;  ///< NVIDIA's page "Xid Errors" names the application among its causes, and it ends that alone
  std::string_view meaning;
};

/// The common ones. The driver's log has the words of any other.
constexpr std::array xid_rows = {
    XidRow{13, true, "exception of the compute engine"},
    XidRow{31, true, "page fault of the GPU's memory"},
    XidRow{43, true, "the GPU stopped the program"},
    XidRow{45, true, "the program's work was removed after an earlier error"},
    XidRow{69, true, "class error of the compute engine"},
    XidRow{48, false, "double bit error of the GPU's memory"},
    XidRow{62, false, "the GPU's microcontroller halted"},
    XidRow{63, false, "a row of the GPU's memory is to be replaced"},
    XidRow{64, false, "a row of the GPU's memory could not be replaced"},
    XidRow{74, false, "NVLink error"},
    XidRow{79, false, "the GPU has fallen off the bus"},
    XidRow{92, false, "high rate of single bit errors"},
    XidRow{94, false, "contained error of the GPU's memory"},
    XidRow{95, false, "uncontained error of the GPU's memory"},
    XidRow{119, false, "the GPU's system processor does not answer"},
    XidRow{120, false, "error of the GPU's system processor"},
    XidRow{140, false, "unrecovered error of the GPU's memory"},
};

const XidRow* row_of_xid(std::int64_t xid) {
  const auto found =
      std::find_if(xid_rows.begin(), xid_rows.end(), [xid](const XidRow& row) { return row.xid == xid; });
  return found == xid_rows.end() ? nullptr : &*found;
}

}  // namespace

bool is_of_program(const GpuFault& fault) {
  const XidRow* const row = row_of_xid(fault.xid);
  return row != nullptr && row->of_program;
}

std::string text_of(const std::vector<GpuFault>& faults) {
  std::string text;
  for (const GpuFault& fault : faults) {
    const XidRow* const row = row_of_xid(fault.xid);
    text += fmt::format("{}Xid {} ({}) of {}", text.empty() ? "" : ", ", fault.xid,
                        row == nullptr ? "see the driver's lines in dmesg" : row->meaning, fault.uuid);
  }
  return text;
}

}  // namespace stepgate
