# SPDX-License-Identifier: MIT
"""How many pipelines the driver made of parts: what it logs under KILN_STATS."""

# Ends of lines for parts that were then built where the pipeline was created.
NOT_THERE = ("built for another layout or state", "built without specialization",
             "not built in advance", "several stages are not built in advance")


class PartStatistics:
    """What KILN_STATS says at the end of all devices of a process."""

    def __init__(self, log):
        self.linked = self.whole = 0
        self.misses = {}
        with open(log, encoding="utf-8") as file:
            for line in file:
                text = line.strip().partition("KILN_STATS: ")[2]
                words = text.replace(",", "").split(" ")
                if text.startswith("pipelines linked "):
                    self.linked += int(words[2])
                elif text.startswith("pipelines compiled monolithically "):
                    self.whole += int(words[3])
                elif text.startswith("miss ") and not text.endswith(NOT_THERE):
                    reason = text.partition(": ")[2]
                    self.misses[reason] = self.misses.get(reason, 0) + int(words[1].rstrip(":"))

    def judge(self, name, least):
        """0 if enough was linked; nothing may be where LEAST is 0. Says what was counted."""
        total = self.linked + self.whole
        print(f"{name}: {self.linked} of {total} pipelines linked", flush=True)
        for reason, count in sorted(self.misses.items(), key=lambda item: -item[1]):
            print(f"  {count} {reason}", flush=True)
        if total and (self.linked >= least * total if least else not self.linked):
            return 0
        print(f"FAIL {name}: " + (f"at least {least:.0%} should be" if least else "none should be"))
        return 1
