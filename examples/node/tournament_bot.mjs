// A bot that plays a tournament, by the protos alone.
//
//     npm ci --prefix examples/node
//     gin tournament run --bot 'node examples/node/tournament_bot.mjs' --bot simple
//
// Whoever starts it has entered it, and says the rest by the environment:
//     GINRUMMY_SERVER      the server, such as 127.0.0.1:50051
//     GINRUMMY_TOKEN       the token of the player that it plays for
//     GINRUMMY_TOURNAMENT  the tournament's id
//     GINRUMMY_SESSION     a name of this run; drawn here where there is none
//     GINRUMMY_NONCE       the 16 bytes, in hex, that it was entered with; not where the server
//                          drew them, as it does for bots that a director enters
// It ends with 0 when the tournament is over, and with 1 by any fault of its own.

import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import grpc from '@grpc/grpc-js'
import loader from '@grpc/proto-loader'

const {
  GINRUMMY_SERVER: server = '127.0.0.1:50051',
  GINRUMMY_TOKEN: token,
  GINRUMMY_TOURNAMENT: tournamentId,
  GINRUMMY_SESSION: sessionId = randomUUID(),
  GINRUMMY_NONCE: enteredWith,
} = process.env

const protos = fileURLToPath(new URL('../../protos', import.meta.url))
const services = ['match_service', 'tournament_service'].map((name) => `ginrummy/v1/${name}.proto`)
const { ginrummy } = grpc.loadPackageDefinition(
  loader.loadSync(services, {
    includeDirs: [protos], keepCase: true, arrays: true, longs: Number, enums: String,
  }),
)
const insecure = grpc.credentials.createInsecure()
const options = { 'grpc.keepalive_time_ms': 30_000 }
const matches = new ginrummy.v1.MatchService(server, insecure, options)
const tournaments = new ginrummy.v1.TournamentService(server, insecure, options)
const who = new grpc.Metadata()
who.set('authorization', `Bearer ${token}`)

// --- What to play ---------------------------------------------------------------------------

const rank = (card) => 'A23456789TJQK'.indexOf(card[0]) + 1
const points = (card) => Math.min(rank(card), 10)

// The cards that are part of any set or run that could be laid down.
function melded(cards) {
  const held = new Set(cards)
  const inRun = (card, from) =>
    [from, from + 1, from + 2].every((r) => held.has('A23456789TJQK'[r - 1] + card[1]))
  return new Set(
    cards.filter((card) => {
      const set = cards.filter((other) => other[0] === card[0])
      const r = rank(card)
      return set.length >= 3 || inRun(card, r - 2) || inRun(card, r - 1) || inRun(card, r)
    }),
  )
}

const highest = (cards) => cards.reduce((best, card) => (points(card) > points(best) ? card : best))

// The move that answers a view: take what makes a meld, throw what is dear, knock when one can.
function decide({ seat = 0, hand }) {
  const { legal } = hand
  const { cards } = hand.hands[seat]
  if (legal.lay_off) return { lay_off: { auto: true } }
  if (legal.big_gin) return { big_gin: {} }
  if (legal.knocks.length) return { knock: { card: highest(legal.knocks) } }
  if (legal.discards.length) {
    const kept = melded(cards)
    const loose = legal.discards.filter((card) => !kept.has(card))
    return { discard: { card: highest(loose.length ? loose : legal.discards) } }
  }
  const top = hand.discard_pile.at(-1)
  if (legal.take && melded([...cards, top]).has(top)) return { take: {} }
  if (legal.pass_upcard) return { pass_upcard: {} }
  return legal.draw ? { draw: {} } : { take: {} }
}

// --- Calls, and streams that break off ------------------------------------------------------

const lost = (error) =>
  [grpc.status.UNAVAILABLE, grpc.status.DEADLINE_EXCEEDED].includes(error.code)

