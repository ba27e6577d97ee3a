// A pump station again, with what C++ adds.
#include <memory>
#include "station/pump.hpp"

using namespace std::chrono_literals;
using std::vector;
namespace fs = std::filesystem;

#define REPORT(x) log_line(#x, current_line())

BEGIN_STATION

namespace plant::water {
namespace {
int hidden = 1;
}

enum class Mode : unsigned char { Idle, Running = 2 };
enum { kPlain, kOther };

class Buddy;

/// Something that flows.
template <typename T, int Size = 4>
class EXPORT_API Pipe final : public Base<T>, private virtual parts::Joint {
 public:
  using Item = T;
  using Base<T>::open;
  typedef int Depth;

  Pipe();
  explicit Pipe(T first) : first_(first), spare_{make_spare(first)} { start(); }
  Pipe(const Pipe&) = delete;
  virtual ~Pipe() = default;

  Pipe& operator=(const Pipe& other) { return *this; }
  bool operator==(const Pipe& other) const;
  explicit operator bool() const { return first_ != T(); }
  T& operator[](int at);

  virtual int flow(int litres) const noexcept = 0;
  int level() const override;
  static constexpr int kMost = Size * 2;

  template <typename U>
  auto mix(U&& other) -> decltype(other.level()) {
    return this->blend(other) + other.template stir<int>(1) + Base<T>::level();
  }

  friend bool same(const Pipe& a, const Pipe& b);
  friend class Buddy;

  struct Seal {
    void press() { hold(); }
    int turns = 0;
  };

 protected:
  T first_{}, *spare_ = nullptr;
  std::unique_ptr<Seal> seal_{new Seal()};
  void (*on_leak_)(int) = nullptr;
};

template <>
class Pipe<void> {};

template <typename T, int Size>
int Pipe<T, Size>::level() const {
  return seal_->turns + helper(first_);
}

}  // namespace plant::water

namespace plant {

Pump::Pump(int size) : size_(size) {}
Pump::~Pump() { stop(); }

int Pump::flow() const LOCKS_REQUIRED(mutex_) {
  return clamp(size_);
}

Pump::operator double() const { return size_; }

Pump& Pump::operator+=(const Pump& other) { return *this; }

water::Mode Pump::mode_ = water::Mode::Idle;

}  // namespace plant

void plant::Pump::prime(int litres) {
  auto pump = std::make_unique<Pump>(litres);
  auto* other = new plant::Pump(3);
  plant::water::Pipe<int> pipe(1);
  Valve valve{2}, spare;
  for (const auto& part : pump->parts()) {
    if (part.ok() && litres > 0 or other) part.check();
  }
  const auto [low, high] = bounds(litres);
  auto twice = [&, litres](int x) -> int { return x * factor(litres); };
  try {
    static_cast<int>(valve.turn<int>(twice));
    plant::clamp(int(low));
    ::free_all();
  } catch (const Leak& leak) {
    throw Trouble("leak", &handler);
  }
  switch (litres) {
    case 1: return;
    default: break;
  }
  std::sort(pump->begin(), pump->end(), by_size);
  (*other).stop();
}

template <typename T>
concept Small = sizeof(T) < 8;

template <Small T>
T add(T a, T b) { return a + b; }

extern "C" {
int c_level(int tank);
void c_reset(void) { reset_all(); }
}

extern "C" int c_single(void);

TEST(PumpTest, Flows) {
  EXPECT_EQ(flow_of(1), 2);
}

constexpr int kTanks = 3;
static std::string station_name = "east";
PUBLIC_API inline std::vector<int> levels(int n) { return {}; }
struct plant::Pump::Part { int weight; };
template class plant::water::Pipe<int>;
