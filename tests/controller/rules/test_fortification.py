"""Fortification billiards: the adjudicated cases."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules_kit import case_params, check_case


@pytest.mark.parametrize("case", case_params("fortification"))
def test_case(case: dict[str, Any]) -> None:
    check_case(case)
