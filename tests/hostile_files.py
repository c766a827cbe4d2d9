"""Model files that hold more than their array: the same parameters in every bit, and deleted rows in the places in between."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from safetensors.numpy import save

from auditor.case.containers import canonical

Values = npt.NDArray[Any]
Hide = Callable[[Values, bytes], bytes]


def _framed(text: bytes, data: bytes) -> bytes:
    return len(text).to_bytes(8, "little") + text + data


def _tensor(values: Values) -> dict[str, Any]:
    return {"dtype": "F64", "shape": list(values.shape), "data_offsets": [0, values.nbytes]}


def _compact(value: Any) -> bytes:
    text = json.dumps(value, separators=(",", ":")).encode()
    return text + b" " * (-len(text) % 8)


def _metadata(values: Values, secret: bytes) -> bytes:
    return save({"parameters": values}, metadata={"format": "pt", "note": secret.hex()})


def _format(values: Values, secret: bytes) -> bytes:
    return save({"parameters": values}, metadata={"format": secret.hex()})


def with_repeated_metadata(values: Values, secret: bytes) -> bytes:
    """Metadata twice, which no reader of safetensors takes."""
    tensor = json.dumps(_tensor(values))
    text = f'{{"__metadata__":{{"a":"{secret.hex()}"}},"__metadata__":{{"format":"pt"}},"parameters":{tensor}}}'
    return _framed(text.encode() + b" " * (-len(text) % 8), values.tobytes())


def _repeated_tensor(values: Values, secret: bytes) -> bytes:
    other = {"dtype": "F64", "shape": [len(secret)], "data_offsets": [0, 8 * len(secret)]}
    text = f'{{"parameters":{json.dumps(other)},"parameters":{json.dumps(_tensor(values))}}}'
    return _framed(text.encode() + b" " * (-len(text) % 8), values.tobytes())


def _spaces(values: Values, secret: bytes) -> bytes:
    """One bit in every place that JSON leaves open."""
    text = json.dumps({"parameters": _tensor(values)})
    return _framed(text.encode() + b" " * (-len(text) % 8), values.tobytes())


def _padding(values: Values, secret: bytes) -> bytes:
    return _framed(_compact({"parameters": _tensor(values)}) + b" " * 8 * secret[0], values.tobytes())


def _order(values: Values, secret: bytes) -> bytes:
    return _framed(_compact({"parameters": dict(reversed(_tensor(values).items()))}), values.tobytes())


def _unknown_key(values: Values, secret: bytes) -> bytes:
    return _framed(_compact({"parameters": {**_tensor(values), "note": secret.hex()}}), values.tobytes())


def _number(values: Values, secret: bytes) -> bytes:
    """A name in the header spelt with escapes."""
    text = _compact({"parameters": _tensor(values)}).replace(b'"parameters"', b'"\\u0070arameters"').rstrip(b" ")
    return _framed(text + b" " * (-len(text) % 8), values.tobytes())


IN_SAFETENSORS: Final[Mapping[str, Hide]] = {
    "metadata": _metadata,
    "another format": _format,
    "a repeated tensor": _repeated_tensor,
    "spaces": _spaces,
    "padding": _padding,
    "order of keys": _order,
    "an unknown key": _unknown_key,
    "escapes": _number,
}


def _zip(values: Values, change: Callable[[zipfile.ZipInfo], None] = lambda _: None, **archive: Any) -> bytes:
    written, member = io.BytesIO(), zipfile.ZipInfo("parameters.npy")
    change(member)
    data = io.BytesIO()
    np.save(data, values)
    with zipfile.ZipFile(written, "w") as file:
        file.comment = archive.get("comment", b"")
        file.writestr(member, archive.get("data", data.getvalue()))
        if "beside" in archive:
            file.writestr("beside.bin", archive["beside"])
    return written.getvalue()


def _with(name: str) -> Hide:
    def hide(values: Values, secret: bytes) -> bytes:
        given = {
            "comment": secret,
            "extra": struct.pack("<HH", 0x9999, len(secret)) + secret,
            "date_time": (1999, 7, 8, 9, 10, 12),
        }
        return _zip(values, lambda member: setattr(member, name, given[name]))

    return hide


def _moved(content: bytes, before: bytes) -> bytes:
    """The archive with bytes in front of its directory, whose place is corrected."""
    end = content.rindex(b"PK\5\6")
    start = int.from_bytes(content[end + 16 : end + 20], "little")
    tail = content[start : end + 16] + (start + len(before)).to_bytes(4, "little") + content[end + 20 :]
    return content[:start] + before + tail


def _local_extra(values: Values, secret: bytes) -> bytes:
    """An extra field in front of the data alone, where zip readers do not show it; as long as NumPy's own."""
    content = io.BytesIO()
    np.savez(content, parameters=values)
    found = bytearray(content.getvalue())
    found[44 + 4 : 44 + 20] = secret[:16].ljust(16, b"!")
    return bytes(found)


def _header(values: Values, secret: bytes) -> bytes:
    data = io.BytesIO()
    np.lib.format.write_array(data, values, version=(2, 0))
    return _zip(values, data=data.getvalue())


def _longer_padding(values: Values, secret: bytes) -> bytes:
    data = io.BytesIO()
    np.save(data, values)
    npy = data.getvalue()
    length = int.from_bytes(npy[8:10], "little")
    text = npy[10 : 10 + length - 1] + b" " * 64 * (1 + secret[0] % 8) + b"\n"
    return _zip(values, data=npy[:8] + len(text).to_bytes(2, "little") + text + npy[10 + length :])


def _big_endian(values: Values, secret: bytes) -> bytes:
    return _zip(values.astype(">f8"))


def _deflated(values: Values, secret: bytes) -> bytes:
    written = io.BytesIO()
    np.savez_compressed(written, parameters=values)
    return written.getvalue()


def _attributes(values: Values, secret: bytes) -> bytes:
    return _zip(values, lambda member: setattr(member, "external_attr", int.from_bytes(secret[:4], "little")))


IN_NPZ: Final[Mapping[str, Hide]] = {
    "a comment": lambda values, secret: _zip(values, comment=secret),
    "a member's comment": _with("comment"),
    "an extra field": _with("extra"),
    "an extra field before the data alone": _local_extra,
    "a date": _with("date_time"),
    "attributes": _attributes,
    "bytes before": lambda values, secret: secret + canonical(values, ".npz"),
    "bytes between": lambda values, secret: _moved(canonical(values, ".npz"), secret),
    "deflate": _deflated,
    "another version of the header": _header,
    "padding of the header": _longer_padding,
    "another order of bytes": _big_endian,
}


def with_member(values: Values, secret: bytes) -> bytes:
    """A second member, which no model file may have."""
    return _zip(values, beside=secret)
