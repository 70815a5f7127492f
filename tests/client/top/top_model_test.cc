#include "client/cli/top/top_model.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "client/cli/top/looks.h"
#include "tests/client/top/top_samples.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;
using samples::LineWith;

TopModel ModelWithJobs() {
  TopModel model("unix:///s", Glyphs::kUnicode);
  model.Take(samples::LookAt(0));
  model.Take(samples::LookAt(1));
  return model;
}

std::string RowNames(const TopModel& model) {
  std::string names;
  for (const ViewRow& row : model.Shown().rows) names += row.name + " ";
  return names;
}

std::string SelectedName(const TopModel& model) {
  return model.Shown().rows.at(model.Selected().value()).name;
}

void PressAll(const std::string& keys, TopModel* model) {
  for (const char key : keys) model->Press(static_cast<TopKey>(key));
}

TEST(TopModel, JobsStandNewestFirstWithTheirRates) {
  TopModel model = ModelWithJobs();
  EXPECT_EQ(RowNames(model), "jobs/01C jobs/01B jobs/01A ");
  const auto screen = model.Screen(160, 12);
  EXPECT_NE(LineWith(screen, "unix:///s").find("wasmburst at"), std::string::npos);
  EXPECT_EQ(LineWith(screen, "1 running, 1 waiting, 1 ended").find("jobs: "), 0u);
  const std::string running = LineWith(screen, "RUNNING  50 %").empty()
                                  ? LineWith(screen, "01B")
                                  : LineWith(screen, "RUNNING  50 %");
  EXPECT_NE(running.find(" 50 %"), std::string::npos) << running;
  EXPECT_NE(running.find("1 M"), std::string::npos) << running;
  EXPECT_NE(running.find("anna"), std::string::npos) << running;
  EXPECT_NE(LineWith(screen, "01C").find("the device cpu0 rests"), std::string::npos);
}

TEST(TopModel, EveryScreenIsAsLargeAsItIsToldWhateverIsShown) {
  TopModel model = ModelWithJobs();
  for (const char* keys : {"", "d", "t", "?", " ", "j", "/", "1B"}) {
    PressAll(keys, &model);
    for (size_t width = 1; width < 200; width += 13) {
      for (size_t height = 1; height < 40; height += 3) {
        const auto lines = model.Screen(width, height);
        EXPECT_EQ(lines.size(), height);
        for (const std::string& text : samples::TextsOf(lines)) EXPECT_LE(TextWidth(text), width);
      }
    }
  }
  EXPECT_EQ(LineWith(model.Screen(39, 10), "40 by 10"), "too small: 40 by 10 is the least");
  EXPECT_NE(LineWith(model.Screen(40, 10), "01B"), "");
}

TEST(TopModel, TheSelectionStaysWithItsRow) {
  TopModel model = ModelWithJobs();
  EXPECT_EQ(SelectedName(model), "jobs/01C");
  model.Press(kKeyDown);
  EXPECT_EQ(SelectedName(model), "jobs/01B");
  TopFacts more = samples::LookAt(2);
  more.jobs.add_jobs()->set_name("jobs/01D");
  model.Take(more);
  EXPECT_EQ(SelectedName(model), "jobs/01B");
  EXPECT_EQ(model.Selected(), 2u);
  PressAll("jjjj", &model);
  EXPECT_EQ(SelectedName(model), "jobs/01A");
  model.Press(kKeyHome);
  EXPECT_EQ(SelectedName(model), "jobs/01D");
}

TEST(TopModel, TheSelectedRowIsOnTheScreenOfAnyHeight) {
  TopModel model("", Glyphs::kAscii);
  TopFacts facts = samples::LookAt(0);
  for (int i = 0; i < 60; ++i) facts.jobs.add_jobs()->set_name("jobs/X" + std::to_string(100 + i));
  model.Take(facts);
  model.Screen(80, 20);
  model.Press(kKeyEnd);
  EXPECT_NE(LineWith(model.Screen(80, 20), "01A"), "");
  model.Press(kKeyPageUp);
  EXPECT_NE(LineWith(model.Screen(80, 10), SelectedName(model).substr(5)), "");
  model.Press(kKeyHome);
  EXPECT_NE(LineWith(model.Screen(80, 30), "X159"), "");
}

