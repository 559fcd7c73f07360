"""Deployment: the manifests are valid, and name the settings and metrics that there are; the containers'
files fit the project and each other.

Kubernetes' own schemas judge the manifests. Docker, Compose, Caddy and Prometheus have no such checker here:
of their files only the names and some lines are compared.
"""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import kubernetes_validate
import pytest
import redis
import yaml
from msgspec.structs import fields
from packaging.specifiers import SpecifierSet
from prometheus_client import REGISTRY

import bot.metrics  # noqa: F401 - it makes them
from adapters.discord_chat.webhook import PATH
from bot.settings import Secret, Settings, settings_from
from bot.store.embedded import valkey_binary

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
RUNNING = (ROOT / "docs" / "running.md").read_text("utf-8")

MANIFESTS: list[dict[str, Any]] = list(yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text("utf-8")))


class _Compose(yaml.SafeLoader):
    """Also reads what Compose adds to YAML."""


_Compose.add_constructor("!reset", lambda loader, node: None)


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda each: str(each["kind"]))
def test_a_manifest_is_what_kubernetes_takes(manifest: dict[str, Any]) -> None:
    kubernetes_validate.validate(manifest, "1.37", strict=True)


def test_a_manifest_with_a_mistake_is_found() -> None:
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**MANIFESTS[1], "spek": {}}, "1.37", strict=True)


def test_the_manifests_name_settings_that_there_are() -> None:
    (secret,) = [each["stringData"] for each in MANIFESTS if each["kind"] == "Secret"]
    (deployment,) = [each["spec"] for each in MANIFESTS if each["kind"] == "Deployment"]
    (container,) = deployment["template"]["spec"]["containers"]
    named = {*secret, *(each["name"] for each in container["env"])}
    assert named <= {setting.encode_name for setting in fields(Settings)}
    assert deployment["template"]["metadata"]["labels"] == deployment["selector"]["matchLabels"]


def composed(file: Path) -> dict[str, Any]:
    """The content of a file of Compose."""
    read: dict[str, Any] = yaml.load(file.read_text("utf-8"), _Compose)
    return read


def test_the_image_gets_all_that_it_copies_and_all_that_the_package_needs() -> None:
    copied = {
        each
        for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
        for each in line.split()[:-1]
    }
    kept = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert copied == {line.removeprefix("!") for line in kept if line.startswith("!")}
    assert [each for each in copied if not (ROOT / each).exists()] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    packages = project["tool"]["setuptools"]["packages"]["find"]["include"]
    assert {each.removesuffix("*") for each in packages} <= copied


def test_the_images_are_the_same_everywhere_and_their_python_is_one_that_the_project_takes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    (image,) = re.findall(r"^ARG PYTHON_IMAGE=(python:([\d.]+)\S*)$", DOCKERFILE, re.MULTILINE)
    assert image[1] in SpecifierSet(project["project"]["requires-python"])
    assert set(re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)) == {"${PYTHON_IMAGE}"}
    services = composed(ROOT / "compose.yaml")["services"]
    assert services["okey"]["build"]["args"] == {"PYTHON_IMAGE": f"${{PYTHON_IMAGE:-{image[0]}}}"}
    (store,) = re.findall(r"\$\{STORE_IMAGE:-(.+)\}", services["store"]["image"])
    assert set(re.findall(r"^docker pull (\S+)$", RUNNING, re.MULTILINE)) == {image[0], store}


@pytest.mark.parametrize(
    "file", [ROOT / "compose.yaml", DEPLOY / "compose.scaled.yaml"], ids=lambda each: each.name
)
def test_no_container_has_a_right_that_it_does_not_need(file: Path) -> None:
    base = composed(ROOT / "compose.yaml")["services"]
    for name, service in composed(file)["services"].items():
        rights = {**base.get(name, {}), **service}
        assert rights["cap_drop"] == ["ALL"]
        assert rights["security_opt"] == ["no-new-privileges:true"]
        assert rights["read_only"] is True
    assert "--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges" in RUNNING


def test_the_compose_version_is_stated_and_backups_are_private() -> None:
    stated = re.compile(r"Docker Compose (\d+\.\d+) or later")
    (needed,) = stated.findall((ROOT / "compose.yaml").read_text("utf-8"))
    assert stated.findall(RUNNING) == [needed]
    written = re.findall(r"^.*(?:tar --create|tar store -C /data -cz|cp store:).*$", RUNNING, re.MULTILINE)
    assert len(written) == 3
    assert all("(umask 077; " in line for line in written)


def test_the_scaled_compose_file_changes_what_the_other_has() -> None:
    base, scaled = composed(ROOT / "compose.yaml"), composed(DEPLOY / "compose.scaled.yaml")
    assert set(scaled["services"]) - set(base["services"]) == {"balancer"}
    assert scaled["services"]["okey"]["deploy"]["replicas"] > 1
    assert PATH in (DEPLOY / "Caddyfile").read_text("utf-8")


