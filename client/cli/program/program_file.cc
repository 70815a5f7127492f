#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "client/cli/encoding/text_encoding.h"
#include "client/cli/program/arg_spec.h"
#include "client/cli/program/each_file.h"
#include "client/cli/program/files.h"
#include "client/cli/program/literal.h"
#include "client/cli/program/program.h"
#include "client/cli/program/program_operand.h"

namespace wb::cli {

const char* const kProgramSchema = R"({
  "columns": {"seed": {"type": "i64", "values": "0..1024"},
              "text": {"type": "bytes", "values": "@input.bin"}},
  "steps": [
    {"call": "alloc", "args": [4096]},
    {"write": {"pointer": {"result": [0, 0]}, "column": "text"}},
    {"call": "run", "args": [{"column": "seed"}, {"result": [0, 0], "add": 16}],
     "go_on_after_trap": true},
    {"read": {"pointer": {"result": [0, 0]}, "length": 3072, "output": "row"}}
  ]
}
Operands: a number or a text such as "nan" (typed by what takes it), {"column": NAME},
{"result": [STEP, INDEX]}, {"column_length": NAME} (of a column of bytes), {"global": NAME} (an
exported one, as the step begins), {"load32": OPERAND} (the four bytes of memory at that pointer);
all but the first with "add", which is added to what was loaded. A read with "until_zero": true
ends before the first zero byte, at "length" at the latest; "text": "utf-8" or "utf-16" shows it as
text. {"store": {"pointer": OPERAND, "value": OPERAND}} writes an i32 to memory. A call or a global with
"module": NAME is an export of a module given by --module. Column values: the forms of --arg, and
hex:00ff, text:WORDS, @FILE for type "bytes"; for bytes of each instance a list of
texts (@FILE reads a file, text:@WORDS is a text with that sign), or with type "hex" a list of
hexadecimal digits.)";

namespace {

namespace v1 = wasmburst::v1;
using Json = nlohmann::json;

constexpr int kDeepest = 64;  // of objects and lists: reading recurses with them

Status Bad(const std::string& where, const std::string& words) {
  return ProgramError(where, words);
}

// One text of a list of bytes: a file, or the text itself.
Result<std::string> BytesOfText(std::string text) {
  constexpr std::string_view kLiteral = "text:";
  if (text.starts_with("@")) return ReadFile(text.substr(1));
  if (text.starts_with(kLiteral)) return text.substr(kLiteral.size());
  return text;
}

// What such a text is called beside results: the file's path, or itself.
std::string ShownText(const std::string& text) {
  const size_t prefix = text.starts_with("@") ? 1 : text.starts_with("text:") ? 5 : 0;
  return text.substr(prefix);
}

class ProgramReader {
 public:
  ProgramReader(const v1::Module& module, const ProgramOptions& options,
                std::vector<InputColumn>* inputs)
      : module_(module), options_(options), inputs_(inputs), operands_(columns_, options.linked) {}

  Result<v1::Job> Read(const Json& program) {
    if (!program.is_object()) return Bad("text", "is no JSON object");
    WB_TRY(CheckMembers(program, "program", {"columns", "steps"}));
    WB_TRY(ReadColumns(program.value("columns", Json::object())));
    const Json steps = program.value("steps", Json::array());
    if (!steps.is_array() || steps.empty()) return Bad("steps", "needs at least one step");
    for (const Json& step : steps) {
      WB_TRY(ReadStep(step, "steps[" + std::to_string(job_.steps_size()) + "]"));
    }
    return job_;
  }

