// How a perftest program ends: its exit statuses, and its message on stderr after a failure.
#pragma once

#include <exception>
#include <string>

namespace stepgate {

enum ExitStatus { done = 0, workload_failed = 1, usage = 2, not_measured = 3, skipped = 77 };

/// "perftest: MESSAGE", and "next: NEXT" unless that is empty.
void complain(const std::string& message, const std::string& next);

/// Prints what went wrong and what to try next; returns the exit status for it.
int report_failure(const std::exception_ptr& thrown);

}  // namespace stepgate
