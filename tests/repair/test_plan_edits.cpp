// Changes of a plan file.
#include "tracer/repair/plans/plan_edits.h"

#include "base/read_file.h"
#include "base/temporary_folder.h"
#include "kernels/plan/plan.h"

#include <doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

using namespace twiddle;

namespace {

// The changes of a plan of tests/foreign, "cuda/NAME.toml", once `right` in it is `wrong`.
std::vector<PlanEdit> edits_of_wrong(const std::string& plan, const std::string& right, const std::string& wrong) {
  const TemporaryFolder folder;
  const std::filesystem::path from = std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign" / plan;
  for (const auto& one : std::filesystem::directory_iterator(from.parent_path()))
    if (one.path().stem() == from.stem()) std::filesystem::copy_file(one.path(), folder.path() / one.path().filename());
  const std::filesystem::path file = folder.path() / from.filename();
  std::string text = read_file(file, 1 << 20);
  REQUIRE(text.find(right) != std::string::npos);
  text.replace(text.find(right), right.size(), wrong);
  std::ofstream(file, std::ios::binary) << text;
  return edits_of_plan(read_plan_file(file), 400);
}

}  // namespace

TEST_CASE("no change of a plan compares a buffer with itself, others may be the output") {
  const Plan plan = read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/opencl/stencil_steps.toml");
  REQUIRE(plan.expect.operand == "slow");
  const std::vector<PlanEdit> edits = edits_of_plan(plan, 400);
  const auto writes = [&](const char* output) {
    return std::any_of(edits.begin(), edits.end(),
                       [&](const PlanEdit& edit) { return edit.plan->expect.output == output; });
  };
  CHECK(writes("once"));
  CHECK_FALSE(writes("slow"));
}

TEST_CASE("no kernel gives way to the one that the plan compares with") {
  const Plan plan = read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/opencl/nbody_float3.toml");
  const auto slow = [](const Plan& one) {
    return std::count_if(one.launches.begin(), one.launches.end(),
                         [](const Launch& launch) { return launch.kernel == "forces_slow"; });
  };
  REQUIRE(slow(plan) == 1);
  for (const PlanEdit& edit : edits_of_plan(plan, 400)) CHECK(slow(*edit.plan) <= 1);
}

TEST_CASE("a kernel that is launched nowhere may take the place of one that is") {
  const std::string right = "kernel = \"cols\"";
  const std::vector<PlanEdit> edits = edits_of_wrong("cuda/fft2d_rowcol.toml", right, "kernel = \"rows\"");
  std::vector<std::pair<double, int>> found;  // cost and line
  for (const PlanEdit& edit : edits)
    if (edit.should == right) found.emplace_back(edit.cost, edit.line);
  REQUIRE(found.size() == 2);
  // Of two launches of one kernel it is rather the second that was meant to be another.
  const auto [likelier, other] = std::minmax_element(found.begin(), found.end());
  CHECK(likelier->first < other->first);
  CHECK(likelier->second > other->second);
}

TEST_CASE("components of a vector may have changed places") {
  const std::vector<PlanEdit> edits = edits_of_wrong("cuda/fft_batch_strided.toml", "\"int2:16,8\"", "\"int2:8,16\"");
  CHECK(std::any_of(edits.begin(), edits.end(), [](const PlanEdit& edit) {
    return edit.was == "int2:8,16" && edit.text == "int2:16,8" && edit.same_buffers;
  }));
}

TEST_CASE("the kernels that a source has are those of its text as it is edited") {
  Plan plan = read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/cuda/fft2d_rowcol.toml");
  const std::string source = "fft2d_rowcol.cu";
  plan.edited[source] = read_file(plan.directory / source, 1 << 20) + "__global__ void spare(float2 *image) {}\n";
  const std::vector<PlanEdit> edits = edits_of_plan(plan, 400);
  CHECK(std::any_of(edits.begin(), edits.end(),
                    [](const PlanEdit& edit) { return edit.should == "kernel = \"spare\""; }));
}

