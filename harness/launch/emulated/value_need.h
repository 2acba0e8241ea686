// Whether what is counted of a case depends on numbers that its GPU gives. An emulated GPU in counts mode has none.
#pragma once

#include <optional>
#include <string>

#include "core/record/measurement.h"
#include "launch/emulated/work_order.h"
#include "launch/replicate/replicate_request.h"

namespace stepgate {

/// True for group exact on an emulated GPU that computes nothing.
bool counts_without_values(const LaunchRequest& launch);

/// The first count or byte of a device in which two records of group exact differ, as a sentence; "" where none does.
/// Times and memory of the host are left out: they differ without a reason. Pure.
std::string differing_count(const RunRecord& held, const RunRecord& other);

/// "after aten::_local_scalar_dense at train.cpp:88 it goes on with aten::mul, and with other numbers with aten::add
/// (line 812 of its order of work)". `place`: of the copy to the host, "" where it is not known. Pure.
std::string text_of(const OrderDifference& difference, const std::string& place);

/// Starts two more processes of the case, neither of which is judged: the second one gets other numbers from its GPU.
/// Absent where they do the same work. Else why the counts of the case are not to be judged: needs_values; the failure
/// of a process of the two; or that the order of work differs without other numbers, which a third one shows. Files of
/// the processes stay in the folder of results where they differ.
/// What it cannot see: two kinds of numbers do not show every dependence (docs/design/emulated_gpu.md).
/// Throws as run_replicate().
std::optional<ReplicateFailure> need_of_values(const ReplicateRequest& request);

}  // namespace stepgate
