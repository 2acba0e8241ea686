#include "experiment/host/offer_notice.h"

#include <fmt/format.h>

namespace stepgate {
namespace {

std::string first_text(const GpuOffer& offer) {
  if (offer.kind == GpuOfferKind::ask_child) return "known after the first process";
  if (offer.gpus.empty()) return "none";
  const std::size_t more = offer.gpus.size() - 1;
  const std::string& first = offer.gpus.front().visible;
  return more == 0 ? first : fmt::format("{} and {} more", first, more);
}

}  // namespace

std::optional<Notice> offer_notice(const GpuOffer& offer) {
  if (offer.reason.empty()) return std::nullopt;
  const char* before = offer.kind == GpuOfferKind::ask_child ? "which GPU is used is known after the first process: "
                       : offer.kind == GpuOfferKind::wrong   ? "no case for CUDA can run: "
                                                             : "";
  return Notice{Severity::warning, before + offer.reason, offer.remedy};
}

EffectiveSetting gpu_setting(const GpuOffer& offer) {
  return {"gpu", first_text(offer), offer.source.empty() ? "default" : offer.source};
}

}  // namespace stepgate
