"""The marker: tables, rules, engine, journal, publishers and the command line."""
