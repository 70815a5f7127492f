#pragma once

// Bursts of devices as rows: of a table for people, of CSV for programs. Pure.

#include <string>

#include "wasmburst/v1/admin.pb.h"

namespace wb::cli {

std::string BurstHeader();
std::string BurstRow(const wasmburst::v1::Burst& burst);

// RFC 4180, lines end in "\n". Times are seconds; what there is no sensor for is empty.
std::string BurstCsvHeader();
std::string BurstCsvRow(const wasmburst::v1::Burst& burst);

}  // namespace wb::cli
