"""What the repository promises about itself: locked, complete, and the same on every machine."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "requirements-dev.lock")

# Written in pieces, so that this file does not name them either.
REGISTRIES = ("py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "debian" + ".org", "crates" + ".io")
MACHINE_PATHS = ("/" + "work/", "/" + "opt/pypi", "/" + "root/", "/" + "home/")


def tracked() -> list[Path]:
    """Every file of the repository, as git knows it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def project() -> dict[str, list[str]]:
    """The names of the packages that pyproject.toml asks for, by group; `run` are the program's own."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = {"run": told["project"]["dependencies"], **told["dependency-groups"]}
    return {group: [re.split(r"[<>=[]", line)[0] for line in lines] for group, lines in groups.items()}


def locked(lock: str) -> dict[str, list[str]]:
    """Each pin of a lock, `name==version`, with its options: the hashes."""
    text = (ROOT / lock).read_text(encoding="utf-8").replace("\\\n", " ")
    pins = (line.split() for line in text.splitlines())
    return {words[0]: [word for word in words[1:] if word.startswith("--")] for words in pins}


def normal(name: str) -> str:
    return name.lower().replace(".", "-").replace("_", "-")


@pytest.mark.parametrize("words", [REGISTRIES, MACHINE_PATHS], ids=["registries", "machine-paths"])
def test_no_file_names_a_registry_or_a_place_on_a_machine(words: tuple[str, ...]) -> None:
    named = [
        (str(file.relative_to(ROOT)), word)
        for file in tracked()
        for word in words
        if word.encode() in file.read_bytes()
    ]
    assert named == []


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_pins_every_package_by_version_and_hash(lock: str) -> None:
    for pin, hashes in locked(lock).items():
        assert re.fullmatch(r"[a-z0-9-]+==[\w.]+", pin), pin
        assert hashes, pin
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", text) for text in hashes), pin


def test_the_locks_hold_what_the_project_asks_for() -> None:
    groups = project()
    for lock, names in {
        "requirements.lock": groups["run"] + groups["build"],
        "requirements-dev.lock": [name for group in groups.values() for name in group],
    }.items():
        pinned = {pin.partition("==")[0] for pin in locked(lock)}
        assert {normal(name) for name in names} <= pinned


def test_what_is_tested_is_what_runs() -> None:
    running, tested = (locked(lock) for lock in LOCKS)
    assert {pin: tested.get(pin) for pin in running} == running


def test_the_dependencies_are_explained() -> None:
    told = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([^`]+)` \|", told, re.MULTILINE)
    assert sorted(rows) == sorted({name for group in project().values() for name in group})


@pytest.mark.parametrize("compiler", ["the machine's", "none"])
def test_an_installed_program_has_all_its_files(tmp_path: Path, compiler: str) -> None:
    """Scripts, templates, fonts and words travel with the code; what is in C is compiled if that can be."""
    source = tmp_path / "source"
    for file in tracked():
        name = file.relative_to(ROOT)
        if name.parts[0] in ("engine", "bot", "adapters", "pyproject.toml", "README.md", "LICENSE"):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes(file.read_bytes())
    wanted = {str(file.relative_to(source)) for file in source.glob("*/**/*") if file.is_file()}
    made = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--disable-pip-version-check", "--no-index", "--no-deps",
         "--no-build-isolation", "--wheel-dir", tmp_path, source],
        capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, **({"CC": "false"} if compiler == "none" else {})},
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    assert wanted - packed == set()
    built = {name for name in packed if name.startswith("engine/arrange/_speedups.") and name not in wanted}
    assert len(built) == (compiler != "none" and _can_compile())


def _can_compile() -> bool:
    header = Path(sysconfig.get_paths()["include"], "Python.h")
    return (
        header.exists() and shutil.which((sysconfig.get_config_var("CC") or "").partition(" ")[0]) is not None
    )


def test_links_between_documents_lead_somewhere() -> None:
    dead = [
        (str(file.relative_to(ROOT)), target)
        for file in tracked()
        if file.suffix == ".md"
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text(encoding="utf-8"))
        if not (file.parent / target).exists()
    ]
    assert dead == []
