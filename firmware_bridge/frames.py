"""Frames: COBS, a type, a tag, a CRC (docs/protocol.md). Bytes in, frames out; whatever comes, memory stays bounded."""

from __future__ import annotations

from binascii import crc_hqx
from typing import NamedTuple

from cobs import cobs  # type: ignore[import-untyped]  # cobs has no types

LONGEST = 128
"""Bytes of the longest frame on the wire, without its end: more is garbage, however long it goes on."""


class Frame(NamedTuple):
    """One frame: `kind` is the code of an ASCII letter."""

    kind: int
    tag: int
    payload: bytes


def encode_frame(kind: str, tag: int, payload: bytes = b"") -> bytes:
    """The bytes of a frame, its end included."""
    body = bytes((ord(kind), tag)) + payload
    coded: bytes = cobs.encode(body + crc_hqx(body, 0xFFFF).to_bytes(2, "little"))
    return coded + b"\0"


def decode_frame(coded: bytes) -> Frame | None:
    """The frame in these bytes, which end before the 00; None if it is damaged."""
    try:
        body: bytes = cobs.decode(coded)
    except cobs.DecodeError:
        return None
    if len(body) < 4 or crc_hqx(body[:-2], 0xFFFF) != body[-2] | body[-1] << 8:
        return None
    return Frame(body[0], body[1], body[2:-2])


class FrameReader:
    r"""Cuts a stream into frames, however it comes in pieces; counts what it drops.

    `good`: whole frames; `bad`: damaged or overlong ones; `dropped`: bytes of those; `excerpt`: the first bytes that were no
    frame of ours, to tell people what a stranger says; `heard`: all bytes.

    >>> reader = FrameReader()
    >>> reader.feed(b"what?" + b"\0" + encode_frame("h", 1, b"\1"))
    [Frame(kind=104, tag=1, payload=b'\x01')]
    >>> reader.good, reader.bad, reader.excerpt
    (1, 1, b'what?')
    """

    def __init__(self) -> None:
        self.good = self.bad = self.dropped = self.heard = 0
        self.excerpt = b""
        self._rest = b""
        self._overlong = False

    @property
    def unfinished(self) -> bytes:
        """What has come of a frame that isn't at its end."""
        return self._rest

    def feed(self, data: bytes) -> list[Frame]:
        """Take the next bytes; gives the frames that they complete."""
        self.heard += len(data)
        *whole, rest = (self._rest + data).split(b"\0")
        frames = []
        for coded in whole:
            if self._overlong:  # its start was dropped before
                self._overlong = False
                self._drop(coded, frame=True)
            elif coded:
                frame = decode_frame(coded) if len(coded) <= LONGEST else None
                if frame is None:
                    self._drop(coded, frame=True)
                else:
                    frames.append(frame)
        self.good += len(frames)
        if self._overlong or len(rest) > LONGEST:
            self._overlong = True
            self._drop(rest, frame=False)
            rest = b""
        self._rest = rest
        return frames

    def _drop(self, coded: bytes, *, frame: bool) -> None:
        self.bad += frame
        self.dropped += len(coded)
        self.excerpt = (self.excerpt + coded[:LONGEST])[:LONGEST] if len(self.excerpt) < LONGEST else self.excerpt
