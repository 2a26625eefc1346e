#include "tracer/repair/edits/edit_words.h"

#include "tracer/repair/edits/edits.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace twiddle {
namespace {

constexpr WordChoice operators[] = {
    {"+", "-", 1},     {"-", "+", 1},     {"*", "/", 1.8},   {"*", "+", 2},     {"/", "%", 1.2},   {"/", "*", 1.8},
    {"%", "/", 1.2},   {"%", "&", 2},     {"<<", ">>", 1.5}, {">>", "<<", 1.5}, {"<", "<=", 1},    {"<", ">", 1.2},
    {"<", ">=", 1.3},  {"<", "!=", 1.8},  {"<=", "<", 1},    {"<=", ">", 1.3},  {"<=", ">=", 1.2}, {">", ">=", 1},
    {">", "<", 1.2},   {">", "<=", 1.3},  {">=", ">", 1},    {">=", "<=", 1.2}, {">=", "<", 1.3},  {"==", "!=", 1},
    {"!=", "==", 1},   {"!=", "<", 1.3},  {"!=", ">", 1.3},  {"&", "|", 1.3},   {"&", "^", 1.5},   {"|", "&", 1.3},
    {"|", "^", 1.4},   {"|", "+", 1.6},   {"^", "|", 1.5},   {"^", "&", 1.5},   {"^", "+", 1.8},   {"^", "-", 1.8},
    {"&&", "||", 1.2}, {"||", "&&", 1.2}, {"+", "^", 1.8},   {"-", "^", 2.2},   {"+", "|", 2.2},   {"-", "*", 2.2},
    {"+", "*", 1.7},   {"<<", "*", 2},    {">>", "/", 2},    {">=", "==", 1.9}, {"<=", "==", 1.9}, {">", "==", 2.2},
    {"<", "==", 2.2},
};
constexpr WordChoice assignments[] = {
    {"=", "+=", 1.6},  {"+=", "=", 1.6},  {"+=", "-=", 1.2}, {"-=", "+=", 1.2},   {"*=", "/=", 1.5},
    {"/=", "*=", 1.5}, {"*=", "+=", 1.5}, {"+=", "*=", 1.5}, {"<<=", ">>=", 1.5}, {">>=", "<<=", 1.5},
    {"=", "-=", 2},    {"|=", "+=", 1.8}, {"|=", "^=", 1.8}, {"^=", "|=", 1.8},   {"&=", "|=", 1.8},
    {"=", "*=", 2},    {"=", "|=", 2},    {"|=", "=", 1.8},
};

constexpr std::string_view places[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

const std::set<std::string_view>& meeting_names() {
  static const std::set<std::string_view> names{"barrier",
                                                "work_group_barrier",
                                                "sub_group_barrier",
                                                "__syncthreads",
                                                "__syncwarp",
                                                "mem_fence",
                                                "__threadfence",
                                                "__threadfence_block",
                                                "sync",
                                                "arrive_and_wait",
                                                "wait_group_events",
                                                "__syncthreads_count",
                                                "__syncthreads_or",
                                                "__syncthreads_and",
                                                "atomic_work_item_fence",
                                                "read_mem_fence",
                                                "write_mem_fence",
                                                "wait",
                                                "arrive"};
  return names;
}

}  // namespace

std::span<const WordChoice> operator_choices() { return operators; }
std::span<const WordChoice> assignment_choices() { return assignments; }

const std::vector<std::vector<std::string_view>>& function_rows() {
  static const std::vector<std::vector<std::string_view>> rows = {
      {"sin", "cos"},
      {"sinf", "cosf"},
      {"sinpi", "cospi"},
      {"sinpif", "cospif"},
      {"native_sin", "native_cos"},
      {"min", "max"},
      {"convert_int", "convert_int_rte", "convert_int_rtn", "convert_int_rtp", "convert_int_rtz"},
      {"convert_uint", "convert_uint_rte", "convert_uint_rtn", "convert_uint_rtp", "convert_uint_rtz"},
      {"floor", "ceil", "rint", "round", "trunc"},
      {"floorf", "ceilf", "rintf", "roundf", "truncf"},
      {"fmin", "fmax"},
      {"fminf", "fmaxf"},
      {"__sinf", "__cosf"},
      {"get_local_id", "get_global_id", "get_group_id"},
      {"get_local_size", "get_global_size", "get_num_groups"},
      {"__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"},
      {"atomicMin", "atomicMax"},
      {"atomicAdd", "atomicSub"},
      {"atomic_inc", "atomic_dec"},
      {"atomic_add", "atomic_sub"},
      {"any", "all"},
      {"atomic_min", "atomic_max"},
      {"__reduce_min_sync", "__reduce_max_sync", "__reduce_add_sync"},
      {"__ffs", "__clz", "__popc"},
      {"atomic_fetch_min", "atomic_fetch_max"},
      {"lower_bound", "upper_bound"},
      {"shfl_up", "shfl_down", "shfl_xor"},
      {"work_group_scan_inclusive_add", "work_group_scan_exclusive_add"},
      {"sub_group_scan_inclusive_add", "sub_group_scan_exclusive_add"},
      {"work_group_reduce_min", "work_group_reduce_max"},
      {"blockIdx", "threadIdx"},
      {"blockDim", "gridDim"},
  };
  return rows;
}

std::span<const std::string_view> place_words() { return places; }
bool is_place(std::string_view word) {
  return std::find(std::begin(places), std::end(places), word) != std::end(places);
}

bool meets_within(const Syntax& syntax, std::size_t first, std::size_t last) {
  for (std::size_t k = first; k + 1 < last; ++k)
    if (syntax.lexemes[k].kind == Lexeme::Kind::Name && syntax.lexemes[k + 1].is("(") &&
        is_meeting(syntax, syntax.lexemes[k].text))
      return true;
  return false;
}

bool is_meeting(const Syntax& syntax, std::string_view function) {
  // Functions of the file are few: what they call is looked up as deep as it goes, each once.
  std::set<std::string_view> seen;
  std::vector<std::string_view> open{function};
  while (!open.empty()) {
    const std::string_view word = open.back();
    open.pop_back();
    if (meeting_names().count(word)) return true;
    if (!seen.insert(word).second) continue;
    for (const Function& one : syntax.functions)
      if (one.name == word)
        for (std::size_t k = one.body; k < one.end; ++k)
          if (syntax.lexemes[k].kind == Lexeme::Kind::Name && syntax.lexemes[k + 1].is("("))
            open.push_back(syntax.lexemes[k].text);
  }
  return false;
}

}  // namespace twiddle
