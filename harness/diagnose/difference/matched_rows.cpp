#include "diagnose/difference/matched_rows.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "diagnose/difference/alignment.h"

namespace stepgate {
namespace {

/// The place of a row; it decides the order of rows.
struct RowPlace {
  std::string function;
  std::string file;
  std::int64_t line = 0;
  std::string boundary;
  std::string name;

  auto operator<=>(const RowPlace&) const = default;
};

/// One row of one build.
struct SideRow {
  RowPlace place;
  std::vector<RowWork> processes;
  const OperatorSite* costliest = nullptr;
  std::optional<SourceFrame> at = std::nullopt;  ///< line of the costliest site
  bool matched = false;
};

const SourceFrame* innermost_frame(const ObservedWork& work, const OperatorSite& site) {
  if (!site.place || *site.place >= work.places.size()) return nullptr;
  const std::vector<SourceFrame>& frames = work.places[*site.place].frames;
  return frames.empty() ? nullptr : &frames.front();
}

void add_site_work(const OperatorSite& site, double steps, RowWork& work) {
  work.calls += static_cast<double>(site.calls) / steps;
  work.flops += static_cast<double>(site.flops) / steps;
  work.bytes += static_cast<double>(site.bytes) / steps;
  work.self_ns += static_cast<double>(site.self_ns) / steps;
}

/// In the order of places.
std::vector<SideRow> rows_of(const std::vector<ObservedWork>& processes, bool by_place) {
  std::map<RowPlace, SideRow> rows;
  for (std::size_t process = 0; process < processes.size(); ++process) {
    const ObservedWork& work = processes[process];
    for (const OperatorSite& site : work.sites) {
      const SourceFrame* frame = innermost_frame(work, site);
      RowPlace place{.function = {}, .file = {}, .boundary = site.boundary, .name = site.name};
      if (frame != nullptr && by_place)
        std::tie(place.function, place.file, place.line) = std::tie(frame->function, frame->file, frame->line);
      SideRow& row = rows[place];
      row.processes.resize(processes.size());
      add_site_work(site, static_cast<double>(work.steps), row.processes[process]);
      if (row.costliest != nullptr && row.costliest->self_ns >= site.self_ns) continue;
      row.costliest = &site;
      row.at = frame == nullptr ? std::nullopt : std::optional(*frame);
    }
  }
  std::vector<SideRow> ordered;
  for (auto& [place, row] : rows) {
    row.place = place;
    ordered.push_back(std::move(row));
  }
  return ordered;
}

/// Compares the numbers that repeat, of the first process.
bool same_work(const SideRow& a, const SideRow& b) {
  const RowWork& first = a.processes.front();
  const RowWork& second = b.processes.front();
  return first.calls == second.calls && first.flops == second.flops && first.bytes == second.bytes;
}

using RowList = std::vector<SideRow*>;

/// Equal for rows that may be matched with each other.
using RowKey = std::tuple<std::string, std::string, std::string>;
using RowKeyOf = RowKey (*)(const SideRow&);

std::map<RowKey, RowList> unmatched_by(std::vector<SideRow>& rows, RowKeyOf key_of) {
  std::map<RowKey, RowList> lists;
  for (SideRow& row : rows) {
    if (!row.matched) lists[key_of(row)].push_back(&row);
  }
  return lists;
}

RowKey function_of(const SideRow& row) { return {row.place.function, "", ""}; }
RowKey operator_in_function(const SideRow& row) { return {row.place.boundary, row.place.name, row.place.function}; }
RowKey operator_in_boundary(const SideRow& row) { return {row.place.boundary, row.place.name, ""}; }

/// The rows of one line.
std::vector<RowList> code_lines_of(const RowList& rows) {
  std::vector<RowList> lines;
  for (SideRow* row : rows) {
    const bool same_line = !lines.empty() && lines.back().front()->place.file == row->place.file &&
                           lines.back().front()->place.line == row->place.line;
    if (!same_line) lines.emplace_back();
    lines.back().push_back(row);
  }
  return lines;
}

bool same_operators(const RowList& a, const RowList& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SideRow* first, const SideRow* second) {
    return first->place.boundary == second->place.boundary && first->place.name == second->place.name &&
           same_work(*first, *second);
  });
}