def test_rules_and_dashboard_name_metrics_that_there_are() -> None:
    rules = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))
    dashboard = json.loads((DEPLOY / "dashboard.json").read_text("utf-8"))
    asked = [rule["expr"] for group in rules["groups"] for rule in group["rules"]]
    asked += [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    named = {name for each in asked for name in re.findall(r"okey_\w+", each)}
    families = [family for family in REGISTRY.collect() if family.name.startswith("okey_")]
    there = {family.name + suffix for family in families for suffix in _SUFFIXES[family.type]}
    assert named <= there
    drawn = {family.name for family in families if any(family.name in each for each in asked)}
    assert drawn == {family.name for family in families}, "each is drawn or watched"


_SUFFIXES = {"counter": ("_total",), "gauge": ("",), "histogram": ("_bucket", "_count", "_sum")}


def networks(*files: Path) -> dict[str, set[str]]:
    """The networks of each service, as Compose adds those of later files."""
    found: dict[str, set[str]] = {}
    for file in files:
        for name, service in composed(file)["services"].items():
            found.setdefault(name, set()).update(service.get("networks", ()))
    return found


def test_nothing_but_the_program_shares_a_network_with_the_store() -> None:
    joined = networks(ROOT / "compose.yaml", DEPLOY / "compose.scaled.yaml")
    assert [name for name in joined if joined[name] & joined["store"]] == ["okey", "store"]
    assert joined["balancer"] & joined["okey"]
    assert composed(ROOT / "compose.yaml")["networks"]["store"] == {"internal": True}
    (outside,) = joined["store"]
    assert outside == "store", "it reaches nothing else"


def test_the_store_of_compose_gets_a_password_at_the_first_start_and_keeps_it(tmp_path: Path) -> None:
    services = composed(ROOT / "compose.yaml")["services"]
    (written,) = services["password"]["command"]
    script = written.replace("$$", "$").replace("/secret", str(tmp_path))
    passwords = set()
    for _ in range(2):
        subprocess.run(["sh", "-euc", script], check=True)
        passwords.add((tmp_path / "password").read_text().strip())
    (password,) = passwords
    assert re.fullmatch("[0-9a-f]{64}", password)
    assert services["store"]["command"].split()[:2] == ["valkey-server", "/secret/store.conf"]
    socket = tmp_path / "s"
    arguments = [str(tmp_path / "store.conf"), "--port", "0", "--unixsocket", str(socket), "--save", ""]
    with subprocess.Popen([valkey_binary(), *arguments], cwd=tmp_path, stdout=subprocess.DEVNULL) as server:
        patient = redis.retry.Retry(redis.backoff.ConstantBackoff(0.05), 200)
        try:
            with redis.Redis(unix_socket_path=str(socket), password=password, retry=patient) as client:
                assert client.ping()
            stranger = redis.Redis(unix_socket_path=str(socket))
            with stranger, pytest.raises(redis.AuthenticationError):
                stranger.ping()
        finally:
            server.kill()
    given = services["okey"]["environment"]
    settings = settings_from({**given, "REDIS_PASSWORD_FILE": str(tmp_path / "password")})
    assert settings.redis_url == Secret(f"redis://:{password}@store:6379/0")
    assert given["REDIS_PASSWORD_FILE"] == "/secret/password"


def test_in_kubernetes_the_store_is_guarded_and_the_image_is_named_by_its_digest() -> None:
    (secret,) = [each["stringData"] for each in MANIFESTS if each["kind"] == "Secret"]
    address = urlsplit(secret["REDIS_URL"])
    assert (address.scheme, bool(address.password)) == ("rediss+cluster", True)
    (deployment,) = [each["spec"] for each in MANIFESTS if each["kind"] == "Deployment"]
    pod = deployment["template"]["spec"]
    assert re.search(r"@sha256:[0-9a-f]{64}$", pod["containers"][0]["image"])
    (authority,) = parse_qs(address.query)["ssl_ca_certs"]
    mounted = {each["mountPath"] for each in pod["containers"][0]["volumeMounts"]}
    assert authority.rpartition("/")[0] in mounted
    policies = {
        each["metadata"]["name"]: each["spec"] for each in MANIFESTS if each["kind"] == "NetworkPolicy"
    }
    assert policies["okey"]["podSelector"] == deployment["selector"]
    reached = [each for rule in policies["okey-store"]["ingress"] for each in rule["from"]]
    assert {each["podSelector"]["matchLabels"]["app.kubernetes.io/name"] for each in reached} == {
        "okey",
        "store",
    }
