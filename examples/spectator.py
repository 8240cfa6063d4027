"""Watch a match as somebody who trusts nobody: python examples/spectator.py ADDRESS MATCH."""

import asyncio
import sys

from ginrummy.client import Verifier, connect


async def main(address: str, match_id: str) -> None:
    """Print what happens, and at the end how many hands were dealt from their committed decks."""
    verifier = Verifier(match_id)
    async with connect(address) as client:
        await client.sign_up("spectator")
        async for update in client.watch(match_id):
            if update.HasField("event"):
                # Raises where a line does not follow, or a card is not the committed deck's.
                verifier.add(update.event)
                print(update.event.seq, update.event.WhichOneof("event"))
    print(f"{verifier.checked} of {verifier.dealt} hands are proved")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