 private:
  Status ReadColumns(const Json& columns) {
    if (!columns.is_object()) return Bad("columns", "is no object");
    std::vector<std::pair<ArgSpec, v1::ValueType>> specs;
    uint64_t longest = 1;
    for (const auto& [name, column] : columns.items()) {
      std::string where = "columns." + name;
      v1::ValueType type = v1::VALUE_TYPE_UNSPECIFIED;
      WB_ASSIGN(ArgSpec spec, ReadColumn(column, where, &type));
      WB_ASSIGN(std::optional<uint64_t> length, LengthOf(spec));
      longest = std::max(longest, length.value_or(1));
      columns_[name] = static_cast<uint32_t>(specs.size());
      specs.push_back({std::move(spec), type});
    }
    if (options_.files) {
      const auto [at, fresh] = columns_.try_emplace(kFileColumn, specs.size());
      if (!fresh) return Bad("columns.file", "is what --each-file gives; call it otherwise");
      longest = std::max<uint64_t>(longest, options_.files->texts.size());
      specs.push_back({*options_.files, v1::VALUE_TYPE_UNSPECIFIED});
    }
    job_.set_instances(options_.instances.value_or(longest));
    for (const auto& [spec, type] : specs) {
      WB_ASSIGN(*job_.add_columns(), BuildColumn(spec, type, job_.instances()));
    }
    for (const auto& [name, index] : columns_) {
      inputs_->push_back(
          ShownInput(name, specs[index].first, job_.columns(static_cast<int>(index))));
    }
    return {};
  }

  static Result<ArgSpec> ReadColumn(const Json& column, const std::string& where,
                                    v1::ValueType* type) {
    if (!column.is_object() || !column.contains("values") || !column.contains("type") ||
        !column["type"].is_string()) {
      return Bad(where, "needs [type] and [values]");
    }
    WB_TRY(CheckMembers(column, where, {"type", "values"}));
    std::string type_name = column["type"];
    const bool hex = type_name == "hex";
    const bool bytes = hex || type_name == "bytes";
    if (!bytes) {
      std::optional<v1::ValueType> named = TypeNamed(type_name);
      if (!named) return Bad(where + ".type", "must be i32, i64, f32, f64, bytes or hex");
      *type = *named;
    }
    const Json& values = column["values"];
    ArgSpec spec;
    if (values.is_array()) {
      spec.kind = bytes ? ArgSpec::Kind::kBytes : ArgSpec::Kind::kList;
      for (const Json& value : values) {
        std::string text = value.is_string() ? value.get<std::string>() : value.dump();
        if (bytes) spec.shown.push_back(ShownText(text));
        if (hex) {
          WB_ASSIGN(text, BytesOfHex(text));
        } else if (bytes) {
          WB_ASSIGN(text, BytesOfText(std::move(text)));
        }
        spec.texts.push_back(std::move(text));
      }
      if (spec.texts.empty()) return Bad(where + ".values", "is empty");
      return spec;
    }
    WB_ASSIGN(spec, ParseArgSpec(values.is_string() ? values.get<std::string>() : values.dump()));
    if (bytes && spec.kind == ArgSpec::Kind::kList) spec.kind = ArgSpec::Kind::kBytes;
    if (hex || bytes != (spec.kind == ArgSpec::Kind::kBytes)) {
      return Bad(where, "has values that are not of its type");
    }
    return spec;
  }

  Status ReadCall(const Json& step, const std::string& where) {
    WB_TRY(CheckMembers(step, where, {"call", "module", "args", "go_on_after_trap"}));
    if (!step["call"].is_string()) return Bad(where + ".call", "is no text");
    v1::CallStep* call = job_.add_steps()->mutable_call();
    call->set_function(step["call"].get<std::string>());
    const v1::Module* module = &module_;
    if (step.contains("module")) {
      WB_ASSIGN(module, operands_.ModuleNamed(step["module"], where + ".module"));
      call->set_module(step["module"].get<std::string>());
    }
    WB_ASSIGN(v1::ModuleExport function, FindFunction(*module, call->function()));
    const Json args = step.value("args", Json::array());
    if (!args.is_array() || args.size() != static_cast<size_t>(function.params_size())) {
      return Bad(where + ".args",
                 "must be a list of [" + std::to_string(function.params_size()) + "] operands");
    }
    for (int i = 0; i < function.params_size(); ++i) {
      std::string at = where + ".args[" + std::to_string(i) + "]";
      WB_ASSIGN(*call->add_args(),
                operands_.Read(args[static_cast<size_t>(i)], function.params(i), at));
    }
    const Json go_on = step.value("go_on_after_trap", Json(false));
    if (!go_on.is_boolean()) return Bad(where + ".go_on_after_trap", "is neither true nor false");
    call->set_go_on_after_trap(go_on.get<bool>());
    return {};
  }

