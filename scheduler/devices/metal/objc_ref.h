#pragma once

// Ref: owns one reference to an Objective-C object. For files compiled without ARC, which not every
// compiler has.

#import <Foundation/Foundation.h>

#include <utility>

#if __has_feature(objc_arc)
#error "Compile with -fno-objc-arc: references are counted by hand."
#endif

namespace wb {

template <typename T>  // id<MTLBuffer>, NSString*
class Ref {
 public:
  Ref() = default;
  // Of an object that came from new..., alloc or copy.
  static Ref Owned(T object) { return Ref(object); }
  static Ref Shared(T object) { return Ref([object retain]); }
  Ref(const Ref& other) : object_([other.object_ retain]) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nil)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { [object_ release]; }

  T get() const { return object_; }
  explicit operator bool() const { return object_ != nil; }

 private:
  explicit Ref(T object) : object_(object) {}
  T object_ = nil;
};

}  // namespace wb
