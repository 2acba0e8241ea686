// Changes of limits as lines of text, for tests.
#pragma once

#include <string>
#include <vector>

#include "core/verdict/limit_change.h"

namespace stepgate {

/// "loosened policy language margins.ignore 0.01 -> 999 (in 2 cases)"; what is empty is left out.
inline std::string told(const LimitChange& change) {
  std::string text = std::string(name_of(change.subject)) + " " + change.place;
  if (!change.key.empty()) text += " " + change.key;
  if (!change.before.empty() || !change.after.empty()) text += " " + change.before + " -> " + change.after;
  if (!change.note.empty()) text += " (" + change.note + ")";
  return std::string(row_of(change.move).words) + " " + text;
}

using LimitLines = std::vector<std::string>;

inline LimitLines told(const std::vector<LimitChange>& changes) {
  LimitLines lines;
  for (const LimitChange& change : changes) lines.push_back(told(change));
  return lines;
}

}  // namespace stepgate
