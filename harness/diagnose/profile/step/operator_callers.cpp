#include "diagnose/profile/step/operator_callers.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace stepgate {
namespace {

using NamedThere = std::tuple<std::string, std::optional<std::size_t>, bool, std::string>;
using SitesByName = std::map<NamedThere, std::vector<std::size_t>>;

NamedThere named_there(const OperatorSite& site, const std::string& name) {
  return {site.boundary, site.place, site.for_forward, name};
}

SitesByName sites_by_name(const ObservedWork& work) {
  SitesByName found;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    found[named_there(work.sites[i], work.sites[i].name)].push_back(i);
  }
  return found;
}

bool works_in_each_call(const OperatorSite& site) { return site.calls > 0 && site.leaf_calls == site.calls; }

/// Takes away, until nothing changes, what may have been called by an operator that does not do the work.
std::vector<bool> likely_parts(const ObservedWork& work, const std::vector<std::vector<std::size_t>>& callers) {
  std::vector<bool> parts(work.sites.size());
  for (std::size_t i = 0; i < parts.size(); ++i) parts[i] = work.sites[i].leaf_calls == 0 && !callers[i].empty();
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool certain = std::ranges::all_of(
          callers[i], [&](std::size_t caller) { return parts[caller] || works_in_each_call(work.sites[caller]); });
      if (!parts[i] || certain) continue;
      parts[i] = false;
      changed = true;
    }
  }
  return parts;
}

}  // namespace

std::vector<std::vector<std::size_t>> possible_callers(const ObservedWork& work) {
  const SitesByName named = sites_by_name(work);
  std::vector<std::vector<std::size_t>> callers(work.sites.size());
  for (std::size_t i = 0; i < callers.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    const auto at = site.parent.empty() ? named.end() : named.find(named_there(site, site.parent));
    if (at != named.end()) callers[i] = at->second;
  }
  return callers;
}

std::vector<SiteRole> site_roles(const ObservedWork& work) {
  const auto callers = possible_callers(work);
  const std::vector<bool> parts = likely_parts(work, callers);
  std::vector<SiteRole> roles(work.sites.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      if (!parts[i] || roles[i].part_of) continue;
      for (const std::size_t caller : callers[i]) {
        if (works_in_each_call(work.sites[caller])) roles[i].part_of = caller;
        if (!roles[i].part_of) roles[i].part_of = roles[caller].part_of;
      }
      changed |= roles[i].part_of.has_value();
    }
  }
  for (const auto& [there, sites] : sites_by_name(work)) {
    const bool certain = std::ranges::all_of(
        sites, [&](std::size_t site) { return roles[site].part_of || works_in_each_call(work.sites[site]); });
    for (const std::size_t site : sites) roles[site].with_parts = certain && !roles[site].part_of;
  }
  return roles;
}

}  // namespace stepgate
