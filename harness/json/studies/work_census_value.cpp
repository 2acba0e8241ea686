#include "json/studies/work_census_value.h"

namespace stepgate {
namespace {

Json census_rows(const std::vector<CensusRow>& rows) {
  Json values = Json::array();
  for (const CensusRow& row : rows) {
    values.push_back(
        {{"of", row.of}, {"kind", row.kind}, {"calls", row.calls}, {"flops", row.flops}, {"bytes", row.bytes}});
  }
  return values;
}

CensusRow census_row_at(Reader reader) {
  return {.of = reader.at("of").text(),
          .kind = reader.at("kind").text(),
          .calls = reader.at("calls").number(),
          .flops = reader.at("flops").number(),
          .bytes = reader.at("bytes").number()};
}

}  // namespace

Json value_of(const WorkCensus& census) {
  return {{"copies", census_rows(census.copies)},
          {"operands", census_rows(census.operands)},
          {"dtypes", census_rows(census.dtypes)},
          {"product_flops", census.product_flops},
          {"misaligned_flops", census.misaligned_flops}};
}

WorkCensus work_census_at(Reader reader) {
  return {.copies = reader.at("copies").list_of(census_row_at),
          .operands = reader.at("operands").list_of(census_row_at),
          .dtypes = reader.at("dtypes").list_of(census_row_at),
          .product_flops = reader.at("product_flops").number(),
          .misaligned_flops = reader.at("misaligned_flops").number()};
}

}  // namespace stepgate
