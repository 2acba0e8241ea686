"""A share with its exact limits."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Share:
    hits: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float:
        return self.hits / self.of


def exact_share(hits: int, of: int, confidence: float = 0.95) -> Share:
    """Clopper and Pearson, The use of confidence or fiducial limits illustrated in the case of the binomial, Biometrika 26
    (1934): quantiles of the beta distribution. Throws ValueError if nothing was counted."""
    from scipy.stats import beta  # only the peers' environment has it

    if of <= 0 or not 0 <= hits <= of:
        raise ValueError(f"{hits} of {of} is not a share")
    tail = (1 - confidence) / 2
    low = 0.0 if hits == 0 else float(beta.ppf(tail, hits, of - hits + 1))
    high = 1.0 if hits == of else float(beta.ppf(1 - tail, hits + 1, of - hits))
    return Share(hits, of, low, high)
