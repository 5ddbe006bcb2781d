"""Squails: discs struck over a round table at a small target. Rules SQU-01 … SQU-28, ledger S-01 … S-24."""

# Nothing is imported here: table files of every game read the words of this one, and needn't load its rules.
