#include "tests/client/profile/sample_profile.h"

namespace wb::test {

namespace v1 = wasmburst::v1;

uint32_t AddFrame(v1::Profile* profile, uint32_t function, const std::string& name, uint32_t loop) {
  v1::ProfileFrame* frame = profile->add_frames();
  frame->set_function(function);
  frame->set_function_name(name);
  frame->set_loop(loop);
  return static_cast<uint32_t>(profile->frames_size() - 1);
}

uint32_t AddNode(v1::Profile* profile, uint32_t parent, uint32_t frame, uint64_t calls,
                 uint64_t fuel) {
  v1::ProfileNode* node = profile->add_nodes();
  node->set_parent(parent);
  node->set_frame(frame);
  node->set_calls(calls);
  node->set_fuel(fuel);
  profile->set_fuel(profile->fuel() + fuel);
  return static_cast<uint32_t>(profile->nodes_size() - 1);
}

v1::Profile SampleProfile() {
  v1::Profile profile;
  profile.set_job("jobs/1");
  profile.set_instances(1000);
  profile.set_job_fuel(60000);
  profile.add_sample()->set_fuel(120);
  const uint32_t main = AddFrame(&profile, 1, "main");
  const uint32_t work = AddFrame(&profile, 2, "_ZN1a4workEi");
  const uint32_t loop = AddFrame(&profile, 2, "_ZN1a4workEi", 0x40);
  AddNode(&profile, 0, 0, 0, 0);
  const uint32_t outer = AddNode(&profile, 0, main, 1, 10);
  const uint32_t worker = AddNode(&profile, outer, work, 3, 20);
  AddNode(&profile, worker, loop, 3, 70);
  const uint32_t inner = AddNode(&profile, outer, main, 1, 5);
  AddNode(&profile, inner, work, 1, 15);
  return profile;
}

}  // namespace wb::test
