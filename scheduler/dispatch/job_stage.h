#pragma once

// The stages of a job at the coordinator, and what each event makes of each stage. Pure.
//
// A job is in exactly one stage from Submit to its end. The README shows the table as a picture.
// Answers of the compiler and of devices may come late, when the job is in another stage already:
// the table says which of them change nothing. An event that a stage cannot see is forbidden.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace wb {

enum class JobStage : uint8_t {
  kWaitingForTenant,    // its tenant has as many jobs under way as it may have
  kLowering,            // the compiler lowers its module
  kWaitingForDevice,    // every device that it may use is closed
  kWaitingForPipeline,  // its device is chosen; the pipeline is looked for or built
  kProbingGpu,          // the CPU device's pipeline is ready; a GPU's is looked for first
  kOnInterpreter,       // it runs there until its device has a quicker pipeline; GPUs may help
  kRunning,             // it runs on one device or several
};
inline constexpr size_t kJobStages = 7;
std::string_view JobStageName(JobStage stage);  // "on-interpreter"

// No device has the job.
constexpr bool IsHeld(JobStage stage) {
  return stage != JobStage::kOnInterpreter && stage != JobStage::kRunning;
}

enum class JobEvent : uint8_t {
  kMayStart,          // its tenant has room for it
  kStartsOver,        // it is prepared again: a device opened, closed or failed
  kLowered,           // its module is lowered
  kDevicesClosed,     // no device that it may use is open
  kGatesChanged,      // a device was closed or opened
  kInterpreterReady,  // the interpreter can run it until its own pipeline is ready
  kInterpreterFails,  // the interpreter cannot; the pipeline of its device is there
  kBuilt,             // the pipeline of its device is ready
  kBuildFailed,       // its device gets no pipeline
  kBetterBuilt,       // the full build is ready, after the quick one
  kNeedsGpu,          // it begins on a GPU whose pipeline is not found yet
  kGpuAnswered,       // that pipeline was found, or there is none
  kHandedOver,        // its devices take it
  kReviewDue,         // a launch of it ended, or a pipeline of it was found
  kGivenBack,         // its last device gave it back
  kLeftOne,           // a device gave it back; others still have it
  kInterpreterJoins,  // the interpreter joins the GPUs that have it, in the CPU device's place
  kLeftInterpreter,   // the interpreter has it no more; others still have it
};
inline constexpr size_t kJobEvents = 18;
std::string_view JobEventName(JobEvent event);  // "may-start"

// What the coordinator does then.
enum class JobAction : uint8_t {
  kNothing,            // the event changes nothing
  kLower,              // asks for the lowered module
  kChooseDevice,       // and asks for its pipeline, or waits for a closed one
  kAwaitGate,          // says what it waits for
  kPlace,              // decides between the device that is ready and the interpreter
  kHandOver,           // gives it to its devices
  kGoElsewhere,        // another engine, or its end
  kJoinInterpreter,    // gives it to the interpreter
  kReviewWarmup,       // whether it leaves the interpreter, or its compiler begins
  kKeepOnInterpreter,  // it has no other pipeline to wait for
  kSwapPipeline,       // it goes on with the better one
  kRebalance,          // which devices join it, and which leave it
  kLeaveInterpreter,   // goes from the interpreter to its device
  kFindAnotherPlace,   // by why the device gave it back
  kGoOnWithOthers,     // the other devices run what is left
};

struct Transition {
  JobStage next = JobStage::kWaitingForTenant;
  JobAction action = JobAction::kNothing;
  friend bool operator==(const Transition&, const Transition&) = default;
};

// nullopt: the stage cannot see this event; an invariant of the coordinator is broken.
std::optional<Transition> Next(JobStage stage, JobEvent event);

}  // namespace wb
