"""Names and docstrings: a function is named by a verb, and its docstring begins with one."""

import ast
import re

from tests.sources import PROGRAM, ROOT, nodes_in

PARTICIPLE = re.compile(
    r"_*([a-z]+ed|told|met|held|made|found|known|seen|given|taken|kept|left|shown|drawn|laid|written|said|sent|begun"
    r"|done|gone|dealt|built|chosen|forgotten|hidden|lost|thrown|won|worn|withdrawn)(_\w+)?|(?!is_)\w+_told"
)
VERBS = {"feed", "need", "embed", "exceed", "proceed", "seed"}
NO_VERB = re.compile(
    r"(Whether|The|A|An|All|Every|Each|Any|One|Two|What|Who|How|When|Where|Which|This|Those|These|It|Its|Their|For|Of"
    r"|In|As|Up|Until|Without|True|None|Everybody|Somebody|Nobody|People|Words|Seconds|Tables|Buttons|Keys|\w+'s)\b"
)


def test_functions_are_named_by_verbs_and_docstrings_begin_with_one() -> None:
    wrong = []
    for file, node in nodes_in(*PROGRAM):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        is_value = any(ast.unparse(each).endswith("property") for each in node.decorator_list)
        named = PARTICIPLE.fullmatch(node.name) and node.name.strip("_").split("_")[0] not in VERBS
        begins = NO_VERB.match(ast.get_docstring(node) or "")
        if (named or begins) and not is_value:
            wrong.append(f"{file.relative_to(ROOT)}:{node.lineno} {node.name}")
    assert wrong == []
