# SPDX-License-Identifier: MIT
"""Memory of thousands of pipelines, from two smaller numbers."""
import check
import small
from support import Case, read

MANY = 1200
LIMIT_MIB = 512

class Memory(Case):
    """How it grows with their number."""

    def test_memory_of_ten_thousand_pipelines(self):
        texts = list(small.texts(MANY))
        self.add(*texts[:MANY // 4])
        few = small.measured(self.inputs, self.path("few"), "-j2")[2]
        self.add(*texts)
        many = small.measured(self.inputs, self.path("many"), "-j2")[2]
        self.assertEqual(len(check.check(read(self.path("many"))).entries), MANY)
        each = (many - few) / (MANY - MANY // 4)
        estimate = (many + each * (10000 - MANY)) / 1024
        print(f"{many / 1024:.0f} MiB for {MANY} pipelines, {each:.1f} KiB each: {estimate:.0f} MiB for 10,000")
        self.assertLess(estimate, LIMIT_MIB)
