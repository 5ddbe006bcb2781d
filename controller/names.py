"""What a name may hold: it is printed to terminals and screens, read aloud, and stands in tables and topics.

No control characters, which give a terminal orders; none that turn the direction of writing round or stand for nothing, with
which one name looks like another. The joiners of Persian, of Indian scripts and of emoji are letters to those who use them.
"""

from __future__ import annotations

CONTROL = r"\x00-\x1f\x7f-\x9f"
"""Line breaks and other control characters, in a pattern's brackets."""
UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u2800\u3164\ufeff\uffa0\ufff9-\ufffb"
)
"""Turns of direction, separators, fillers and what has no width, in a pattern's brackets."""
JOINERS = r"\u200c\u200d\ufe00-\ufe0f"
"""What is seen only in what it joins or varies, in a pattern's brackets."""
PLAIN = f"^[^{CONTROL}{UNSEEN}]*$"
"""A text of one line that is what it looks like."""
NAME = rf"^\s*[^\s{CONTROL}{UNSEEN}{JOINERS}][^{CONTROL}{UNSEEN}]*$"
"""The same of a name, of which something is seen; blanks around it are taken off first."""
NOT_PLAIN = "no line breaks, other control characters, or marks that turn the direction of writing or can't be seen"
"""What it has not."""
