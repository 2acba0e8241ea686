#include "environment/gpu/gpu_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace stepgate {
namespace {

using Fact = std::optional<std::string>;

std::string switch_text(bool is_on) { return is_on ? "on" : "off"; }

Fact power_limit(GpuDriver& driver, const std::string& uuid) {
  const auto watts = driver.power_limit_w(uuid);
  return watts.value ? Fact(fmt::format("{:.0f}", *watts.value)) : std::nullopt;
}

Fact ecc(GpuDriver& driver, const std::string& uuid) {
  const auto is_on = driver.ecc(uuid);
  return is_on.value ? Fact(switch_text(*is_on.value)) : std::nullopt;
}

Fact compute_mode(GpuDriver& driver, const std::string& uuid) { return driver.compute_mode(uuid).value; }

Fact mig(GpuDriver& driver, const std::string& uuid) {
  const auto gpus = driver.gpus();
  if (!gpus.value) return std::nullopt;
  const auto gpu =
      std::find_if(gpus.value->begin(), gpus.value->end(), [&](const Gpu& one) { return one.uuid == uuid; });
  if (gpu == gpus.value->end() || gpu->mig == Mig::unknown) return std::nullopt;
  return switch_text(gpu->mig == Mig::on);
}

Fact pcie_link(GpuDriver& driver, const std::string& uuid) {
  const auto link = driver.highest_pcie_link(uuid);
  if (!link.value || link.value->generation <= 0 || link.value->width <= 0) return std::nullopt;
  return fmt::format("gen{} x{}", link.value->generation, link.value->width);
}

struct GpuFactRow {
  const char* key;
  Fact (*read)(GpuDriver&, const std::string& uuid);
};

constexpr GpuFactRow fact_rows[] = {
    {"gpu_power_limit_w", power_limit}, {"gpu_ecc", ecc}, {"gpu_compute_mode", compute_mode}, {"gpu_mig", mig},
    {"gpu_pcie_link", pcie_link},
};

Fact of_all(const GpuFactRow& row, GpuDriver& driver, const std::vector<std::string>& uuids) {
  std::string joined;
  bool differ = false;
  Fact first;
  for (const std::string& uuid : uuids) {
    const Fact fact = row.read(driver, uuid);
    if (!fact) return std::nullopt;
    differ = differ || (first && *first != *fact);
    if (!first) first = fact;
    joined += (joined.empty() ? "" : ";") + *fact;
  }
  return differ ? Fact(joined) : first;
}

}  // namespace

Fingerprint gpu_facts(GpuDriver& driver, const std::vector<std::string>& uuids) {
  Fingerprint facts;
  for (const GpuFactRow& row : fact_rows) {
    if (const Fact fact = of_all(row, driver, uuids)) facts.emplace(row.key, *fact);
  }
  return facts;
}

}  // namespace stepgate
