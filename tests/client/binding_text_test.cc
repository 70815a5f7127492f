// --bind in words.

#include "client/cli/program/binding_text.h"

#include <gtest/gtest.h>

#include "client/cli/program/lookup_file.h"

namespace wb::cli {
namespace {

namespace v1 = wasmburst::v1;

TEST(BindingText, EachWayIsRead) {
  EXPECT_TRUE(ParseBinding("env.abort=trap")->has_trap());
  EXPECT_TRUE(ParseBinding("env.*=ignore")->has_ignore());
  EXPECT_EQ(ParseBinding("./x=y.js.__wbg_log=trap")->import(), "./x=y.js.__wbg_log");
  EXPECT_EQ(ParseBinding("env.print=record")->record().results_size(), 0);
  EXPECT_EQ(ParseBinding("env.print=record:i32:-1")->record().results(0).i32(), -1);
  const v1::Binding seed = ParseBinding("env.seed=constant:i64:7,f64:0.5").value();
  EXPECT_EQ(seed.import(), "env.seed");
  ASSERT_EQ(seed.constant().values_size(), 2);
  EXPECT_EQ(seed.constant().values(0).i64(), 7);
  EXPECT_EQ(seed.constant().values(1).f64_bits(), 0x3fe0000000000000u);
}

TEST(BindingText, ALookUpTakesTheTypesOfItsHeader) {
  const auto lookup =
      ParseLookup("arg:i32,arg:f32,result:i64\n1,0.5,-7\n\n2,nan:0x1,9\n", "a.csv", "0x10").value();
  ASSERT_EQ(lookup.rows_size(), 2);
  EXPECT_EQ(lookup.rows(0).args(0).i32(), 1);
  EXPECT_EQ(lookup.rows(0).results(0).i64(), -7);
  EXPECT_EQ(lookup.rows(1).args(1).f32_bits(), 0x7f800001u);
  EXPECT_EQ(lookup.otherwise(0).i64(), 16);
  EXPECT_EQ(ParseLookup("arg:i32\n1\n", "a.csv", "")->otherwise_size(), 0);
}

TEST(BindingText, AWrongLookUpIsSaidWithFileLineAndColumn) {
  struct Case {
    const char* csv;
    const char* otherwise;
    const char* why;
  };
  for (const Case& item : {
           Case{"", "", "[a.csv]: Line 1 is missing"},
           Case{"arg:i32,result:i64\n", "", "no row below the header"},
           Case{"n,cost\n1,2\n", "", "Line 1 has a column [n]"},
           Case{"arg:v128,result:i64\n1,2\n", "", "Line 1 has a column [arg:v128]"},
           Case{"result:i32,arg:i32\n1,2\n", "", "[arg:i32] behind a result"},
           Case{"arg:i32,result:i64\n1,2\n3\n", "", "Line 3 has [1] fields"},
           Case{"arg:i32,result:i64\n1,2\n\n3,x\n", "",
                "Line 4, column 2: The value [x] is no i64"},
           Case{"arg:i32,result:i64\n1,2\n", "1,2", "otherwise has [2] values for [1] results"},
           Case{"arg:i32,result:i64\n1,2\n", "x", "otherwise: The value [x]"},
       }) {
    const Status status = ParseLookup(item.csv, "a.csv", item.otherwise).status();
    EXPECT_EQ(status.reason(), Reason::kInvalidArgument) << item.csv;
    EXPECT_NE(status.message().find(item.why), std::string::npos) << status.message();
  }
  EXPECT_EQ(ParseBinding("env.a=lookup:/nowhere/a.csv,otherwise=0").status().reason(),
            Reason::kIoError);
}

TEST(BindingText, AHostIsToldWhichMemoryGoesWithACall) {
  EXPECT_EQ(ParseBinding("env.on_done=host")->host().bytes_size(), 0);
  const v1::Binding url =
      ParseBinding("a=host.on_url=host:bytes(1,2)+bytes(3,=16)+string(4)").value();
  EXPECT_EQ(url.import(), "a=host.on_url");
  ASSERT_EQ(url.host().bytes_size(), 3);
  EXPECT_EQ(url.host().bytes(0).pointer(), 1u);
  EXPECT_EQ(url.host().bytes(0).length_argument(), 2u);
  EXPECT_EQ(url.host().bytes(1).pointer(), 3u);
  EXPECT_EQ(url.host().bytes(1).constant_length(), 16u);
  EXPECT_EQ(url.host().bytes(2).pointer(), 4u);
  EXPECT_TRUE(url.host().bytes(2).until_zero());
}

TEST(BindingText, WhatIsWrongIsSaid) {
  for (const char* text : {"env.abort",
                           "=trap",
                           "env.abort=",
                           "env.abort=trap:1",
                           "env.a=ignored",
                           "env.a=constant",
                           "env.a=constant:",
                           "env.a=constant:7",
                           "env.a=constant:i32:x",
                           "env.a=record:i33:1",
                           "env.a=host:",
                           "=host:string(1)",
                           "env.a=host:bytes",
                           "env.a=host:bytes(1)",
                           "env.a=host:bytes(,2)",
                           "env.a=host:bytes(1,2",
                           "env.a=host:bytes(1,==2)",
                           "env.a=host:bytes(1,-2)",
                           "env.a=host:string(1,2)",
                           "env.a=host:string(x)",
                           "env.a=host:string(1)string(2)",
                           "env.a=lookup",
                           "env.a=lookup:"}) {
    EXPECT_EQ(ParseBinding(text).status().reason(), Reason::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace wb::cli
