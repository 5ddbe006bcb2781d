"""The table file: one TOML file says what a table is, how it is wired and where its score goes."""

from controller.tablefile.faults import Fault, TableFileErrors
from controller.tablefile.load import Reading, load_table, read_table, read_tables
from controller.tablefile.model import TableFile

__all__ = ["Fault", "Reading", "TableFile", "TableFileErrors", "load_table", "read_table", "read_tables"]
