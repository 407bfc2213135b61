#pragma once
namespace kiln { inline namespace v2 {
/// A wall of bricks.
/// \tparam Brick what it is made of
/// \param x no such thing
template <typename Brick, int N = 4>
class Wall final : public Base<Brick> {
  int hidden_;
public:
  /// Makes it.
  explicit Wall(int height) : hidden_(height) {}
  ~Wall();
  Wall(const Wall &) = delete;
  static Wall *make();
  virtual bool stands() const noexcept = 0;
  bool operator==(const Wall &other) const { return true; }
  void operator()(int x);
  int height = 3;
  enum class Colour : char { red, blue = 2 };
  struct Part { int size; };
  friend class Other;
protected:
  void seen_by_few();
private:
  void nobody();
};
using Bricks = Wall<int, 5>;
auto area(const Wall<int> &wall) -> double;
constexpr int kMax = 5;
namespace { int unseen(); }
}}
