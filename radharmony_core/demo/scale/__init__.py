"""Tables and reports as large as the published releases, and with their counts, for benchmarks and for trying the pages.

At 377,110 images every count of ``published`` is met exactly; at any other number all of them are in proportion. Films are not
drawn: what a film would show is not decided here, only what its report and its labels say.
"""

from radharmony_core.demo.scale.write import write_scale

__all__ = ["write_scale"]
