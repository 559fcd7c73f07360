"""Deployment: the manifests are valid, and name the settings and metrics that there are.

Kubernetes' own schemas judge the manifests. Compose, Caddy and Prometheus have no such checker here: of their
files only the names are compared.
"""

import json
import re
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from msgspec.structs import fields
from prometheus_client import REGISTRY

import bot.metrics  # noqa: F401 - it makes them
from adapters.discord_chat.webhook import PATH
from bot.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
DEPLOY = ROOT / "deploy"

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


def test_the_scaled_compose_file_changes_what_the_other_has() -> None:
    base = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
    scaled = yaml.load((DEPLOY / "compose.scaled.yaml").read_text("utf-8"), _Compose)
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
