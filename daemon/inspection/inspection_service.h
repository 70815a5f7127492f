#pragma once

#include "daemon/services/services.h"

namespace wb {

MethodTable InspectionService(ServiceContextRef context);

}  // namespace wb
