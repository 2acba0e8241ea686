#include "json/studies/account_value.h"

namespace stepgate {

Json value_of(const AccountPart& part) {
  Json value = {{"part", part.part}, {"label", part.label}, {"ns", part.ns}, {"share", part.share}};
  if (part.kind) value["kind"] = name_of(*part.kind);
  return value;
}

Json value_of(const BottleneckVerdict& verdict) {
  Json value = {{"kind", name_of(verdict.kind)},
                {"proof", name_of(verdict.proof)},
                {"worth", verdict.worth},
                {"says", verdict.says}};
  if (verdict.interval) value["interval"] = Json::array({verdict.interval->lower, verdict.interval->upper});
  return value;
}

}  // namespace stepgate
