// A machine on which processes run one after another, slot by slot, under a noise model.
#pragma once

#include <boost/random/normal_distribution.hpp>
#include <boost/random/student_t_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstdint>
#include <random>
#include <vector>

#include "lab/noise_model.h"

namespace stepgate::lab {

/// Log values of pairs in the order measured.
struct SimulatedPairs {
  std::vector<double> base;
  std::vector<double> head;
  std::vector<double> differences;
  std::vector<bool> head_first;
};

/// The environment of a pair: all metrics of a process share its slot.
struct Environment {
  double base = 0;
  double head = 0;
  bool head_first = false;
};

class NoisyMachine {
 public:
  /// The same model and seed give the same values on every machine (Boost.Random).
  NoisyMachine(const NoiseModel& model, std::uint64_t seed);

  /// The environment during `pairs` pairs, with a drawn order of sides; time continues from call to call.
  std::vector<Environment> environments(std::size_t pairs);

  /// The values of one metric in these environments; the head is slower by `change`.
  void measure(const std::vector<Environment>& environments, double change, SimulatedPairs& result);

  /// One session's value: environment of a slot and the mean of `processes` processes.
  double session_value(std::size_t processes);

  bool draw(double probability) { return probability > 0 && uniform_(generator_) < probability; }
  std::mt19937_64& generator() { return generator_; }
  double normal() { return normal_(generator_); }

 private:
  double next_slot();
  double process(double spread_factor);

  const NoiseModel& model_;
  std::mt19937_64 generator_;
  boost::random::normal_distribution<double> normal_;
  boost::random::uniform_01<double> uniform_;
  boost::random::student_t_distribution<double> tail_;
  double session_ = 0;
  double slot_noise_ = 0;
  double walk_ = 0;
  double drift_ = 0;
  double difference_ = 0;
  bool burst_ = false;
  std::size_t place_ = 0;  ///< in the trace
};

}  // namespace stepgate::lab
