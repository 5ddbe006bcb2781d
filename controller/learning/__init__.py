"""Which input is which, learnt at the table: what moved (`contacts`), rang (`rings`) or spoke is asked for in turn (`lesson`)."""
