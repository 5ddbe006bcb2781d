"""What a name may hold: it is printed to terminals and screens, read aloud, and stands in tables and topics.

No control characters, which give a terminal orders; none that turn the direction of writing round or stand for nothing, with
which one name looks like another. The joiners of Persian, of Indian scripts and of emoji are letters to those who use them.
"""

from __future__ import annotations

CONTROL = r"\x00-\x1f\x7f-\x9f"
"""Line breaks and other control characters, in a pattern's brackets."""
UNSEEN = "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
"""Turns of direction, separators and what has no width, in a pattern's brackets."""
PLAIN = f"^[^{CONTROL}{UNSEEN}]*$"
"""A text of one line that is what it looks like."""
NOT_PLAIN = "no line breaks, other control characters, or marks that turn the direction of writing or can't be seen"
"""What it has not."""
