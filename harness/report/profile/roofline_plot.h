// The roofline of a profile as a picture: what each operator reaches, under the roofs that were measured here.
#pragma once

#include <string>

#include "core/study/profile.h"

namespace stepgate {

/// A self-contained SVG 1.1 document. Both axes are logarithmic: FLOPs per byte touched, and FLOPs per second. Flat
/// roofs are the peaks of the dtypes, slanted ones the bandwidth of a cache and of memory; the ridge's number stands
/// where they meet. The area of a marker is the self time of an operator, its colour the boundary; the twelve costliest
/// are numbered and named. Of two that would lie on one another the cheaper one stands beside its place, with a line to
/// it. An operator without FLOPs has no place in the plot, and the last line counts them. "" where the peaks of the
/// machine were not measured: without a roof there is no roofline.
std::string render_roofline(const Profile& profile);

}  // namespace stepgate
