"""Tables of mixed columns on their way to a procedure: Arrow's IPC format across the boundary, a pandas DataFrame behind it.

What is written holds the rows that are handed over and nothing else: a word that only other rows have is not in the file. Nothing
is ever pickled.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from auditor.base.mixed_columns import Columns, Kind
from auditor.base.records import Floats, Positions

if TYPE_CHECKING:
    import pandas as pd

SUFFIX = ".arrow"


def write(path: Path, table: Columns, features: Floats) -> None:
    """Write rows as an Arrow file.

    Args:
        path: Where to.
        table: What the codes stand for.
        features: Codes, shape (n, d).
    """
    import pyarrow as pa  # noqa: PLC0415 - a quarter of a second, for tables of mixed columns alone

    kinds = {Kind.NUMBER: pa.float64(), Kind.INTEGER: pa.int64(), Kind.BOOLEAN: pa.bool_(), Kind.TEXT: pa.large_string()}
    arrays = []
    for at, column in enumerate(table):
        codes = features[:, at]
        kind = pa.timestamp(column.unit) if column.kind is Kind.TIME else kinds[column.kind]
        arrays.append(pa.array(column.values(codes), type=kind, mask=codes == column.missing))
    whole = pa.Table.from_arrays(arrays, names=[column.name for column in table])
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, whole.schema) as writer:
        writer.write_table(whole)


def read(path: Path) -> pd.DataFrame:
    """Read what `write` wrote: text as pandas has it, a missing value as NaN or NaT; rows numbered from 0."""
    import pandas as pd  # noqa: PLC0415 - as above
    import pyarrow as pa  # noqa: PLC0415

    with pa.OSFile(str(path)) as source:
        whole = pa.ipc.open_file(source).read_all()
    text = "str" if int(pd.__version__.partition(".")[0]) >= 3 else "object"
    columns: dict[str, Any] = {}
    for name, column in zip(whole.column_names, whole.columns, strict=True):
        if pa.types.is_large_string(column.type):
            held = [np.nan if each is None else each for each in column.to_pylist()]
            columns[name] = pd.Series(held, dtype=text)
        else:
            columns[name] = column.to_numpy(zero_copy_only=False).copy()
    return pd.DataFrame(columns)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Records to learn from as a procedure gets them, in a stable order: the form of `Dataset` with a DataFrame in it."""

    features: pd.DataFrame
    """n rows, numbered from 0."""
    labels: npt.NDArray[Any]
    """Shape (n,)."""
    ids: npt.NDArray[np.str_]
    """Shape (n,)."""
    weights: Floats | None = None
    """Shape (n,); None where none are declared."""

    def __len__(self) -> int:
        """The number of records, n."""
        return len(self.features)

    def subset(self, positions: Positions) -> Table:
        """The records at `positions`, shape (m,), in that order."""
        weights = None if self.weights is None else self.weights[positions]
        rows = self.features.iloc[positions].reset_index(drop=True)
        return Table(rows, self.labels[positions], self.ids[positions], weights)
