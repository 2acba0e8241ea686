#include "measure/program/perftest_end.h"

#include <fmt/format.h>

#include <cstdio>
#include <system_error>

#include "core/error.h"
#include "measure/device/device_side.h"
#include "measure/program/case/case_run.h"

namespace stepgate {

void complain(const std::string& message, const std::string& next) {
  // fmt::print() throws where stderr is closed or full, here within a catch: the program would abort.
  std::fputs(fmt::format("perftest: {}\n", message).c_str(), stderr);
  if (!next.empty()) std::fputs(fmt::format("next: {}\n", next).c_str(), stderr);
}

int report_failure(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const DeviceMissing& missing) {
    complain(missing.what(), missing.remedy());
    return skipped;
  } catch (const Error& error) {
    complain(error.what(), error.remedy());
    return error.kind() == ErrorKind::usage ? usage : not_measured;
  } catch (const WorkloadFailure& failure) {
    complain(failure.what(), "");
    return workload_failed;
  } catch (const std::exception& failure) {
    complain(failure.what(), "");
    return not_measured;
  }
}

}  // namespace stepgate