TEST_CASE("a plan's change that leaves a buffer without use is less likely than one that does not") {
  const std::string right = "[\"c\", \"b\", \"roots\", \"int:64\", \"int:16\"]";
  const std::vector<PlanEdit> edits =
      edits_of_wrong("cuda/stockham4_global.toml", right, "[\"a\", \"b\", \"roots\", \"int:64\", \"int:16\"]");
  const auto cost = [&](const std::string& should) {
    const auto one = std::find_if(edits.begin(), edits.end(),
                                  [&](const PlanEdit& edit) { return edit.should == "args = " + should; });
    REQUIRE(one != edits.end());
    return one->cost;
  };
  CHECK(cost(right) < cost("[\"b\", \"a\", \"roots\", \"int:64\", \"int:4\"]"));
}

TEST_CASE("a plan's change that gives a kernel one buffer twice is less likely than one that does not") {
  const std::vector<PlanEdit> edits =
      edits_of_wrong("opencl/half_storage.toml", "args = [\"g\", \"y\"]", "args = [\"h\", \"y\"]");
  const auto cost = [&](const std::string& should) {
    const auto one = std::find_if(edits.begin(), edits.end(),
                                  [&](const PlanEdit& edit) { return edit.should == "args = " + should; });
    REQUIRE(one != edits.end());
    return one->cost;
  };
  CHECK(cost("[\"g\", \"y\"]") < cost("[\"h\", \"h\", \"int:4\"]"));
}

TEST_CASE("a buffer that says nothing of its first content may begin with nought, one that says something stays") {
  const Plan plan = read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/opencl/good_thomas.toml");
  const Buffer* empty = plan.buffer_named("out");
  REQUIRE(empty);
  const std::size_t number = static_cast<std::size_t>(empty - plan.buffers.data());
  std::size_t more = 0;
  for (const PlanEdit& edit : edits_of_plan(plan, 400)) {
    if (edit.text != "content = \"zero\"") continue;
    ++more;
    CHECK(edit.should == edit.is + "\ncontent = \"zero\"");
    CHECK(edit.is.starts_with("count"));
    CHECK(edit.plan->buffers[number].content.kind == Content::Kind::Zero);
  }
  CHECK(more == 1);
}

TEST_CASE("a direction, a mean and a number of bits are likelier than other changes of a plan's numbers") {
  const auto cost = [](const char* plan, const std::string& should, const std::string& is, const std::string& put) {
    double least = 1e9;
    for (const PlanEdit& edit : edits_of_wrong(plan, should, is))
      if (edit.should.find(put) != std::string::npos) least = std::min(least, edit.cost);
    return least;
  };
  CHECK(cost("opencl/volume_3d.toml", "\"float:1.0/n\"]", "\"float:1.0\"]", "\"float:1.0/n\"]") < 1.4);
  CHECK(cost("opencl/recurrence.toml", "\"int:-1\"", "\"int:1\"", "\"int:-1\"") < 1.4);
  CHECK(cost("cuda/sort_radix_ballot.toml", "\"int:8\"", "\"int:7\"", "\"int:8\"") < 1);
  // The other of two arrays that take turns; digits that changed places; a root of another order, and one in the other direction.
  CHECK(cost("opencl/six_step.toml", "output = \"y\"", "output = \"x\"", "output = \"y\"") < 1.4);
  CHECK(cost("opencl/lcg_skip.toml", "\"uint:42\"", "\"uint:24\"", "\"uint:42\"") < 2);
  CHECK(cost("opencl/ntt_goldi.toml", "\"uint:911660635\"", "\"uint:625715529\"", "\"uint:911660635\"") < 2);
  CHECK(cost("opencl/ntt_goldi.toml", "\"uint:911660635\"", "\"uint:86583718\"", "\"uint:911660635\"") < 2);
}

TEST_CASE("of two arrays that take turns it is rather the other one than every third time") {
  const std::string right = "args = [\"L%2 ? t0 : t1\", \"koeff\"]";
  double other = 1e9, third = 1e9;
  for (const PlanEdit& edit :
       edits_of_wrong("opencl/haar_levels2.toml", right, "args = [\"L%2 ? t1 : t0\", \"koeff\"]")) {
    if (edit.should == right) other = std::min(other, edit.cost);
    if (edit.should.find("L%3") != std::string::npos) third = std::min(third, edit.cost);
  }
  CHECK(other < 1.4);
  CHECK(other + 0.5 < third);
}

