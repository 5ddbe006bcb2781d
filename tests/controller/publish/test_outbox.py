from __future__ import annotations

from collections import deque

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from controller.publish.outbox import Outbox, Passing, Rank, Sending, Waiting
from hardware.signals import SECOND


def passing(text: str, at: int = 0) -> Passing:
    return Passing("t/events", text.encode, at)


@pytest.fixture
def outbox() -> Outbox:
    return Outbox(Waiting(4), Waiting(4))


def drain(outbox: Outbox, now: int = 0) -> list[Sending]:
    """Send whatever may be sent, without any acknowledgement."""
    return list(iter(lambda: outbox.next(now), None))


def test_nothing_is_sent_before_a_connection_stands(outbox: Outbox) -> None:
    outbox.retain("t/score", b"1")
    assert outbox.next(0) is None


def test_a_connection_begins_with_the_birth_then_discovery_then_state(outbox: Outbox) -> None:
    outbox.retain("t/score", b"1")
    outbox.retain("ha/device", b"d", Rank.DISCOVERY)
    outbox.retain("t/status", b"online", Rank.BIRTH)
    outbox.connected(20)
    assert [sending.topic for sending in drain(outbox)] == ["t/status", "ha/device", "t/score"]
    assert outbox.all_sent
    assert not outbox.settled


def test_retained_topics_send_their_newest_alone_one_at_a_time(outbox: Outbox) -> None:
    outbox.connected(20)
    outbox.retain("t/score", b"1")
    (first,) = drain(outbox)
    for n in range(2, 100):
        outbox.retain("t/score", str(n).encode())
    assert drain(outbox) == []
    outbox.acknowledged(first.ticket)
    (second,) = drain(outbox)
    assert (second.payload, second.retain) == (b"99", True)
    outbox.acknowledged(second.ticket)
    assert outbox.settled


def test_what_is_the_same_as_before_is_not_sent(outbox: Outbox) -> None:
    outbox.connected(20)
    outbox.retain("t/score", b"1")
    (first,) = drain(outbox)
    outbox.retain("t/score", b"2")
    outbox.retain("t/score", b"1")
    outbox.acknowledged(first.ticket)
    assert drain(outbox) == []


def test_a_new_connection_sends_everything_retained_again(outbox: Outbox) -> None:
    outbox.connected(20)
    outbox.retain("t/score", b"1")
    outbox.retain("t/health", b"well")
    for sending in drain(outbox):
        outbox.acknowledged(sending.ticket)
    outbox.lost()
    outbox.connected(20)
    assert {sending.topic: sending.payload for sending in drain(outbox)} == {"t/score": b"1", "t/health": b"well"}


def test_everything_is_repeated_in_order_for_somebody_who_comes_later(outbox: Outbox) -> None:
    outbox.connected(20)
    outbox.retain("t/score", b"1")
    outbox.retain("ha/device", b"d", Rank.DISCOVERY)
    outbox.retain("t/status", b"online", Rank.BIRTH)
    on_its_way, *rest = drain(outbox)
    for sending in rest:
        outbox.acknowledged(sending.ticket)
    outbox.repeat()
    assert [sending.topic for sending in drain(outbox)] == ["t/status", "ha/device"]
    outbox.acknowledged(on_its_way.ticket)
    assert [(sending.topic, sending.payload) for sending in drain(outbox)] == [("t/score", b"1")]


def test_a_cleared_topic_is_forgotten_once_the_broker_knows(outbox: Outbox) -> None:
    outbox.connected(20)
    outbox.retain("t/sensors/gone", b"")
    (clearing,) = drain(outbox)
    outbox.lost()
    outbox.connected(20)
    (again,) = drain(outbox)
    assert (clearing.payload, again.payload) == (b"", b"")
    outbox.acknowledged(again.ticket)
    assert len(outbox) == 0


def test_the_window_bounds_what_is_unacknowledged(outbox: Outbox) -> None:
    outbox.connected(3)
    for n in range(10):
        outbox.retain(f"t/sensors/{n}", b"x")
    sent = drain(outbox)
    assert len(sent) == 3
    outbox.acknowledged(sent[0].ticket)
    assert len(drain(outbox)) == 1


def test_scores_go_before_replies_and_replies_before_events() -> None:
    replies, events = Waiting(4), Waiting(4)
    outbox = Outbox(replies, events)
    outbox.connected(20)
    events.put(passing("event"))
    replies.put(passing("reply"))
    outbox.retain("t/score", b"score")
    assert [sending.payload for sending in drain(outbox)] == [b"score", b"reply", b"event"]


def test_a_full_queue_drops_its_oldest_and_counts() -> None:
    waiting = Waiting(3)
    for n in range(10):
        waiting.put(passing(str(n)))
    assert (len(waiting), waiting.dropped) == (3, 7)
    assert [message.make() for message in iter(lambda: waiting.take(0), None)] == [b"7", b"8", b"9"]


def test_what_waited_half_a_minute_is_not_sent_any_more() -> None:
    waiting = Waiting(3)
    waiting.put(passing("old", at=0))
    waiting.put(passing("new", at=1))
    message = waiting.take(30 * SECOND + 1)
    assert message is not None
    assert (message.make(), waiting.late) == (b"new", 1)


def test_what_is_held_waits_for_its_release() -> None:
    waiting = Waiting(3)
    waiting.put(passing("a"), held=True)
    assert waiting.take(0) is None
    waiting.release()
    waiting.put(passing("b"), held=True)
    assert [message.make() for message in iter(lambda: waiting.take(0), None)] == [b"a"]
    waiting.release()
    assert [message.make() for message in iter(lambda: waiting.take(0), None)] == [b"b"]


