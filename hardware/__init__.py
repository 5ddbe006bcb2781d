"""The hardware abstraction layer: sources of signals, detectors, outputs."""
