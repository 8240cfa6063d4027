"""Three servers of one PostgreSQL database on this machine, until Ctrl-C.

    python examples/cluster.py postgresql://root@127.0.0.1/postgres

prints their addresses as `--server` and `GINRUMMY_SERVER` take them. Kill one of them with
`kill -9` while a match is played: the match goes on. A schema that the address names
(`options=-csearch_path%3Dgin_cluster`) is made if it is not there.
"""

import asyncio
import signal
import sys
from asyncio.subprocess import PIPE, Process

import psycopg
from psycopg import conninfo, sql

SERVERS = 3
PATIENCE = 20.0
"""Seconds that a server has to stop: its grace, and what it stores last."""
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


def make_schema(db: str) -> None:
    """Make the schema that the address names, unless it is there or the address names none."""
    try:
        options = str(conninfo.conninfo_to_dict(db).get("options", ""))
        _, named, schema = options.partition("search_path=")
        if not named:
            return
        with psycopg.connect(db, autocommit=True, connect_timeout=5) as connection:
            # Asked first: who may not make schemas may use one that is there.
            there = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
            if connection.execute(there, [schema]).fetchone() is None:
                connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(schema)))
    except psycopg.Error as error:
        raise SystemExit(
            f"Error: the database for the cluster cannot be used: {str(error).strip()}\n"
            "Name another one: make cluster CLUSTER_DB=postgresql://user@host/database"
        ) from error


async def told_of_end(number: int, process: Process, stop: asyncio.Event) -> None:
    """Say so where a server ends that nobody has told to."""
    code = await process.wait()
    if not stop.is_set():
        how = f"exit code {code}" if code >= 0 else signal.Signals(-code).name
        print(f"server {number} has ended: {how}; the others go on", file=sys.stderr, flush=True)


async def stopped(number: int, process: Process) -> None:
    """Stop a server; kill it where it hangs."""
    if process.returncode is None:
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), PATIENCE)
    except TimeoutError:
        print(f"server {number} has not stopped within {PATIENCE:g} seconds, and is killed",
              file=sys.stderr)  # fmt: skip
        process.kill()
        await process.wait()


async def main(db: str) -> None:
    """Run the servers until this program is told to stop."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    servers: list[tuple[Process, str]] = []
    watching: list[asyncio.Task[None]] = []
    try:
        for _ in range(SERVERS):
            # One after the other: the first one makes the tables.
            servers.append(await started(db))
            process, address = servers[-1]
            watching.append(asyncio.create_task(told_of_end(len(servers), process, stop)))
            print(f"server {len(servers)}: {address}, process {process.pid}", flush=True)
        print("export GINRUMMY_SERVER=" + ",".join(address for _, address in servers), flush=True)
        await stop.wait()
    finally:
        stop.set()
        await asyncio.gather(
            *(stopped(number, process) for number, (process, _) in enumerate(servers, 1)), *watching
        )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    make_schema(sys.argv[1])
    asyncio.run(main(sys.argv[1]))
