"""The cable between the bot and everything else: TCP, so that it can be cut like one."""

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self

__all__ = ["Cable"]

_A_PIECE = 1 << 16


class Cable:
    """A port whose connections are passed on to another one, until they are cut."""

    def __init__(self, to: str) -> None:
        """Lead to the address `to`, `HOST:PORT`."""
        self._host, _, port = to.rpartition(":")
        self._port = int(port)
        self._ends: set[asyncio.StreamWriter] = set()
        self._carrying: set[asyncio.Task[None]] = set()

    @property
    def address(self) -> str:
        """Where the bot connects."""
        port: int = self._server.sockets[0].getsockname()[1]
        return f"127.0.0.1:{port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        self.cut()
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    def cut(self) -> None:
        """Break all connections off, without a word; new ones can be made at once."""
        for end in tuple(self._ends):
            end.transport.abort()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carrying.add(task)
        ends = [writer]
        try:
            far_reader, far_writer = await asyncio.open_connection(self._host, self._port)
            ends.append(far_writer)
            self._ends.update(ends)
            async with asyncio.TaskGroup() as both:
                both.create_task(_carry(reader, far_writer))
                both.create_task(_carry(far_reader, writer))
        except* OSError:
            pass
        finally:
            for end in ends:
                end.transport.abort()
            self._ends.difference_update(ends)
            self._carrying.discard(task)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Pass on what comes until there is no more, or nobody to take it."""
    with suppress(ConnectionError):
        while piece := await reader.read(_A_PIECE):
            writer.write(piece)
            await writer.drain()
    # Whichever side goes, the other has nobody to talk to.
    writer.transport.abort()
