"""Tests of repeated runs: intervals and fuzzy p-values beside random selections."""

from __future__ import annotations

import numpy as np
from scipy.stats import wilcoxon
from timing import best, show

from nbcompare.stats.bootstrap import bootstrap_a
from nbcompare.stats.fuzzy import central_cuts, consolidate, summarise
from nbcompare.stats.interval import monte_carlo, paired_t_interval, signed_rank_interval
from nbcompare.stats.posthoc import all_pairs

DRAWS = 10_000
# SciPy is timed on so few draws, and its time is scaled up to all of them.
TIMED_DRAWS = 500


def runs(n_algorithms: int, n_blocks: int) -> np.ndarray:
    """Errors (algorithm, block, run), 30 runs each; algorithms differ by a hundredth."""
    generator = np.random.default_rng(0)
    errors = generator.normal(0.2, 0.02, (n_algorithms, n_blocks, 30))
    return errors + 0.01 * np.arange(n_algorithms)[:, np.newaxis, np.newaxis]


def bench_interval_signed_rank() -> None:
    x, y = runs(2, 10)
    picks = np.random.default_rng(1).integers(0, 30, (2, DRAWS, 10))
    x_draws, y_draws = (
        one[np.arange(10), picked] for one, picked in zip((x, y), picks, strict=True)
    )

    def interval() -> object:
        (xl, xu), (yl, yu) = consolidate(x, x, "range"), consolidate(y, y, "range")
        return signed_rank_interval(xl - yu, xu - yl)

    def peer() -> list[float]:
        pairs = zip(x_draws[:TIMED_DRAWS], y_draws[:TIMED_DRAWS], strict=True)
        return [float(wilcoxon(one, other).pvalue) for one, other in pairs]

    drawn = monte_carlo(x_draws[:TIMED_DRAWS], y_draws[:TIMED_DRAWS], "wilcoxon")
    p = peer()
    if not np.allclose([drawn.p_low, drawn.p_high], [min(p), max(p)], rtol=1e-9):
        raise SystemExit("p-values of random selections differ from SciPy's")
    ours = best(interval, 20)
    theirs = best(peer, 2) * DRAWS / TIMED_DRAWS
    at_once = best(lambda: wilcoxon(x_draws, y_draws, axis=1), 2)
    show(
        "interval Wilcoxon, 10 folds x 30 runs, beside 10,000 draws",
        f"{ours * 1e3:.2f} ms, SciPy {theirs:.1f} s: {theirs / ours:,.0f}x",
        f">= 1,000x (SciPy from {TIMED_DRAWS} draws, scaled up)",
    )
    show(
        "  the same draws in one call",
        f"SciPy {at_once * 1e3:.0f} ms: {at_once / ours:,.0f}x",
        f"ours {best(lambda: monte_carlo(x_draws, y_draws, 'wilcoxon')) * 1e3:.0f} ms",
    )


def bench_fuzzy() -> None:
    coverages = np.arange(1, 51) / 50
    first, second = all_pairs(10)
    for n_blocks in (10, 64):
        errors = runs(10, n_blocks)

        low, high = central_cuts(errors, errors, coverages)
        lower, upper = low[:, first] - high[:, second], high[:, first] - low[:, second]

        def fuzzy(errors: np.ndarray = errors) -> object:
            low, high = central_cuts(errors, errors, coverages)
            p = signed_rank_interval(
                low[:, first] - high[:, second], high[:, first] - low[:, second]
            )
            return summarise(p.p_low.T, p.p_high.T, coverages, 0.05)

        what = f"50 cuts x 45 pairs x {n_blocks} blocks"
        ranks = best(lambda ends=(lower, upper): signed_rank_interval(*ends))
        show(f"interval Wilcoxon, {what}", f"{ranks * 1e3:.0f} ms", "<= 100 ms")
        show(f"fuzzy Wilcoxon from 30 runs, {what}", f"{best(fuzzy) * 1e3:.0f} ms", "")
        t = best(lambda ends=(lower, upper): paired_t_interval(*ends))
        show(f"interval t, {what}", f"{t * 1e3:.0f} ms", "")
    generator = np.random.default_rng(2)
    lower = generator.normal(1, 1, 300)
    upper = lower + generator.exponential(1, 300)
    took = best(lambda: paired_t_interval(lower, upper), 20)
    show("interval t of one pair, 300 blocks", f"{took * 1e3:.2f} ms", "about 4 ms")


def bench_bootstrap() -> None:
    grid = np.random.default_rng(3).integers(5_000, 9_000, (64, 5)) / 10_000
    table = np.random.default_rng(3).random((64, 5))
    for kind, scores in (("on a 1e-4 grid", grid), ("on no grid", table)):
        ours = best(lambda scores=scores: bootstrap_a(scores))
        drawn = best(lambda scores=scores: bootstrap_a(scores, method="resampling", rng=0))
        p = bootstrap_a(scores)
        apart = float((p.p_high / p.p_low).max() - 1)
        show(
            f"exact Bootstrap-A, 5 x 64 {kind}",
            f"{ours * 1e3:.0f} ms, 10,000 resamples {drawn * 1e3:.0f} ms",
            f"faster, on the grid; ends of p {apart:.2%} apart",
        )


if __name__ == "__main__":
    bench_bootstrap()
    bench_interval_signed_rank()
    bench_fuzzy()
