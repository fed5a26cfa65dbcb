//===- FieldCount.h - number of a structure's fields ----------------------===//
// SPDX-License-Identifier: MIT
/// \file
/// For code that must name every field of a structure, as the encoders of cache keys do: a field
/// that somebody adds fails the build there. The size of a structure does not tell, because a new
/// field may lie in padding.
///
///     static_assert(lgc::fieldCount<NggState>() == 9, "a field was added: is it in the key?");
#pragma once

#include <type_traits>

namespace lgc {

/// Bases and direct members of an aggregate, up to 22; an array is one of them. All must be
/// default-constructible.
template <typename T> consteval unsigned fieldCount() {
  static_assert(std::is_aggregate_v<T>, "its fields cannot be counted");
  // {} initialises one field of whatever type, and no more of them can be given than there are.
  // clang-format off
  constexpr bool fits[] = {
      requires { T{{}}; },
      requires { T{{}, {}}; },
      requires { T{{}, {}, {}}; },
      requires { T{{}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
      requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; },
  };
  // clang-format on
  constexpr unsigned most = sizeof(fits) / sizeof(fits[0]);
  static_assert(!fits[most - 1], "more fields than can be counted");
  unsigned count = 0;
  while (fits[count])
    ++count;
  return count;
}

} // namespace lgc
