"""Numbers of a text, against Python's own reader, to the bit."""

import random
from fractions import Fraction

import numpy as np
import pytest

from sweepscope.formats import numbers

SPELLINGS = ("{!r}", "{:.18e}", "{:.17g}", "{:.6f}", "{:.9g}", "{:.16E}", "{:.20f}", "{:+.3f}", "{:.0f}.", "{:.25e}")


def check(words):
    found = numbers.floats(" ".join(words).encode())
    wanted = np.array([float(word) for word in words])
    assert np.array_equal(found.view(np.int64), wanted.view(np.int64))


def test_every_spelling():
    dice = random.Random(1)
    words = []
    for _ in range(20_000):
        value = dice.choice((dice.uniform(-1, 1), dice.gauss(0, 1) * 10 ** dice.uniform(-30, 30)))
        words.append(dice.choice(SPELLINGS).format(value))
    check(words)


def test_halfway_between_two_numbers():
    # Decimals at, just above and just below the middle of two neighbors: the last digit decides.
    dice, words = random.Random(2), []
    for _ in range(5000):
        middle = Fraction(2 * (dice.getrandbits(52) | 1 << 52) + 1, 2 ** dice.randrange(1, 60))
        places = dice.randrange(1, 25)
        scaled = int(middle * 10**places)
        for off in (-1, 0, 1):
            digits = str(scaled + off).rjust(places + 1, "0")
            words.append(f"{digits[:-places]}.{digits[-places:]}")
    check(words)


def test_the_ends_of_the_range():
    check(
        ["0", "-0", "+0.0", "-.0", "0e999", "1e22", "1e23", "9007199254740993", "18446744073709551615", "99999999999999999999"]
        + [
            "1e-22",
            "1e-23",
            "5e-324",
            "2e-324",
            "1e308",
            "1e309",
            "-1e400",
            "1e-99999999999",
            "1E+2",
            "007",
            ".5",
            "5.",
            "1" * 400,
        ]
    )


@pytest.mark.parametrize(
    "word",
    ["1_0", "0x1", "1e", "1e+", "nan", "inf", "--1", "1..2", ".", "+", "e5", "1,2", "1-2", "1d5", "\u0661", "1\0", "'", "-"],
)
def test_what_is_not_a_number(word):
    with pytest.raises(ValueError, match="is not a number") as caught:
        numbers.floats(f"1 2\n3 {word} 4".encode())
    assert caught.value.place == 6


def test_lines_and_comments():
    found = numbers.scan(b" 1 2 # 9 9\r\n\n#7\n3#\n 4\t5", comment=b"#")
    assert found.values.tolist() == [1, 2, 3, 4, 5]
    assert found.firsts.tolist() == [True, False, True, True, False]
    assert numbers.floats(b"").shape == (0,)
    assert numbers.floats(b" \n ").shape == (0,)


def test_whole_numbers():
    assert numbers.wholes(b"1 -2 +3 4.0 1e3").tolist() == [1, -2, 3, 4, 1000]
    for word in ("0.5", "1e17", "1e999"):
        with pytest.raises(ValueError, match=f"'{word}' is not a whole number"):
            numbers.wholes(f"1 {word}".encode())


def test_any_bytes(rng):
    # No word, however broken, is read beyond its end.
    for _ in range(3000):
        text = bytes(rng.choice(np.frombuffer(b"0123456789.eE+- \n#x", np.uint8), rng.integers(0, 30)))
        words = text.split()
        try:
            found = numbers.floats(text)
        except ValueError:
            assert not all(map(_is_number, words))
        else:
            assert found.tolist() == [float(word) for word in words]


def _is_number(word):
    try:
        float(word)
    except ValueError:
        return False
    return True
