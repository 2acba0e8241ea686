// The noise of a machine as parameters; one generator serves all models. All values are on the log scale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepgate::lab {

/// The noise of the environment and of the processes. 0 switches a part off.
struct NoiseModel {
  std::string name;
  double process_sd = 0.005;      ///< standard deviation of the value of one fresh process
  double tail_freedom = 0;        ///< > 0: t distribution with this many degrees of freedom, scaled to process_sd
  double second_mode_share = 0;   ///< share of processes that run in a slower mode ...
  double second_mode_shift = 0;   ///< ... slower by this
  double session_sd = 0;          ///< one draw for a whole suite run
  double slot_ar = 0;             ///< autocorrelation of the environment from slot to slot ...
  double slot_sd = 0;             ///< ... and its standard deviation
  double drift_per_slot = 0;      ///< the environment slows down steadily
  double walk_sd = 0;             ///< random walk of the environment, one step per slot
  double spike_share = 0;         ///< share of processes with a disturbance ...
  double spike_size = 0;          ///< ... slower by up to this, uniformly
  double burst_start = 0;         ///< probability that a slot begins a burst, which slows every process then ...
  double burst_end = 0;           ///< ... probability that it ends after a slot ...
  double burst_size = 0;          ///< ... and slows down by this
  double head_spread_factor = 1;  ///< factor on the variation of the head's processes
  double head_burst_share = 0;    ///< depends on the side: share of head processes ...
  double head_burst_size = 0;     ///< ... slower by this
  double difference_ar = 0;  ///< depends on the side: autocorrelation, from pair to pair, of noise of the head only ...
  double difference_sd = 0;  ///< ... and its standard deviation
  bool knows_its_side = false;     ///< outside the guarantee; reported separately
  std::vector<double> trace = {};  ///< recorded process values (log) in time order: replaces the process noise
};

/// Every model of the lab, in the order of the tables.
std::vector<NoiseModel> noise_models();

/// nullptr if `models` has none of that name.
const NoiseModel* find_model(const std::vector<NoiseModel>& models, std::string_view name);

/// One model for each JSON file {"name": ..., "values": [...]} in `folder`: process values of an unchanged build in the
/// order measured, natural units. Empty if the folder is missing or has none.
/// Throws Error naming the file if one is damaged or has fewer than 40 values.
std::vector<NoiseModel> recorded_models(const std::string& folder);

}  // namespace stepgate::lab