class Matching {
 public:
  explicit Matching(const ObservedBuilds& builds)
      : by_place_(builds.base.front().frames_from == builds.head.front().frames_from),
        base_(rows_of(builds.base, by_place_)),
        head_(rows_of(builds.head, by_place_)) {}

  std::vector<MatchedRow> run() {
    for_each_list(function_of, [&](RowList& base, RowList& head) { match_lines(base, head); });
    for_each_list(operator_in_function, [&](RowList& base, RowList& head) {
      match_equal_work(base, head);
      match_in_order(base, head);
    });
    for_each_list(operator_in_boundary, [&](RowList& base, RowList& head) { match_equal_work(base, head); });
    for (const SideRow& row : base_) {
      if (!row.matched) add(&row, nullptr);
    }
    for (const SideRow& row : head_) {
      if (!row.matched) add(nullptr, &row);
    }
    return std::move(rows_);
  }

 private:
  template <typename Function>
  void for_each_list(RowKeyOf key_of, const Function& function) {
    auto of_head = unmatched_by(head_, key_of);
    for (auto& [key, base] : unmatched_by(base_, key_of)) {
      if (const auto head = of_head.find(key); head != of_head.end()) function(base, head->second);
    }
  }

  /// The same line number counts a little: it decides between neighbours that do the same.
  static int score_of(const SideRow& base, const SideRow& head) {
    constexpr int match = 1000;
    return match + (base.place.line == head.place.line ? 1 : 0);
  }

  void match_lines(const RowList& base, const RowList& head) {
    const std::vector<RowList> base_lines = code_lines_of(base);
    const std::vector<RowList> head_lines = code_lines_of(head);
    const auto score = [&](std::size_t i, std::size_t j) {
      return same_operators(base_lines[i], head_lines[j]) ? score_of(*base_lines[i].front(), *head_lines[j].front())
                                                          : 0;
    };
    for (const auto [i, j] : best_alignment(base_lines.size(), head_lines.size(), score)) {
      for (std::size_t k = 0; k < base_lines[i].size(); ++k) match(*base_lines[i][k], *head_lines[j][k]);
    }
  }

  void match_equal_work(const RowList& base, const RowList& head) {
    const auto score = [&](std::size_t i, std::size_t j) {
      return same_work(*base[i], *head[j]) ? score_of(*base[i], *head[j]) : 0;
    };
    for (const auto [i, j] : best_alignment(base.size(), head.size(), score)) match(*base[i], *head[j]);
  }

  void match_in_order(RowList& base, RowList& head) {
    const auto is_matched = [](const SideRow* row) { return row->matched; };
    std::erase_if(base, is_matched);
    std::erase_if(head, is_matched);
    for (std::size_t i = 0; i < std::min(base.size(), head.size()); ++i) match(*base[i], *head[i]);
  }

  void match(SideRow& base, SideRow& head) {
    base.matched = head.matched = true;
    add(&base, &head);
  }

  void add(const SideRow* base, const SideRow* head) {
    const SideRow& shown = head != nullptr ? *head : *base;
    MatchedRow row{.boundary = shown.place.boundary, .name = shown.place.name, .at = shown.at, .base = {}, .head = {}};
    row.in_base = base != nullptr;
    row.in_head = head != nullptr;
    // A side without the row has zeros for as many processes.
    row.base = base != nullptr ? base->processes : std::vector<RowWork>(head->processes.size());
    row.head = head != nullptr ? head->processes : std::vector<RowWork>(base->processes.size());
    if (base != nullptr) row.base_site = *base->costliest;
    if (head != nullptr) row.head_site = *head->costliest;
    rows_.push_back(std::move(row));
  }

  bool by_place_;
  std::vector<SideRow> base_;
  std::vector<SideRow> head_;
  std::vector<MatchedRow> rows_;
};

}  // namespace

std::vector<MatchedRow> matched_rows(const ObservedBuilds& builds) { return Matching(builds).run(); }

}  // namespace stepgate