// Do `once` again where the server cannot be reached: twice as long a pause each time, a minute
// of tries, and never in step with others.
async function again(once) {
  for (let wait = 50, until = Date.now() + 60_000; ; wait = Math.min(2 * wait, 2000)) {
    try {
      return await once(() => { wait = 50; until = Date.now() + 60_000 })
    } catch (error) {
      if (!lost(error) || Date.now() > until) throw error
    }
    await pause(wait * (0.5 + Math.random() / 2))
  }
}

// One call, repeated as it is: its request id makes sure that it is carried out once.
const ask = (service, method, request) =>
  again(() => new Promise((yes, no) =>
    service[method](request, who, { deadline: Date.now() + 10_000 }, (error, answer) =>
      error ? no(error) : yes(answer))))

const brokenOff = () =>
  Object.assign(new Error('the stream broke off'), { code: grpc.status.UNAVAILABLE })

// --- A table --------------------------------------------------------------------------------

const STALE = grpc.status.ABORTED

// Whether nobody is at fault for a refusal: the match went on without a move that was right when it
// was decided, or the nonce was out already.
const harmless = ({ reason, request_id }) =>
  (request_id ? ['MATCH_OVER', 'MATCH_PAUSED', 'TIME_OVER'] : ['NOT_ALLOWED_NOW']).includes(
    reason.replace('ERROR_REASON_', ''))

async function play({ match_id, board }) {
  const nonce = randomBytes(16)
  if (!board) { // a match of a board has begun already
    const nonce_commitment = createHash('sha256').update(nonce).digest()
    await ask(matches, 'JoinMatch', { match_id, nonce_commitment, request_id: randomUUID() })
  }
  let seen = 0 // the last event's number
  let sent = null // the move that is not known to be answered
  await again(async (connected) => {
    const stream = matches.Play(who)
    stream.write({ start: { match_id, after_seq: seen } })
    try {
      for await (const { events, view, refusal } of stream) {
        connected()
        for (const { seq, request_id } of events) {
          seen = seq
          if (request_id && request_id === sent?.request_id) sent = null
        }
        if (refusal) {
          // The server is stopping: the move goes out again, as it was, on a new stream.
          if (refusal.code === grpc.status.UNAVAILABLE) throw brokenOff()
          if (refusal.request_id && refusal.request_id !== sent?.request_id) continue // an older one
          sent = null
          if (refusal.code === STALE) throw brokenOff() // a new stream brings the present state
          if (!harmless(refusal)) throw new Error(`refused: ${refusal.message}`)
        }
        if (!view) continue // a long history comes in parts, of which the last has the view
        if (view.outcome) return
        if (view.nonce_due) stream.write({ nonce: { nonce } })
        if (view.hand?.legal && !view.clock?.paused) {
          // After a reconnection in the same state the same move goes out again, not another one.
          if (sent?.expected_seq !== view.seq) {
            sent = { request_id: randomUUID(), expected_seq: view.seq, move: decide(view) }
          }
          stream.write({ move: sent })
        }
      }
    } finally {
      stream.cancel()
    }
    throw brokenOff()
  })
}

// --- The tournament -------------------------------------------------------------------------

async function reveal() {
  if (!enteredWith) throw new Error('the nonce is due: GINRUMMY_NONCE is to say it')
  await ask(tournaments, 'RevealEntrantNonce', {
    tournament_id: tournamentId,
    nonce: Buffer.from(enteredWith, 'hex'),
    request_id: randomUUID(),
  })
}

async function attend() {
  const tables = new Map() // by match: a call that comes again after a reconnection is known
  await again(async (connected) => {
    const stream = tournaments.Attend(
      { tournament_id: tournamentId, session_id: sessionId, tables: 1 }, who)
    try {
      for await (const { call, nonce_due, over } of stream) {
        connected()
        if (nonce_due) await reveal()
        // A table that fails ends the program: the server then knows that nobody plays there.
        if (call && !tables.has(call.match_id)) tables.set(call.match_id, play(call).catch(fail))
        if (over) return
      }
    } finally {
      stream.cancel()
    }
    throw brokenOff()
  })
  await Promise.all(tables.values())
}

function fail(error) {
  console.error(error)
  process.exit(1)
}

await attend().catch(fail)
matches.close()
tournaments.close()
