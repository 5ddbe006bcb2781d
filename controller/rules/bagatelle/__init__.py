"""English bagatelle: nine balls, nine cups, usually 120 up. Rules BAG-01 … BAG-19, ledger B-01 … B-17."""

from controller.rules.bagatelle.game import Bagatelle, State

__all__ = ["Bagatelle", "State"]
