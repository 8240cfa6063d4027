"""Three servers of one PostgreSQL database on this machine, until Ctrl-C.

    python examples/cluster.py postgresql://root@127.0.0.1/postgres

prints their addresses as `--server` and `GINRUMMY_SERVER` take them. Kill one of them with
`kill -9` while a match is played: the match goes on.
"""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process

SERVERS = 3
GIN = (sys.executable, "-m", "ginrummy.cli")


async def started(db: str) -> tuple[Process, str]:
    """Start a server at a free port, and return it with its address once it takes calls."""
    process = await asyncio.create_subprocess_exec(
        *GIN,
        *("serve", "--db", db, "--listen", "127.0.0.1:0", "--log-level", "warning"),
        stdout=PIPE,
        start_new_session=True,  # Ctrl-C is for this program alone
    )
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().strip()
    if not address:
        raise SystemExit(await process.wait())
    return process, address


async def main(db: str) -> None:
    """Run the servers until this program is told to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    servers: list[tuple[Process, str]] = []
    try:
        for _ in range(SERVERS):
            # One after the other: the first one makes the tables.
            servers.append(await started(db))
            process, address = servers[-1]
            print(f"server {len(servers)}: {address}, process {process.pid}", flush=True)
        print("export GINRUMMY_SERVER=" + ",".join(address for _, address in servers), flush=True)
        await stop.wait()
    finally:
        for process, _ in servers:
            if process.returncode is None:
                process.terminate()
        await asyncio.gather(*(process.wait() for process, _ in servers))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    asyncio.run(main(sys.argv[1]))