TEST_CASE("a launch may bring as much local memory as for another argument") {
  const std::vector<PlanEdit> edits =
      edits_of_wrong("opencl/local_padded.toml", "\"local:4*(n+n/16)\", ", "\"local:4*n\", ");
  CHECK(std::any_of(edits.begin(), edits.end(), [](const PlanEdit& edit) {
    return edit.was == "local:4*n" && edit.text == "local:4*(n+n/16)" && edit.same_buffers;
  }));
}

TEST_CASE("values of a struct change places and change as other arguments do") {
  const std::string right = "\"struct:int:planes,int:n,int:depth\"";
  const auto cost = [&](const std::string& wrong) {
    double least = 1e9;
    for (const PlanEdit& edit : edits_of_wrong("cuda/transpose_permute3d.toml", right, wrong))
      if (edit.should.find(right) != std::string::npos && edit.same_buffers) least = std::min(least, edit.cost);
    return least;
  };
  CHECK(cost("\"struct:int:planes,int:depth,int:n\"") < 1.1);
  CHECK(cost("\"struct:int:depth,int:n,int:planes\"") < 1.1);
  CHECK(cost("\"struct:int:planes,int:n,int:n\"") < 1.6);
  CHECK(cost("\"struct:int:planes,int:n,int:depth-1\"") < 2);
}

TEST_CASE("the numbers at both ends of a loop change") {
  const auto cost = [](const std::string& plan, const std::string& right, const std::string& wrong) {
    double least = 1e9;
    for (const PlanEdit& edit : edits_of_wrong(plan, right, wrong))
      if (edit.should.find(right) != std::string::npos) least = std::min(least, edit.cost);
    return least;
  };
  CHECK(cost("opencl/batcher.toml", "u in t..0 step -1", "u in t..1 step -1") < 1.6);
  CHECK(cost("opencl/batcher.toml", "t in 0..levels-1", "t in 1..levels-1") < 1.6);
  CHECK(cost("opencl/batcher.toml", "t in 0..levels-1", "t in 0..levels-2") < 1.6);
  // Both of one text of digits and dots.
  const std::string first = "for = [\"t in 0..levels-1\", \"u in t..0 step -1\"]";
  const std::vector<PlanEdit> edits =
      edits_of_wrong("opencl/batcher.toml", first, "for = [\"t in 0..3\", \"u in t..0 step -1\"]");
  for (const char* other : {"t in 0..4", "t in 1..3", "u in t..1"})
    CHECK(std::any_of(edits.begin(), edits.end(),
                      [&](const PlanEdit& edit) { return edit.should.find(other) != std::string::npos; }));
}

TEST_CASE("stages come in the other order, and arguments are as beside them or in another launch") {
  const auto has = [](const std::vector<PlanEdit>& edits, const std::string& line) {
    return std::any_of(edits.begin(), edits.end(),
                       [&](const PlanEdit& edit) { return edit.should.find(line) != std::string::npos; });
  };
  const std::vector<PlanEdit> spans = edits_of_wrong("opencl/dif_rev_end.toml", "int:n>>s", "int:1<<(s-1)");
  CHECK(has(spans, "int:1<<((1+log2(n)-s)-1)"));
  CHECK(has(spans, "for = \"s in log2(n)..1 step -1\""));
  const std::vector<PlanEdit> powers = edits_of_wrong("cuda/ntt_stages.toml", "uint:1<<s", "uint:2*s");
  CHECK(has(powers, "\"uint:1<<s\""));
  // As another argument of the launch, and as the launch of the same kernel before it has it.
  const std::vector<PlanEdit> bits = edits_of_wrong("cuda/radix_pairs.toml", "\"counts\", \"int:n\", \"int:4*p\"]",
                                                    "\"counts\", \"int:n\", \"int:p\"]");
  CHECK(has(bits, "\"counts\", \"int:n\", \"int:4*p\"]"));
  const std::vector<PlanEdit> beside =
      edits_of_wrong("cuda/dwt53.toml", "\"int:n>>lv\", \"int:1\"", "\"int:n\", \"int:n>>lv\"");
  CHECK(has(beside, "\"int:n>>lv\", \"int:n>>lv\""));
}

