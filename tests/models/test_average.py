"""The mean of two namers' weights."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from models.training.average import mean_of, read
from models.training.namer_net import NamerNet

pytestmark = pytest.mark.train


def test_numbers_are_averaged_and_counters_are_the_later_ones() -> None:
    one = {"w": torch.tensor([1.0, 2.0]), "seen": torch.tensor(3)}
    other = {"w": torch.tensor([3.0, 6.0]), "seen": torch.tensor(8)}
    found = mean_of(one, other)
    assert found["w"].tolist() == [2.0, 4.0] and found["seen"].item() == 8
    assert found["seen"].dtype == torch.int64


@pytest.mark.parametrize("odd", [{"w": torch.zeros(3)}, {"v": torch.zeros(2)}, {}])
def test_weights_of_another_net_are_refused(odd: dict[str, torch.Tensor]) -> None:
    with pytest.raises(ValueError, match="two different nets"):
        mean_of({"w": torch.zeros(2)}, odd)


def test_a_shallower_net_is_read_as_the_deeper_one_that_begins_with_it(tmp_path: Path) -> None:
    torch.manual_seed(1)
    shallow = NamerNet(depths=(1, 1, 1)).half()
    torch.save({"model": shallow.state_dict()}, tmp_path / "last.pt")
    deep, pictures = NamerNet(), torch.rand(3, 3, 48, 48)
    deep.load_state_dict(read(tmp_path / "last.pt"))
    with torch.no_grad():
        assert torch.allclose(deep.eval()(pictures), shallow.float().eval()(pictures), atol=1e-4)
