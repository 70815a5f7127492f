#include "scheduler/placement/build_choice.h"

#include <algorithm>
#include <vector>

namespace wb {
namespace {

constexpr double kGainOfBuild = 1.05;
// A module may be slow on the interpreter by itself.
constexpr double kMostSlowdown = 4;
// Less is not worth a move, which takes the instances' state along.
constexpr double kClearlyQuicker = 1.05;

// Threads that want the processors, those of the interpreter being its lanes.
double Wanted(const BuildPicture& picture, const Worker& interpreter, uint64_t instances) {
  const double alone = std::min(interpreter.lanes, static_cast<double>(instances));
  const double busy = picture.jobs > 1 ? interpreter.lanes : std::max(alone, 1.0);
  return busy + picture.compilers + 1;
}

double Slowdown(const BuildPicture& picture) {
  const Candidate& interpreter = picture.job.candidates[0];
  if (!picture.is_guess || interpreter.rates.fuel_per_s <= 0) return 1;
  return std::clamp(UsualRate(interpreter) / interpreter.rates.fuel_per_s, 1.0, kMostSlowdown);
}

// Instances that have ended there when the compiler has.
double EndedMeanwhile(Worker interpreter, double seconds) {
  const double since = interpreter.seated > 0 ? interpreter.age : 0;
  interpreter.seated = 0;
  return interpreter.EndedBy(since + seconds);
}

}  // namespace

BuildChoice WhetherToBuild(const BuildPicture& picture) {
  std::vector<Worker> workers = WorkersOf(picture.job);
  if (workers.empty()) return {true, "no launch there shows when the job ends."};
  for (Worker& worker : workers) worker.lane_time *= static_cast<double>(picture.jobs);
  const Worker& interpreter = workers[0];
  const uint64_t all = picture.job.waiting + interpreter.seated;
  const double stays = TimeToEnd({&interpreter, 1}, picture.job.waiting);
  const double wanted = Wanted(picture, interpreter, all);
  const double share = std::min(1.0, interpreter.lanes / wanted);
  // What is known of compilers was seen beside the interpreter.
  const double crowding = std::max(1.0, wanted / (interpreter.lanes + 1));
  const double build = picture.job.candidates[1].ready_in * crowding * Slowdown(picture);
  const double ended = EndedMeanwhile(interpreter, build * share);
  double with = stays / share;
  if (ended < static_cast<double>(all)) {
    Worker compiled = workers[1];
    compiled.seated = 0;
    compiled.setup += build - picture.job.candidates[1].ready_in;
    with = TimeToEnd({&compiled, 1}, all - static_cast<uint64_t>(ended));
  }
  const bool is_paid = picture.spent > 0 && picture.spent + stays >= build;
  const bool begins = share >= 1 || is_paid || with * kGainOfBuild < stays;
  const std::string after = picture.spent > 0 ? " and others of the module took " +
                                                    InDigits(picture.spent) + " s there before"
                                              : "";
  return {begins, InDigits(with) + " s with the compiler's " + InDigits(build) + " s, " +
                      InDigits(stays) + " s without" + after + " (" + WordsOf(picture.job) + ")."};
}

QuickChoice CompareQuick(const Candidate& quick, const Candidate& interpreter) {
  const double compiled = quick.rates.fuel_per_s;
  const double interpreted = interpreter.rates.fuel_per_s;
  if (compiled <= 0 || interpreted <= 0) return {};
  const bool is_slower = compiled * kClearlyQuicker < interpreted;
  return {is_slower ? QuickChoice::Is::kSlower : QuickChoice::Is::kQuicker,
          "the quick build does " + InDigits(compiled) + " instructions/s of this module, the " +
              "interpreter " + InDigits(interpreted) + "."};
}

}  // namespace wb
