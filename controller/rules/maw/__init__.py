"""Maw: tricks, asked and vied cards under the Groom-Porter's laws. Rules MAW-01 … MAW-16b, ledger M-01 … M-20."""

# Nothing is imported here: table files of every game read the words of this one, and needn't load its rules.