TEST_CASE(
    "a parameter's formula changes where the plan stays as large as it is, and no kernel is handed the reference") {
  const std::vector<PlanEdit> smaller =
      edits_of_wrong("opencl/strided_batch.toml", "dist = \"n*stride+3\"", "dist = \"n*stride+3\"");
  for (const PlanEdit& edit : smaller) CHECK(edit.is.find("dist = ") == std::string::npos);
  const Plan plan = read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/opencl/stencil_steps.toml");
  const auto takes = [&](const Launch& launch) {
    return std::any_of(launch.arguments.begin(), launch.arguments.end(), [&](const Argument& one) {
      const std::vector<std::size_t> buffers = buffers_of(one);
      return std::any_of(buffers.begin(), buffers.end(),
                         [&](std::size_t b) { return plan.buffers[b].name == plan.expect.operand; });
    });
  };
  for (const PlanEdit& edit : edits_of_plan(plan, 400))
    for (std::size_t k = 0; edit.same_buffers && k < plan.launches.size(); ++k)
      CHECK((!takes(edit.plan->launches[k]) || takes(plan.launches[k])));
}

TEST_CASE("a launch's condition turns, an argument is nothing, and a factor is as in another argument") {
  const auto cost_of = [](const std::vector<PlanEdit>& edits, const std::string& part) {
    for (const PlanEdit& edit : edits)
      if (edit.should.find(part) != std::string::npos) return edit.cost;
    return 100.0;
  };
  const std::string condition = "if = \"pasos%2 == 0\"";
  const auto turned = edits_of_wrong("opencl/mixta_pasos.toml", condition, "if = \"pasos%2 == 1\"");
  CHECK(cost_of(turned, condition) < 1.3);
  const auto once =
      edits_of_wrong("opencl/SixStepRect.toml", "\"uint:cols\", \"uint:0\"]", "\"uint:cols\", \"uint:n\"]");
  CHECK(cost_of(once, "\"uint:cols\", \"uint:0\"]") < 2.2);
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "k.cl")
      << "kernel void k(global float *x, int a, int b) { x[get_global_id(0)] = a + b; }\n";
  std::ofstream(folder.path() / "k.toml")
      << "[parameters]\nrows = 4\ncols = 2\ndepth = 8\n[[buffer]]\nname = 'x'\ntype = 'float'\ncount = 64\n"
         "content = 'signal'\n[[launch]]\nsource = 'k.cl'\nkernel = 'k'\nglobal = [64]\nlocal = [8]\n"
         "args = ['x', 'int:rows*cols', 'int:cols*depth']\n"
         "[expect]\ntransform = 'scan'\ninput = 'x'\noutput = 'x'\n";
  const auto factors = edits_of_plan(read_plan_file(folder.path() / "k.toml"), 400);
  CHECK(cost_of(factors, "'int:rows*cols*depth', 'int:cols*depth'") < 2);
}

TEST_CASE("a number may be the product of what the launch of the same kernel before it passes") {
  const std::string right = "\"int:60\", \"int:12\", \"int:n\"]";
  const std::vector<PlanEdit> edits =
      edits_of_wrong("cuda/mixed_radix_passes.toml", right, "\"int:60\", \"int:15\", \"int:n\"]");
  const auto found = std::find_if(edits.begin(), edits.end(),
                                  [&](const PlanEdit& edit) { return edit.should.find(right) != std::string::npos; });
  REQUIRE(found != edits.end());
  CHECK(found->cost < 1.7);
  CHECK(found->same_buffers);
}

TEST_CASE("fewer items and groups of another size are less likely than other numbers") {
  const auto least = [](const std::string& is) {
    double cost = 1e9;
    for (const PlanEdit& edit : edits_of_plan(
             read_plan_file(std::filesystem::path(TWIDDLE_TEST_DATA) / "../foreign/cuda/sum_shuffle.toml"), 400))
      if (edit.should == is) cost = std::min(cost, edit.cost);
    return cost;
  };
  CHECK(least("local = [128]") > 2.6);
  CHECK(least("global = [64]") > 2.6);
  CHECK(least("global = [512]") < 2.3);
}
