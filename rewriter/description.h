// What the rewritten program logs, for its reader: one JSON object.
//
//   sites       by number: kind, space, type (of a component, an OpenCL name), components, chunk (bytes of a record's value),
//               order, scope (C11's, as AccessSite has them), volatile, file (index into files), line, column, function, text; and
//               variable (index into variables) where the place names the array itself
//               texel where it accesses texels: the first of its records has the argument's number, the sampler's and the
//               coordinates, the next one or two the value
//   variables   arrays and local memory: space, name, function, type, element_bytes, bytes, initialised; slot: where its
//               address is kept (of global and constant ones among the program's, of local ones among the group's); of
//               private ones `site`, whose records' addresses are where the array begins
//   kernels     name, parameters: name, space (of pointers; "image"; else "value"), slot, read_only; led: its way depends on
//               floating values (data_ways.h); functions: those that it may run, itself among them
//   unlogged    file, line, reason, function (empty: none)
//   files, tested, bases (slots of the program), group_bases (slots of a group)
//   version     of the program that wrote it: its reader is of the same
#pragma once

#include "rewriter/flatten.h"

#include <set>
#include <string>
#include <vector>

namespace twiddle::rewriter {

/// Named as AccessKind; Declare is a private array that begins to be.
struct Site {
  std::string kind, space, type;
  unsigned components = 1, chunk = 0;
  std::string order = "relaxed", scope = "device";
  bool is_volatile = false;
  Written at;
  std::string function, text;
  int variable = -1;
  // Of a place that accesses texels: how many coordinates, "a" where the last of one more is an array's layer, "f" where they are
  // floats, "h" where values have four halves in place of 32 bits a channel.
  std::string texel;
};

struct Variable {
  std::string space, name, function, type;
  std::uint64_t element_bytes = 0, bytes = 0;  // bytes 0: the launch says
  bool initialised = false;
  int slot = -1, site = -1;
};

struct Parameter {
  std::string name, space;
  int slot = -1;
  bool read_only = true;  // by its type
};

struct Kernel {
  std::string name;
  bool led = false;
  std::vector<Parameter> parameters;
  std::set<std::string> functions;
};

struct Unlogged {
  Written at;
  std::string reason, function;
};

struct Description {
  std::vector<Site> sites;
  std::vector<Variable> variables;
  std::vector<Kernel> kernels;
  std::vector<Unlogged> unlogged;
  int bases = 0, group_bases = 0;
};

std::string json_of(const Description& description, const FlatSource& flat);

}  // namespace twiddle::rewriter
