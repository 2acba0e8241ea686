// What is measured no more: a series among the sessions of its class, a class among those of the history.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/stored/history.h"

namespace stepgate {

/// Acknowledgements by the text of their series or class.
using SeriesAcknowledgements = std::unordered_map<std::string, std::vector<const Acknowledgement*>>;

/// Whether what was measured at the commits of these numbers, ascending, lacks too many since then: at least 3, and
/// three times as many as usually lie between two of them (the median).
bool is_stale(const std::vector<std::size_t>& numbers, std::size_t missed);

/// Whether somebody acknowledged that the series or class of this text ends with this commit.
bool is_acknowledged_gone(const SeriesAcknowledgements& acknowledged, const std::string& text,
                          const std::string& last_commit);

}  // namespace stepgate
