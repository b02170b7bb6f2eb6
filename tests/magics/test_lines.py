"""Words, quotation marks and the word at the cursor."""

import shlex

from hypothesis import given
from hypothesis import strategies as st

from nbcompare.magics._lines import cut, quoted

TEXT = st.text(st.sampled_from("ab -'\"\\,="), max_size=8)


@given(st.lists(TEXT, max_size=4), TEXT)
def test_what_is_quoted_is_read_as_it_was(words, begun):
    line = " ".join(map(quoted, words))
    assert shlex.split(line) == words
    assert cut(f"{line} ") == (words, ("", "", ""))
    for quote in "'\"":
        whole = quoted(begun, quote)
        assert shlex.split(whole) == [begun]
        # before the last quotation mark, the word is open, and says the same
        mark = whole[-1]
        assert cut(f"{line} {whole[:-1]}") == (words, (whole[:-1], begun, mark))
