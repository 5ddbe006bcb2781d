"""The engine: one thread that folds events, keeps the journal and hands on the state."""
