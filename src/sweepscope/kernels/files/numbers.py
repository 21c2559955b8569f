"""Numbers out of a text, each the float64 nearest to its digits.

A number of at most 2**53 times a power of ten up to 22 is one product or quotient of exact numbers, rounded once (Clinger
1990). One of up to 19 digits is divided twice as precisely, and taken if that leaves no doubt about the last bit. Others are
listed for the caller, whose language has an exact reader: few files have them.
"""

import numpy as np

from .._jit import inline, kernel, step
from ..tolerances import NUMBER_DOUBT

EXACT = 0
LONG = 1
WRONG = 2

NEWLINE = 10
_TENS = np.array([10.0**k for k in range(23)])
_LARGEST = np.uint64(1 << 53)
_FULL = np.uint64(10**18)  # one more digit still fits into 64 bits
_TEN = np.uint64(10)
_ZERO = np.uint64(48)
_HALVES = 134217729.0  # 2**27 + 1: splits a number into two of 26 bits (Dekker 1971)
_FAR = 100_000  # an exponent beyond this is as good as any


@inline
def is_space(c):
    """Return whether a byte is white space."""
    return c == 32 or (9 <= c <= 13)


@inline
def is_digit(c):
    """Return whether a byte is a digit."""
    return 48 <= c <= 57


@step
def skip_line(text, i):
    """Return the place of the next line end, or the end of the text."""
    while i < len(text) and text[i] != NEWLINE:
        i += 1
    return i


@step
def skip_word(text, i, end):
    """Return the place of the next white space, or the end."""
    while i < end and not is_space(text[i]):
        i += 1
    return i


@step
def _divided(mantissa, ten):
    """Return (mantissa / ten, whether that is the nearest number)."""
    high = np.float64(mantissa)
    low = np.float64(np.int64(mantissa - np.uint64(high)))
    quotient = high / ten
    product = quotient * ten
    big = _HALVES * quotient
    q1 = big - (big - quotient)
    q2 = quotient - q1
    big = _HALVES * ten
    t1 = big - (big - ten)
    t2 = ten - t1
    error = ((q1 * t1 - product) + q1 * t2 + q2 * t1) + q2 * t2
    rest = (((high - product) - error) + low) / ten
    value = quotient + rest
    return value, quotient + rest * (1.0 - NUMBER_DOUBT) == value and quotient + rest * (1.0 + NUMBER_DOUBT) == value


@step
def number(text, i, end):
    """Read the number that begins at i. Return (value, EXACT, LONG or WRONG, where it ends)."""
    negative = False
    if i < end and (text[i] == 43 or text[i] == 45):
        negative = text[i] == 45
        i += 1
    mantissa = np.uint64(0)
    power = np.int64(0)
    digits = 0
    state = EXACT
    point = False
    while i < end:
        c = text[i]
        if is_digit(c):
            digits += 1
            if mantissa < _FULL:
                mantissa = _TEN * mantissa + (np.uint64(c) - _ZERO)
                power -= point
            else:
                state = LONG
        elif c == 46 and not point:
            point = True
        else:
            break
        i += 1
    if digits == 0:
        return 0.0, WRONG, i
    if i < end and (text[i] == 69 or text[i] == 101):
        i += 1
        down = False
        if i < end and (text[i] == 43 or text[i] == 45):
            down = text[i] == 45
            i += 1
        if i == end or not is_digit(text[i]):
            return 0.0, WRONG, i
        exponent = np.int64(0)
        while i < end and is_digit(text[i]):
            exponent = min(10 * exponent + np.int64(text[i] - 48), _FAR)
            i += 1
        power += -exponent if down else exponent
    value = 0.0
    if mantissa != np.uint64(0):
        if abs(power) > 22 or (mantissa > _LARGEST and power > 0):
            state = LONG
        elif mantissa > _LARGEST:
            value, sure = _divided(mantissa, _TENS[-power])
            state = state if sure else LONG
        else:
            value = np.float64(mantissa) * _TENS[power] if power >= 0 else np.float64(mantissa) / _TENS[-power]
    return -value if negative else value, state, i


@step
def whole(text, i, end):
    """Read the whole number that begins at i, at most 18 digits. Return (value, whether it is one, where it ends)."""
    negative = False
    if i < end and (text[i] == 43 or text[i] == 45):
        negative = text[i] == 45
        i += 1
    value = np.int64(0)
    digits = 0
    while i < end and is_digit(text[i]) and digits < 18:
        value = 10 * value + np.int64(text[i] - 48)
        digits += 1
        i += 1
    return -value if negative else value, digits > 0 and not (i < end and is_digit(text[i])), i


@kernel
def count(text, start, comment):
    """Return how many words there are from a place on; comment: the byte that begins one, up to the end of its line, or 0."""
    words = 0
    inside = False
    i = start
    while i < len(text):
        c = text[i]
        if c == comment and comment != 0:
            i = skip_line(text, i)
            inside = False
            continue
        space = is_space(c)
        if inside and space:
            inside = False
        elif not inside and not space:
            inside = True
            words += 1
        i += 1
    return words


@kernel
def read(text, start, comment, values, places, firsts, longs):
    """Read the words from a place on as numbers, as many as fit.

    values: the numbers; places: where they begin; firsts: whether they are the first of their line; longs: which of them were
    not read. Return (number of words, number of longs, place of a word that is not a number or -1).
    """
    n = 0
    listed = 0
    first = True
    i = start
    while i < len(text):
        c = text[i]
        if c == comment and comment != 0:
            i = skip_line(text, i)
        elif is_space(c):
            first = first or c == NEWLINE
            i += 1
        else:
            value, state, after = number(text, i, len(text))
            clean = after == len(text) or is_space(text[after]) or (text[after] == comment and comment != 0)
            if state == WRONG or not clean or n == len(values):
                return n, listed, i
            values[n] = value
            places[n] = i
            firsts[n] = first
            if state == LONG:
                longs[listed] = n
                listed += 1
            n += 1
            first = False
            i = after
    return n, listed, -1
