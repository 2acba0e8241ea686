"""Which patches share a build, since builds are what a run costs.

Faults share one where none reaches the other's workload: each is gated alone, as if the others were not there.
Counterparts have no effect, so all that apply together share one."""
from fault_rows import Refused
from patches import changed_files, git_apply, patch_of

LANGUAGE = {"char_lm", "char_lm_bf16", "char_lm_checkpoint", "char_lm_parallel", "char_lm_generate",
            "char_lm_graphed"}
DIGITS = {"digits_cnn", "digits_cnn_bf16", "digits_cnn_classify"}
VISION = DIGITS | {"photo_decode"}
TABULAR = {"field_transformer"}
EVERYONE = LANGUAGE | VISION | TABULAR

# Who runs the code of a file: the first row whose text begins its path. Any other file may be run by all.
REACH = (
    ("perftests/language/char_lm_parallel", {"char_lm_parallel"}),
    ("perftests/language/char_lm_graphed", {"char_lm_graphed"}),
    ("perftests/support/gradient_exchange", {"char_lm_parallel"}),
    ("perftests/support/exchange_clock", {"char_lm_parallel"}),
    ("perftests/support/rank_group", {"char_lm_parallel"}),
    ("perftests/language/char_generator", {"char_lm_generate"}),
    ("perftests/language/", LANGUAGE),
    ("perftests/support/token_batches", LANGUAGE),
    ("perftests/support/clip_gradients", LANGUAGE),
    ("perftests/tabular/", TABULAR),
    ("perftests/vision/digit_samples", DIGITS | TABULAR),
    ("perftests/vision/digits_classifier", {"digits_cnn_classify"}),
    ("perftests/vision/digit", DIGITS),
    ("perftests/vision/photo", {"photo_decode"}),
    ("perftests/support/resample", {"photo_decode"}),
    ("perftests/support/jpeg", {"photo_decode"}),
    ("perftests/vision/", VISION),
    ("perftests/support/image_", VISION | TABULAR),
    ("perftests/support/record_file", DIGITS | TABULAR),
)


def reach_of(patch):
    """The workloads that may run what the patch changes."""
    workloads = set()
    for name in changed_files(patch):
        workloads |= next((who for begin, who in REACH if name.startswith(begin)), EVERYONE)
    return workloads


def workload_of(row):
    workload = row["case"].split("/")[1]
    if workload not in EVERYONE:
        raise Refused(f"{row['name']}: tests/zoo/groups.py does not say which files {workload} runs")
    return workload


def is_apart(root, row, other):
    """Neither patch reaches the workload of the other."""
    return (workload_of(row) not in reach_of(patch_of(root, other["name"]))
            and workload_of(other) not in reach_of(patch_of(root, row["name"])))


def groups_of_faults(root, faults):
    groups = []
    for row in faults:
        home = next((group for group in groups if all(is_apart(root, row, other) for other in group)), None)
        if home is None:
            groups.append([row])
        else:
            home.append(row)
    return groups


def groups_of_counterparts(root, faults, tree):
    """Each group applies to `tree` one over the other; most touch another place than the rest."""
    groups, left = [], list(faults)
    while left:
        group, later = [], []
        for row in left:
            fits = not git_apply(tree, patch_of(root, row["name"] + "_unchanged"))
            (group if fits else later).append(row)
        for row in reversed(group):
            git_apply(tree, patch_of(root, row["name"] + "_unchanged"), "-R")
        if not group:  # alone it fails too: whoever applies it says why
            group, later = left[:1], left[1:]
        groups.append(group)
        left = later
    return groups
