"""Maw: tricks, asked and vied cards under the Groom-Porter's laws. Rules MAW-01 … MAW-16b, ledger M-01 … M-20."""

from controller.rules.maw.game import Maw

__all__ = ["Maw"]
