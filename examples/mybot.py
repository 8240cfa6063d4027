"""A whole bot: gin bot ./examples/mybot.py:MyBot --seek."""

from ginrummy.bots import Discard, Draw, Knock, LayOff, Move, Pass, View, cards_of


class MyBot:
    def offer(self, view: View) -> Move:
        return Pass()

    def draw(self, view: View) -> Move:
        return Draw()

    def discard(self, view: View) -> Move:
        legal = view.hand.legal
        if legal.knocks:
            return Knock(cards_of(legal.knocks)[0])
        return Discard(max(cards_of(legal.discards), key=lambda card: card.points))

    def lay_off(self, view: View) -> Move:
        return LayOff()