TEST(TopModel, RowsAreSortedAndTurned) {
  TopModel model = ModelWithJobs();
  PressAll("r", &model);
  EXPECT_EQ(RowNames(model), "jobs/01A jobs/01B jobs/01C ");
  PressAll("rss", &model);  // by DONE, the most first
  EXPECT_EQ(model.Shown().rows[0].name, "jobs/01B");
  EXPECT_NE(LineWith(model.Screen(120, 12), "DONEv"), "");
}

TEST(TopModel, AFilterIsWrittenAndLeft) {
  TopModel model = ModelWithJobs();
  PressAll("/01x", &model);
  EXPECT_EQ(LineWith(model.Screen(80, 12), "filter: 01x").find("filter: 01x_"), 0u);
  EXPECT_NE(LineWith(model.Screen(80, 12), "none that contains"), "");
  model.Press(kKeyBackspace);
  PressAll("b", &model);
  model.Press(kKeyEnter);
  EXPECT_EQ(RowNames(model), "jobs/01B ");
  model.Press(0xe9);  // no command
  model.Press(kKeyEscape);
  EXPECT_EQ(model.Shown().rows.size(), 3u);
}

TEST(TopModel, AJobHasAPage) {
  TopModel model = ModelWithJobs();
  model.Press(kKeyDown);
  model.Press(kKeyEnter);
  EXPECT_EQ(model.interest().job, "jobs/01B");
  TopFacts facts = samples::LookAt(2);
  facts.page = facts.jobs.jobs(1);
  v1::WaitReason* reason = facts.page->add_waits();
  reason->set_message("it waits for a compiler");
  model.Take(facts);
  const auto page = model.Screen(80, 30);
  EXPECT_NE(LineWith(page, "jobs/01B"), "");
  EXPECT_NE(LineWith(page, "50 of 100"), "");
  EXPECT_NE(LineWith(page, "it waits for a compiler"), "");
  EXPECT_NE(LineWith(page, "trapped ").find(" 3"), std::string::npos);
  EXPECT_NE(LineWith(page, "f reads them"), "");
  TopFacts other = samples::LookAt(3);
  other.page = other.jobs.jobs(0);
  model.Take(other);
  EXPECT_NE(LineWith(model.Screen(80, 30), "50 of 100"), "") << "a late answer of another page";
  model.Press(kKeyEscape);
  EXPECT_EQ(model.interest().job, "");
  EXPECT_EQ(SelectedName(model), "jobs/01B");
}

TEST(TopModel, FailuresAreReadAfterAQuestion) {
  TopModel model = ModelWithJobs();
  EXPECT_EQ(model.Press('f').kind, TopWish::Kind::kNothing);
  model.Press(kKeyEnter);
  model.Press('f');
  EXPECT_NE(LineWith(model.Screen(80, 30), "count as read"), "");
  const TopWish wish = model.Press('y');
  EXPECT_EQ(wish.kind, TopWish::Kind::kReadFailures);
  EXPECT_EQ(wish.job, "jobs/01C");
  model.Take(TopAnswer{"", "jobs/01A", "instance 9 trapped"});
  EXPECT_EQ(LineWith(model.Screen(80, 30), "instance 9"), "") << "of another job";
  model.Take(TopAnswer{"", "jobs/01C", "instance 5 trapped\ninstance 6 trapped"});
  EXPECT_EQ(LineWith(model.Screen(80, 30), "instance 6"), "instance 6 trapped");
}

TEST(TopModel, AJobIsCancelledAfterAQuestion) {
  TopModel model = ModelWithJobs();
  EXPECT_EQ(model.Press('c').kind, TopWish::Kind::kNothing);
  EXPECT_EQ(LineWith(model.Screen(80, 12), "Cancel").find("Cancel jobs/01C? y/n"), 0u);
  EXPECT_EQ(model.Press('n').kind, TopWish::Kind::kNothing);
  model.Press('c');
  const TopWish wish = model.Press('y');
  EXPECT_EQ(wish.kind, TopWish::Kind::kCancelJob);
  EXPECT_EQ(wish.job, "jobs/01C");
  model.Take(TopAnswer{"jobs/01C is CANCELLING.", "", ""});
  EXPECT_NE(LineWith(model.Screen(80, 12), "is CANCELLING."), "");
  model.Press('d');
  model.Press('c');
  EXPECT_EQ(LineWith(model.Screen(80, 12), "Cancel"), "") << "devices cannot be cancelled";
}

