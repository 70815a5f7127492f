#pragma once

// What systemd wants to hear, over the socket named by NOTIFY_SOCKET (sd_notify(3)'s protocol).

#include <chrono>
#include <optional>
#include <string_view>

namespace wb {

// "READY=1", "STOPPING=1", "WATCHDOG=1", "EXTEND_TIMEOUT_USEC=...". No effect without a service
// manager.
void NotifySystem(std::string_view state);

// Half of the watchdog's interval, if WATCHDOG_USEC asks this process for signs of life.
std::optional<std::chrono::nanoseconds> WatchdogInterval();

}  // namespace wb
