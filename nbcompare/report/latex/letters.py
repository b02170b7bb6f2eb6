"""Letters that the text fonts of pdfLaTeX lack, and what prints them."""

from __future__ import annotations

__all__ = ["declarations"]

_MATHEMATICS = r"""
≤ leq ≥ geq ≠ neq ≈ approx × times · cdot ÷ div ± pm ∞ infty ∈ in ∉ notin ∑ sum ∏ prod √ surd
∂ partial ∇ nabla ∅ emptyset ∪ cup ∩ cap ⊂ subset ⊆ subseteq → rightarrow ← leftarrow
↔ leftrightarrow ⇒ Rightarrow ⇔ Leftrightarrow ∀ forall ∃ exists … ldots ∼ sim ≡ equiv ⟨ langle
⟩ rangle ↑ uparrow ↓ downarrow ★ bigstar
α alpha β beta γ gamma δ delta ε varepsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda μ mu µ mu
ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta
Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega
□ square ☐ square ☑ boxtimes ✓ checkmark △ triangle ▲ blacktriangle ▽ triangledown
▼ blacktriangledown ◆ blacklozenge ◇ lozenge ● bullet ○ circ ■ blacksquare
"""
_COMMANDS = dict(zip(_MATHEMATICS.split()[::2], _MATHEMATICS.split()[1::2], strict=True))
_OTHERS = {
    "−": r"\ensuremath{-}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{THIN SPACE}": r"\,",
    "\N{NARROW NO-BREAK SPACE}": r"\,",
    "\N{ZERO WIDTH SPACE}": "",
    "\N{NON-BREAKING HYPHEN}": "-",
    **{c: rf"\textsuperscript{{{n}}}" for n, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
    **{c: rf"\textsubscript{{{n}}}" for n, c in enumerate("₀₁₂₃₄₅₆₇₈₉")},
}


def declarations(source: str) -> str:
    r"""Say how pdfLaTeX prints the letters of a document that its fonts lack.

    Parameters
    ----------
    source : str
        The document.

    Returns
    -------
    str
        LaTeX for the preamble. A letter that nothing is known of is printed as its number.

    Examples
    --------
    >>> print(declarations("p ≤ 0.05").partition("else")[2])
    \DeclareUnicodeCharacter{2264}{\ensuremath{\leq}}\fi
    """
    return "\n".join(
        rf"\ifcsname u8:\detokenize{{{character}}}\endcsname\else"
        rf"\DeclareUnicodeCharacter{{{ord(character):04X}}}{{{_printed(character)}}}\fi"
        for character in sorted(set(source))
        if ord(character) > 0x9F
    )


def _printed(character: str) -> str:
    if character in _OTHERS:
        return _OTHERS[character]
    if character in _COMMANDS:
        return rf"\ensuremath{{\{_COMMANDS[character]}}}"
    number = f"U+{ord(character):04X}"
    return rf"\ifmmode\text{{{number}}}\else\texttt{{{number}}}\fi"
