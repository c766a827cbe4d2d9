"""A scheduler of Dask that answers what a test wants, and peers that are no scheduler, for tests."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from typing import Any

from distributed.comm import CommClosedError, listen
from distributed.protocol import Serialize

from auditor.sandbox.cluster import remote

WORKER = "ucx://127.0.0.1:9"
"""Of a transport that the auditor does not speak, so that no connection to it is waited for."""

Said = Callable[[dict[str, Any]], Any]


class Scheduler:
    """Speaks for itself and for one worker. What a worker of ours would say, it says; `says` replaces it, by operation.

    The operations are Dask's (`ncores`, `broadcast`, `gather`, `update_data`, `scatter`), `start` for the first message, and
    `task` for what follows a task. For `gather` there are `gather-hello`, `gather-introduce`, `gather-keep` and `gather-run`.
    """

    def __init__(self, says: Mapping[str, Said]) -> None:
        self._says = says
        self.heard: list[str] = []
        self.address = ""
        self._begun: Future[str] = Future()
        self._loop = asyncio.new_event_loop()
        self._over = asyncio.Event()
        self._thread = threading.Thread(target=lambda: self._loop.run_until_complete(self._served()), daemon=True)

    def open(self) -> None:
        """Listen."""
        self._thread.start()
        self.address = self._begun.result(20)

    def close(self) -> None:
        """End."""
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(20)

    async def _served(self) -> None:
        listener = await listen("tcp://127.0.0.1:0", self._conversation, deserialize=False)
        self._begun.set_result(listener.contact_address)
        await self._over.wait()
        listener.stop()
        for task in asyncio.all_tasks():
            if task is not asyncio.current_task():
                task.cancel()

    async def _conversation(self, comm: Any) -> None:
        with suppress(CommClosedError, asyncio.CancelledError):
            while True:
                heard = await comm.read()
                for each in heard if isinstance(heard, list | tuple) else [heard]:
                    answer = self._answer(each)
                    if answer is not None:
                        await comm.write(answer)

    def _answer(self, asked: dict[str, Any]) -> Any:
        operation = {"register-client": "start", "update-graph": "task"}.get(asked.get("op", ""), asked.get("op", ""))
        if operation == "gather":
            (key,) = asked["keys"]
            operation = f"gather-{key.split('-')[1]}"
        self.heard.append(operation)
        return (self._says.get(operation) or _HONEST.get(operation, lambda _asked: None))(asked)


def answered(asked: dict[str, Any], value: Any) -> dict[str, Any]:
    """The reply of a scheduler that has a task's result."""
    return {"status": "OK", "data": {key: value if not isinstance(value, bytes) else Serialize(value) for key in asked["keys"]}}


_HONEST: dict[str, Said] = {
    "start": lambda _asked: [{"op": "stream-start"}],
    "ncores": lambda _asked: {WORKER: 1},
    "identity": lambda _asked: {"type": "Scheduler", "workers": {}},
    "broadcast": lambda _asked: {WORKER: {"status": "OK", "result": Serialize(b"source")}},
    "task": lambda asked: [{"op": "key-in-memory", "key": key} for key in asked["keys"]],
    "gather-hello": lambda asked: answered(asked, remote.hello()),
    "gather-introduce": lambda asked: answered(asked, remote.DONE),
    "gather-keep": lambda asked: answered(asked, remote.DONE),
    "gather-run": lambda asked: answered(asked, remote.STRANGER),
    "update_data": lambda _asked: {"status": "OK"},
    "scatter": lambda _asked: {"status": "OK"},
}


@contextmanager
def scheduler(**says: Said) -> Iterator[Scheduler]:
    """A scheduler for as long as the context lasts; `_` in a name stands for `-`, but in Dask's own."""
    found = Scheduler({name if name == "update_data" else name.replace("_", "-"): each for name, each in says.items()})
    found.open()
    try:
        yield found
    finally:
        found.close()


@contextmanager
def peer(*said: bytes, ends: bool = False) -> Iterator[str]:
    """The address of a peer that says something to all who connect, and then nothing any more, or ends."""
    server = socket.create_server(("127.0.0.1", 0))
    held: list[socket.socket] = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                held.append(connection)
                with suppress(OSError):
                    for each in said:
                        connection.sendall(each)
                    if ends:
                        connection.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.getsockname()[1]}"
    finally:
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        server.close()
        for each in held:
            each.close()
        thread.join(5)