def test_held_messages_are_bounded_too() -> None:
    waiting = Waiting(2)
    for n in range(5):
        waiting.put(passing(str(n)), held=True)
    assert (len(waiting), waiting.dropped, waiting.take(0)) == (2, 3, None)
    waiting.release()
    assert [message.make() for message in iter(lambda: waiting.take(0), None)] == [b"3", b"4"]


def test_unacknowledged_events_come_again_first_after_a_lost_connection() -> None:
    events = Waiting(4)
    outbox = Outbox(Waiting(4), events)
    outbox.connected(2)
    for text in "abc":
        events.put(passing(text))
    assert [sending.payload for sending in drain(outbox)] == [b"a", b"b"]
    outbox.lost()
    outbox.connected(20)
    assert [sending.payload for sending in drain(outbox)] == [b"a", b"b", b"c"]


def test_putting_back_into_a_full_queue_drops_the_oldest() -> None:
    waiting = Waiting(3)
    for text in "cd":
        waiting.put(passing(text))
    waiting.put_back([passing("a"), passing("b")])
    assert waiting.dropped == 1
    assert [message.make() for message in iter(lambda: waiting.take(0), None)] == [b"b", b"c", b"d"]


def test_since_when_the_broker_owes_an_acknowledgement(outbox: Outbox) -> None:
    outbox.connected(20)
    assert outbox.unacknowledged_since() is None
    outbox.retain("t/a", b"1")
    first = outbox.next(100)
    outbox.retain("t/b", b"1")
    outbox.next(200)
    assert outbox.unacknowledged_since() == 100
    assert first is not None
    outbox.acknowledged(first.ticket)
    assert outbox.unacknowledged_since() == 200


TOPICS = ("t/score", "t/questions", "t/sensors/a", "t/sensors/b")


class AnyNetwork(RuleBasedStateMachine):
    """A broker behind a network that delays, cuts, and loses acknowledgements; within a connection order holds."""

    def __init__(self) -> None:
        super().__init__()
        self.events = Waiting(5)
        self.outbox = Outbox(Waiting(5), self.events)
        self.newest: dict[str, bytes] = {}
        self.kept: dict[str, bytes] = {}
        self.arrived: list[bytes] = []
        self.up: deque[Sending] = deque()
        self.acks: deque[Sending] = deque()
        self.unacknowledged: list[Sending] = []
        self.window = 0
        self.now = 0
        self.handed_over = 0

    @rule(topic=st.sampled_from(TOPICS), payload=st.sampled_from([b"", b"1", b"2", b"3"]))
    def retain(self, topic: str, payload: bytes) -> None:
        self.outbox.retain(topic, payload)
        self.newest[topic] = payload

    @rule()
    def event(self) -> None:
        self.handed_over += 1
        self.events.put(passing(str(self.handed_over), self.now))

    @rule(seconds=st.integers(0, 20))
    def wait(self, seconds: int) -> None:
        self.now += seconds * SECOND

    @precondition(lambda self: not self.window)
    @rule(window=st.integers(1, 4))
    def connect(self, window: int) -> None:
        self.window = window
        self.outbox.connected(window)

    @precondition(lambda self: self.window)
    @rule()
    def send(self) -> None:
        sending = self.outbox.next(self.now)
        if sending is not None:
            self.up.append(sending)
            self.unacknowledged.append(sending)

    @precondition(lambda self: self.up)
    @rule()
    def arrive(self) -> None:
        sending = self.up.popleft()
        self.acks.append(sending)
        if sending.retain:
            self.kept[sending.topic] = sending.payload
        else:
            self.arrived.append(sending.payload)

    @precondition(lambda self: self.acks)
    @rule()
    def acknowledge(self) -> None:
        sending = self.acks.popleft()
        self.unacknowledged.remove(sending)
        self.outbox.acknowledged(sending.ticket)

    @precondition(lambda self: self.window)
    @rule(still_arrive=st.integers(0, 4))
    def cut(self, still_arrive: int) -> None:
        for _ in range(min(still_arrive, len(self.up))):
            self.arrive()
        self.up.clear()
        self.acks.clear()
        self.unacknowledged.clear()
        self.window = 0
        self.outbox.lost()

    @precondition(lambda self: not self.window)
    @rule()
    def broker_forgets(self) -> None:
        self.kept.clear()

    @precondition(lambda self: self.window)
    @rule()
    def somebody_comes_who_has_missed_everything(self) -> None:
        self.kept.clear()
        self.outbox.repeat()

    @invariant()
    def one_message_a_retained_topic_is_on_its_way(self) -> None:
        topics = [sending.topic for sending in self.unacknowledged if sending.retain]
        assert len(topics) == len(set(topics))

    @invariant()
    def the_window_holds(self) -> None:
        assert len(self.unacknowledged) <= self.window

    @invariant()
    def memory_is_bounded(self) -> None:
        assert len(self.outbox) + len(self.events) <= len(TOPICS) + 4 + self.events.limit

    def teardown(self) -> None:
        """Whatever happened: once a connection lasts, the broker has the newest of each topic and nothing more."""
        if not self.window:
            self.connect(4)
        while True:
            self.send()
            if not self.up and not self.acks:
                break
            if self.up:
                self.arrive()
            self.acknowledge()
        assert self.outbox.settled
        assert {topic: payload for topic, payload in self.kept.items() if payload} == {
            topic: payload for topic, payload in self.newest.items() if payload
        }
        first_arrivals = list(dict.fromkeys(int(payload) for payload in self.arrived))
        assert first_arrivals == sorted(first_arrivals)
        assert len(first_arrivals) + self.events.dropped + self.events.late >= self.handed_over


TestAnyNetwork = AnyNetwork.TestCase
TestAnyNetwork.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