  Status ReadRead(const Json& read, const std::string& where) {
    WB_TRY(CheckMembers(read, where, {"pointer", "length", "until_zero", "output", "text"}));
    v1::ReadStep* proto = job_.add_steps()->mutable_read();
    WB_ASSIGN(*proto->mutable_pointer(),
              operands_.Read(read.value("pointer", Json()), v1::I32, where + ".pointer"));
    WB_ASSIGN(*proto->mutable_length(),
              operands_.Read(read.value("length", Json()), v1::I32, where + ".length"));
    const Json until_zero = read.value("until_zero", Json(false));
    if (!until_zero.is_boolean()) return Bad(where + ".until_zero", "is neither true nor false");
    proto->set_until_zero(until_zero.get<bool>());
    const Json output = read.value("output", Json());
    if (!output.is_string()) return Bad(where + ".output", "is no text");
    proto->set_output(output.get<std::string>());
    if (!read.contains("text")) return {};
    const std::optional<v1::TextEncoding> encoding =
        read["text"].is_string() ? TextEncodingNamed(read["text"].get<std::string>())
                                 : std::nullopt;
    if (!encoding) return Bad(where + ".text", "is neither \"utf-8\" nor \"utf-16\"");
    proto->set_text(*encoding);
    return {};
  }

  Status ReadStore(const Json& store, const std::string& where) {
    WB_TRY(CheckMembers(store, where, {"pointer", "value"}));
    v1::StoreStep* proto = job_.add_steps()->mutable_store();
    WB_ASSIGN(*proto->mutable_pointer(),
              operands_.Read(store.value("pointer", Json()), v1::I32, where + ".pointer"));
    WB_ASSIGN(*proto->mutable_value(),
              operands_.Read(store.value("value", Json()), v1::I32, where + ".value"));
    return {};
  }

  Status ReadStep(const Json& step, const std::string& where) {
    if (step.is_object() && step.contains("call")) return ReadCall(step, where);
    bool one = step.is_object() && step.size() == 1 && step.begin()->is_object();
    if (one && step.contains("write")) {
      const Json& write = step["write"];
      WB_TRY(CheckMembers(write, where + ".write", {"pointer", "column"}));
      v1::WriteStep* proto = job_.add_steps()->mutable_write();
      WB_ASSIGN(*proto->mutable_pointer(),
                operands_.Read(write.value("pointer", Json()), v1::I32, where + ".write.pointer"));
      WB_ASSIGN(uint32_t column,
                operands_.ColumnNamed(write.value("column", Json()), where + ".write"));
      proto->set_column(column);
      return {};
    }
    if (one && step.contains("read")) return ReadRead(step["read"], where + ".read");
    if (one && step.contains("store")) return ReadStore(step["store"], where + ".store");
    return Bad(where, "is neither call, write, read nor store");
  }

  const v1::Module& module_;
  const ProgramOptions& options_;
  std::vector<InputColumn>* const inputs_;
  v1::Job job_;
  std::map<std::string, uint32_t> columns_;
  const OperandReader operands_;
};

}  // namespace

Result<v1::Job> ParseProgram(const ProgramOptions& options, const v1::Module& module,
                             std::vector<InputColumn>* inputs) {
  bool deep = false;
  const auto is_shallow = [&deep](int depth, Json::parse_event_t, const Json&) {
    deep = deep || depth > kDeepest;
    return !deep;
  };
  const Json program = Json::parse(options.program, is_shallow, false);
  if (deep) return Bad("text", "nests deeper than [" + std::to_string(kDeepest) + "]");
  if (program.is_discarded()) return Bad("text", "is not JSON");
  return ProgramReader(module, options, inputs).Read(program);
}

}  // namespace wb::cli
