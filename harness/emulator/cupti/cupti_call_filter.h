// Which calls of one domain are watched: all or none, but for some.
#pragma once

#include <set>

namespace stepgate::emulator {

/// CUPTI has this rule twice: a whole domain is turned on or off, and then single functions. Turning the whole domain
/// forgets the single ones.
class CallFilter {
 public:
  void set_all(bool on) {
    all_ = on;
    exceptions_.clear();
  }

  void set_one(unsigned id, bool on) {
    if (on == all_) {
      exceptions_.erase(id);
    } else {
      exceptions_.insert(id);
    }
  }

  bool lets_through(unsigned id) const { return all_ != exceptions_.contains(id); }
  bool lets_nothing_through() const { return !all_ && exceptions_.empty(); }

 private:
  bool all_ = false;
  std::set<unsigned> exceptions_;  ///< ids that are treated the other way
};

}  // namespace stepgate::emulator