TEST(TopModel, ALostDaemonIsToldWithItsTimeAndComesBack) {
  TopModel model = ModelWithJobs();
  model.Take(samples::LostAt(2));
  model.Take(samples::LostAt(4));
  const auto lost = model.Screen(120, 12);
  EXPECT_EQ(LineWith(lost, "not reachable")
                .find("not reachable since 2027-01-15 08:00:02 UTC: the socket is gone"),
            0u);
  EXPECT_NE(LineWith(lost, "01B"), "") << "what was known stays";
  model.Take(samples::LookAt(5));
  EXPECT_EQ(LineWith(model.Screen(120, 12), "not reachable"), "");
  model.Take(samples::LostAt(6));
  EXPECT_NE(LineWith(model.Screen(120, 12), "08:00:06"), "");
}

TEST(TopModel, APauseKeepsWhatIsShown) {
  TopModel model = ModelWithJobs();
  model.Press('p');
  EXPECT_TRUE(model.interest().paused);
  model.Take(samples::LostAt(2));
  EXPECT_EQ(LineWith(model.Screen(80, 12), "not reachable"), "");
  EXPECT_NE(LineWith(model.Screen(80, 12), "PAUSED"), "");
  model.Press('p');
  EXPECT_FALSE(model.interest().paused);
}

TEST(TopModel, DevicesHaveTheirBurstsOnALine) {
  TopModel model("", Glyphs::kUnicode);
  TopFacts facts = samples::LookAt(0);
  v1::Burst* burst = facts.bursts.add_bursts();
  burst->set_device("devices/cpu0");
  burst->mutable_start_time()->set_seconds(samples::kBegin / samples::kSecond - 3);
  burst->mutable_duration()->set_seconds(3);
  burst->set_lanes_resident(64);
  burst->set_lanes_useful(48);
  model.Take(facts);
  model.Take(samples::LookAt(1));
  model.Press('d');
  const std::string line = LineWith(model.Screen(200, 12), "cpu0 ");
  EXPECT_NE(line.find("·█▄"), std::string::npos) << line;
  EXPECT_NE(line.find("48/64"), std::string::npos) << line;
  EXPECT_NE(line.find("25 %"), std::string::npos) << line;
}

TEST(TopModel, TenantsOrWhyTheyAreNotShown) {
  TopModel model = ModelWithJobs();
  model.Press('t');
  EXPECT_EQ(model.interest().view, TopView::kTenants);
  TopFacts refused = samples::LookAt(2);
  refused.tenants_trouble = "The role viewer is too low.";
  model.Take(refused);
  EXPECT_NE(LineWith(model.Screen(80, 12), "too low"), "");
  TopFacts facts = samples::LookAt(3);
  facts.tenants.emplace();
  v1::Tenant* tenant = facts.tenants->add_tenants();
  tenant->set_name("anna");
  tenant->set_jobs(2);
  tenant->set_max_jobs(5);
  model.Take(facts);
  EXPECT_NE(LineWith(model.Screen(80, 12), "anna").find("2/5"), std::string::npos);
}

TEST(TopModel, WhatTerminalsWouldObeyIsNotDrawn) {
  TopModel model("", Glyphs::kUnicode);
  TopFacts facts = samples::LookAt(0);
  facts.jobs.mutable_jobs(0)->set_waiting_for("\033[2J");
  model.Take(facts);
  for (const std::string& text : samples::TextsOf(model.Screen(160, 12))) {
    EXPECT_EQ(text.find('\033'), std::string::npos) << text;
  }
}

TEST(TopLooks, PlainTablesAndLinesOfJson) {
  TopModel model = ModelWithJobs();
  const std::string text = PlainLook(&model, 160);
  EXPECT_EQ(text.find("NAME "), 0u) << text;
  EXPECT_NE(text.find("\n01B "), std::string::npos) << text;
  EXPECT_EQ(text.find(" \n"), std::string::npos) << text;
  TopFacts facts = samples::LookAt(1);
  facts.cache.emplace().set_hits(3);
  const std::string line = LookJson(facts);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(line);
  EXPECT_EQ(json["time_unix_ms"], 1'800'000'001'000);
  EXPECT_EQ(json["devices"].size(), 2u);
  EXPECT_EQ(json["jobs"][1]["name"], "jobs/01B");
  EXPECT_EQ(json["cache"]["hits"], "3");
  EXPECT_EQ(json.count("tenants"), 0u);
}

}  // namespace
}  // namespace wb::cli
