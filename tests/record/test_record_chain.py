"""The chain of hashes, without any database."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from kiosk.record.canonical import canonical
from kiosk.record.chain import KINDS, Entry, fault_of, genesis, is_kiosk_name, seal

payloads = st.dictionaries(st.text(max_size=8), st.integers() | st.text(max_size=8), max_size=4)


def chain_of(contents: list[dict[str, Any]], kiosk: str = "k1") -> list[Entry]:
    chain: list[Entry] = []
    for number, content in enumerate(contents, 1):
        chain.append(
            seal(
                kiosk=kiosk,
                seq=number,
                token=f"{number:032x}",
                time=f"2031-05-17T18:00:00.{number:06d}Z",
                offset_minutes=-210,
                synchronised=None,
                monotonic_us=number,
                kind="fault",
                round_id=None,
                payload_text=canonical(content),
                previous=chain[-1].hash if chain else genesis(kiosk),
            )
        )
    return chain


def first_fault(chain: list[Entry]) -> int | None:
    before = None
    for position, entry in enumerate(chain):
        if fault_of(entry, before) is not None:
            return position
        before = entry
    return None


@given(st.lists(payloads, max_size=6))
def test_a_sealed_chain_holds(contents: list[dict[str, Any]]) -> None:
    assert first_fault(chain_of(contents)) is None


other_values = st.one_of(
    st.none(),
    st.integers(),
    st.text(max_size=70),
    st.binary(max_size=5),
    st.floats(),
    st.booleans(),
)


@given(
    st.lists(payloads, min_size=1, max_size=5),
    st.data(),
)
def test_any_change_of_any_field_is_found_there(contents: list[Any], data: st.DataObject) -> None:
    chain = chain_of(contents)
    position = data.draw(st.integers(0, len(chain) - 1))
    name = data.draw(st.sampled_from([field.name for field in fields(Entry)]))
    value = data.draw(other_values)
    before = getattr(chain[position], name)
    if type(value) is type(before) and value == before:
        return
    chain[position] = replace(chain[position], **{name: value})
    assert first_fault(chain) == position


@given(st.lists(payloads, min_size=2, max_size=6), st.data())
def test_a_missing_or_moved_entry_is_found(contents: list[Any], data: st.DataObject) -> None:
    chain = chain_of(contents)
    position = data.draw(st.integers(0, len(chain) - 2))
    without = chain[:position] + chain[position + 1 :]
    assert first_fault(without) == position
    swapped = [*chain]
    swapped[position], swapped[position + 1] = swapped[position + 1], swapped[position]
    assert first_fault(swapped) == position


def test_an_entry_of_another_kiosk_does_not_fit() -> None:
    mine, other = chain_of([{}, {}]), chain_of([{}, {}], "k2")
    assert fault_of(other[1], mine[0]) == "it does not point at the entry before it"
    assert genesis("k1") != genesis("k2")


def test_a_payload_in_another_spelling_does_not_fit_even_with_a_fresh_hash() -> None:
    entry = seal(
        **{
            **{
                f.name: getattr(chain_of([{}])[0], f.name)
                for f in fields(Entry)
                if f.name != "hash"
            },
            "synchronised": True,
            "payload_text": '{"a": 1}',
        }
    )
    assert "payload" in str(fault_of(entry, None))


def test_json_of_an_entry_opens_its_payload() -> None:
    entry = chain_of([{"a": 1}])[0]
    data = entry.as_json()
    assert data["payload"] == {"a": 1}
    assert data["synchronised"] is None
    assert data["hash"] == entry.hash


def test_names_of_kiosks() -> None:
    assert is_kiosk_name("pit-3.table_4")
    for bad in ("", "a/b", "..", "-x", "x" * 65, "ä"):
        assert not is_kiosk_name(bad)
    assert "settled" in KINDS
