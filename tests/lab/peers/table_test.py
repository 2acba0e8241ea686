import unittest
from dataclasses import replace

from peers.cell import Cell, Counts, Plan
from peers.peer import Rule
from peers.table import groups
from peers.table_text import as_markdown, as_text
from peers.worst_of_all import worst_of_all

RULES = [Rule("stepgate.20", "stepgate", "", "", "pairs"), Rule("loud", "loud tool", "", "", "K+5"),
         Rule("deaf", "deaf tool", "", "", "1+1")]


def cell(change, stepgate, loud, deaf):
    counts = {key: Counts(red, undecided, 100)
              for key, (red, undecided) in (("stepgate.20", stepgate), ("loud", loud), ("deaf", deaf))}
    return Cell(Plan("bimodal", change, 100, 20, 100, 1, "t"), counts, {"stepgate.20": 6.5}, 1.0)


CELLS = [cell(0.0, (0, 10), (40, 0), (0, 0)), cell(0.03, (20, 30), (100, 0), (0, 0)), cell(0.05, (99, 1), (100, 0), (0, 0))]


class TableTest(unittest.TestCase):
    def setUp(self):
        self.group = groups(CELLS, RULES)[0]
        self.stepgate, self.loud, self.deaf = self.group.rows

    def test_missed_counts_everything_that_is_not_red(self):
        self.assertEqual(self.stepgate.missed[0.03].share.hits, 80)
        self.assertEqual(self.stepgate.undecided[0.03].share.hits, 30)
        self.assertEqual(self.loud.false_alarms[0.0].share.hits, 40)

    def test_only_better_peers_are_marked(self):
        self.assertTrue(self.loud.missed[0.03].better_than(self.stepgate.missed[0.03]))
        self.assertFalse(self.loud.false_alarms[0.0].better_than(self.stepgate.false_alarms[0.0]))
        self.assertFalse(self.loud.missed[0.05].better_than(self.stepgate.missed[0.05]))  # 0 against 1 of 100: in doubt
        markdown = as_markdown(self.group, {})
        self.assertIn("**0.0 (0.0–3.6)**", markdown)
        self.assertEqual(markdown.count("**"), 2)

    def test_rules_of_separate_cells_are_joined(self):
        apart = [replace(one, counts={key: counts}, mean_pairs=pairs) for one in CELLS
                 for key, counts in one.counts.items() for pairs in ({"stepgate.20": 6.5} if key == "stepgate.20" else {},)]
        self.assertEqual(groups(apart, RULES)[0], self.group)

    def test_the_worst_of_all_models_is_taken_for_each_column(self):
        other = [replace(one, plan=replace(one.plan, model="spikes"), mean_pairs={"stepgate.20": 9.0}) for one in (
            cell(0.0, (3, 0), (0, 0), (0, 0)), cell(0.03, (20, 0), (50, 0), (0, 0)), cell(0.05, (99, 1), (90, 0), (0, 0)))]
        stepgate, loud, deaf = worst_of_all(groups(CELLS + other, RULES)).rows
        self.assertEqual((stepgate.false_alarms[0.0].share.hits, stepgate.undecided[0.0].share.hits), (3, 10))
        self.assertEqual((loud.false_alarms[0.0].share.hits, loud.missed[0.03].share.hits), (40, 50))
        self.assertEqual((loud.detectable.change, deaf.detectable.change), (None, None))
        self.assertEqual(stepgate.cost, "9.0+9.0")

    def test_the_cost_has_numbers(self):
        self.assertEqual([row.cost for row in self.group.rows], ["6.5+6.5", "20+5", "1+1"])

    def test_the_detectable_change_of_a_rule_with_false_alarms_is_in_brackets(self):
        rows = {line.split("  ")[0]: line for line in as_text(self.group, {"loud": 0.25}).splitlines()}
        self.assertRegex(rows["loud tool"], r"\[3\.0\]\s+0\.25$")
        self.assertRegex(rows["deaf tool"], r"> 5\s+-$")
        self.assertRegex(rows["stepgate"], r" 4\.9\s+-$")


if __name__ == "__main__":
    unittest.main()
