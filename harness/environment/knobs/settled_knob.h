// The reports of host knobs that need no change or cannot have one.
#pragma once

#include <string>
#include <vector>

#include "core/host/knob.h"
#include "environment/host_files/host_files.h"
#include "environment/knobs/knob_plan.h"

namespace stepgate {

/// `value` is the present value, and the wanted one. "" if there is no single one.
KnobReport already_knob(std::string name, std::string value, std::string reason);

KnobReport unsupported_knob(std::string name, std::string reason, std::string remedy = "");

/// For the `changes` of one knob, at least one. Nothing was tried, since `path` may not be written: `error` is the
/// errno of opening it.
KnobReport denied_knob(const HostFiles& files, const std::vector<KnobChange>& changes, const std::string& path,
                       int error);

/// A plan of nothing but this report.
KnobPlan settled_plan(KnobReport report);

/// `changes`, all of one knob, if their first file may be opened for writing, else a `denied` report in their place.
/// Without any change: `already`.
KnobPlan changes_or_settled(const HostFiles& files, std::vector<KnobChange> changes, KnobReport already);

}  // namespace stepgate
