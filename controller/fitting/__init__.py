"""From a table file to the parts that it names: sources, detectors, the table, lamps and voice."""
