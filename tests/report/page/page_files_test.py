#!/usr/bin/env python3
"""The style sheet of the report page: its digest is the one that the page allows, its colours can be told apart from the
background, in both schemes (WCAG 2.2, 1.4.3 and 1.4.11)."""
import base64
import hashlib
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["STEPGATE_TEST_SOURCE"]) / "harness/report/page/page_style.cpp"
TEXT = SOURCE.read_text()
STYLE = re.search(r'page_style = R"\((.*?)\)";', TEXT, re.S).group(1)

WORDS = ("text", "soft", "link", "good", "bad", "unsure")  # colours of texts
SHAPES = ("axis", "dot", "past", "s0", "s1", "s2", "s3", "s4", "s5", "good", "bad", "unsure")


def luminance(colour):
    """Relative luminance, WCAG 2.2."""
    channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def palettes():
    """The colours of the light scheme and of the dark one."""
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.S)
    return [dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in blocks]


class PageFiles(unittest.TestCase):
    def test_the_digest_is_that_of_the_style(self):
        right = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
        self.assertIn(f'page_style_digest = "{right}"', TEXT, f"set page_style_digest to {right}")

    def test_both_schemes_name_every_colour(self):
        light, dark = palettes()
        self.assertEqual(set(light), set(dark))
        self.assertLessEqual(set(WORDS) | set(SHAPES), set(light))

    def test_texts_stand_out(self):
        for palette in palettes():
            for ground in ("back", "panel"):
                for name in WORDS:
                    with self.subTest(name=name, colour=palette[name], ground=palette[ground]):
                        self.assertGreaterEqual(contrast(palette[name], palette[ground]), 4.5)

    def test_shapes_stand_out(self):
        for palette in palettes():
            for name in SHAPES:
                with self.subTest(name=name, colour=palette[name]):
                    self.assertGreaterEqual(contrast(palette[name], palette["back"]), 3)

    def test_nothing_is_loaded(self):
        self.assertNotRegex(STYLE, r"url\(|@import|@font-face")


if __name__ == "__main__":
    unittest.main()
