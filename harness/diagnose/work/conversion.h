// Are tensors converted or moved by .to() in every step?
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Code: conversion-added. Only where the case is red; one finding per boundary in which all new operators are those of
/// .to(): arithmetic of mixed types converts as well, and that is not said here.
std::vector<Finding> explain_conversions(const JudgedComparison& input);

}  // namespace stepgate
