#include "emulator/machine/size_reads.h"

#include "emulator/machine/refusal.h"

namespace stepgate::emulator {

std::string values_needed_text(std::string_view operator_name) {
  return "stepgate: the emulated GPU computes nothing in counts mode, and aten::" + std::string(operator_name) +
         " reads from it how large its result is. Count the case with values if it is tiny "
         "(--device emulated:MODEL:values), else on a GPU.\n";
}

void SizeReads::planned(const PlannedOperation& planned) {
  const Operation& operation = planned.operation;
  if (operation.kind != OperationKind::copy || operation.direction != CopyDirection::device_to_host) return;
  const std::string name = operators_.calling([](std::string_view each) { return is_sized_by_values(each); });
  if (!name.empty()) end_process(values_needed_text(name), values_needed_status);
}

}  // namespace stepgate::emulator
