// Two builds whose programs are one and the same can only pass.
#pragma once

#include <vector>

#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// A notice where the programs of the two builds have the same content: a build compared with itself, or a rebuild that
/// changed nothing. Throws Error(usage) where two build folders name one program file: one of them was copied or moved,
/// and its manifest still names the program of the other. `cases` are of the head, and both builds have them.
std::vector<Notice> same_programs(const Project& head, const Project& base, const std::vector<ManifestCase>& cases);

}  // namespace stepgate
