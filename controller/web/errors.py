"""What can keep the web page from being served: each a sentence with its remedy."""

from __future__ import annotations


class WebError(OSError):
    """The web page can't be served; the message says where and what to do."""


class PortTaken(WebError):
    """Another program listens on the port."""


class PortRefused(WebError):
    """The port may not be opened by this user, or the address isn't this machine's."""


class HistoryUnreadable(WebError):
    """The journal can't be read just now."""
