"""Code and printed output as lines."""

from nbcompare.report.paper.code import code_lines, text_lines, text_of_terminal


def joined(lines):
    return ["".join(span.text for span in line.spans) for line in lines]


def test_no_line_is_longer_than_the_page_and_nothing_is_lost():
    source = "x = f(" + "argument, " * 30 + ")\n" + "y = '" + "z" * 200 + "'\n\n    # end 日本"
    lines, hidden = code_lines(source, "python", 40)
    texts = joined(lines)
    assert hidden == 0
    assert max(map(len, texts)) <= 40
    again = "".join(
        text if line.continued or not number else f"\n{text}"
        for number, (line, text) in enumerate(zip(lines, texts, strict=True))
    )
    assert again == source
    kinds = {span.kind for line in lines for span in line.spans}
    assert {"string", "comment"} <= kinds
    assert joined(code_lines("a b", "no such language", 40)[0]) == ["a b"]


def test_long_output_is_shortened_and_says_so():
    lines, hidden = text_lines("\n".join(map(str, range(1000))), 40)
    texts = joined(lines)
    assert hidden == 1000 - 300
    assert texts[200] == "[… 700 lines left out …]"
    assert (texts[0], texts[199], texts[201], texts[-1]) == ("0", "199", "900", "999")
    assert text_lines("a\nb", 40)[1] == 0
    assert text_lines("0\n" * 3 + "1", 40, 1)[0][0].spans[0].text == "[… 4 lines left out …]"
    whole = text_lines("\n".join(map(str, range(1000))), 40, 0)
    assert (len(whole[0]), whole[1]) == (1000, 0)


def test_output_is_what_a_terminal_shows_in_the_end():
    assert text_of_terminal(" 10%|#\r100%|##\n\x1b[1;31mred\x1b[0m b\x08bold \x1b]8;;u\x07l") == (
        "100%|##\nred bold l"
    )
