import type { AwayLog } from '#kit/server/database-away.ts'
import type { Db } from '#kit/server/db.ts'
import { createFailureLog } from '#kit/server/failure-log.ts'
import type { Log } from '#kit/server/log.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { AuthoriseOutcome, CardGateway, CardPayment, GatewayFault } from '#providers/card/card.port.ts'
import { endTasksAbout, openTasksOfKind, reportToOperator } from './operator-tasks.store.ts'

type Deps = {
  db: Db
  log: Log
  isAway: AwayLog['note']
  thresholds: Pick<Thresholds, 'calmMs' | 'remindMs'>
  /** Monotonic time in milliseconds. */
  now?(): number
}

/** The verdict of a gateway response on us: a fault of ours, no fault, or no information. */
type Verdict = GatewayFault | 'none' | null

/**
 * Codes for a card that was encrypted with a wrong key, and for input that is not an encrypted card at all. Anyone can
 * send us such input.
 */
const unopened = new Set(['170', '171', '173', '174', '175', '186'])

const subjectOf = (operation: string, code = ''): string => `card gateway: ${operation} ${code}`

/**
 * Wraps the card gateway and reports faults that only we can correct: a key, a clock, a setting, or a role of our
 * account. Each fault is logged and becomes a task, which ends once the same operation has succeeded for a while.
 * A card that cannot be decrypted is the sender's fault if the gateway has just decrypted another card. Two in a row
 * are our fault.
 */
export function reportGatewayFaults(card: CardGateway, deps: Deps) {
  const { db, log, thresholds, now = () => performance.now() } = deps
  const failures = createFailureLog(
    {
      begins: (operation, _failing, fault) => log.error({ operation, ...(fault as GatewayFault) }, refused),
      goesOn: (operation, failing, fault) => log.error({ operation, ...failing, ...(fault as GatewayFault) }, refused),
      ends: (operation, failing) => log.info({ operation, ...failing }, 'the card gateway takes our calls again'),
    },
    thresholds.remindMs,
    now,
  )
  const states = new Map<string, State>()

  async function note(operation: string, verdict: Verdict): Promise<void> {
    if (verdict === null) return
    const state = states.get(operation) ?? { lastFault: null, isClean: false }
    states.set(operation, state)
    if (verdict !== 'none') {
      const { code, message } = verdict
      Object.assign(state, { lastFault: now(), isClean: false })
      failures.failed(operation, verdict)
      const reason = `${refused}: ${operation}, ${code} ${message} (docs/adyen.md)`
      return reportToOperator(db, { kind: 'payment', subject: subjectOf(operation, code), reason })
    }
    failures.succeeded(operation)
    if (state.isClean || (state.lastFault !== null && now() - state.lastFault < thresholds.calmMs)) return
    // Includes tasks from an earlier process, because a fixed setting takes effect with a restart.
    for (const { subject } of await openTasksOfKind(db, 'payment'))
      if (subject?.startsWith(subjectOf(operation))) await endTasksAbout(db, { kind: 'payment', subject })
    state.isClean = true
  }

  const watched =
    <Input, Answer extends Answered>(nameOf: (input: Input) => string, call: (input: Input) => Promise<Answer>) =>
    async (input: Input): Promise<Answer> => {
      const answer = await call(input)
      // A failure to record must not stop the order.
      await Promise.all([note(nameOf(input), verdictOf(answer)), reportUnknownResult(db, answer)]).catch(
        logUnwritten(deps),
      )
      return answer
    }
  let isKeyGood = false
  async function authorise(payment: CardPayment): Promise<AuthoriseOutcome> {
    const answer = await card.authorise(payment)
    if (!('encrypted' in payment.card) || answer.outcome === 'unknown') return answer
    const wasKeyGood = isKeyGood
    isKeyGood = answer.outcome !== 'fault'
    const isTheirs = answer.outcome === 'fault' && unopened.has(answer.code) && wasKeyGood
    return isTheirs ? { outcome: 'invalid', code: answer.code } : answer
  }
  return {
    authorise: watched(nameOfPayment, authorise),
    capture: watched(() => 'capture', card.capture),
    cancel: watched(() => 'cancel', card.cancel),
    refund: watched(() => 'refund', card.refund),
    technicalCancel: watched(() => 'technicalCancel', card.technicalCancel),
    disable: watched(() => 'disable', card.disable),
  } satisfies CardGateway
}

const logUnwritten =
  ({ log, isAway }: Deps) =>
  (error: unknown): void => {
    if (!isAway(error)) log.warn({ reason: String(error) }, 'a fault of ours could not be written down')
  }

const refused = 'the card gateway rejects our requests, a fault on our side'

type State = {
  lastFault: number | null
  isClean: boolean
}

/** A gateway account may have permission for only one of the two. */
const nameOfPayment = ({ card }: CardPayment): string =>
  'encrypted' in card ? 'authorise with a new card' : 'authorise with a stored card'

type Answered = {
  outcome: string
  code?: string
  message?: string
  lockedOut?: GatewayFault
  unknownResult?: string
}

async function reportUnknownResult(db: Db, { unknownResult: result }: Answered): Promise<void> {
  if (result === undefined) return
  await reportToOperator(db, {
    kind: 'payment',
    subject: 'card gateway',
    reason:
      `the gateway answers a payment with the result “${result.slice(0, 60)}”, which this product does not know: such a payment is ` +
      'cancelled after two minutes, and its customer is told that nothing was charged. Ask the gateway what that result means',
  })
}

function verdictOf({ outcome, code = '', message = '', lockedOut }: Answered): Verdict {
  if (lockedOut) return lockedOut
  if (outcome === 'fault') return { code, message }
  if (outcome === 'invalid' && unopened.has(code)) return null
  return outcome === 'unknown' ? null : 'none'
}
