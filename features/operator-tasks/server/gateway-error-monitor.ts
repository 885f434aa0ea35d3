import type { DatabaseOutageLog } from '#kit/server/database-unavailable.ts'
import type { Db } from '#kit/server/db.ts'
import { createFailureLog } from '#kit/server/failure-log.ts'
import type { Log } from '#kit/server/log.ts'
import type { Thresholds } from '#kit/server/thresholds.ts'
import type { AuthorisationOutcome, CardGateway, CardPayment, GatewayFault } from '#providers/card/card.port.ts'
import { endMatchingTasks, listOpenTasksOfKind, createTask } from './operator-tasks.store.ts'

type GatewayMonitorDeps = {
  db: Db
  log: Log
  noteOutage: DatabaseOutageLog['note']
  thresholds: Pick<Thresholds, 'calmMs' | 'remindMs'>
  /** Returns a monotonic time in milliseconds. */
  now?(): number
}

/** The fault on our side that a gateway response reveals; `none` if there is no fault, `null` if it is unclear whether there is one. */
type Verdict = GatewayFault | 'none' | null

/**
 * Error codes for a card that was encrypted with the wrong key, and for input that is not an encrypted card. Anybody can send us such
 * input.
 */
const undecryptableCodes = new Set(['170', '171', '173', '174', '175', '186'])

const buildTaskSubject = (operation: string, code = ''): string => `card gateway: ${operation} ${code}`

/**
 * Wraps the card gateway and reports faults that only we can correct, for example a wrong key, clock or setting, or a missing role. Each
 * fault is logged and creates a task, which ends once the same operation has worked for `calmMs`. A card that cannot be decrypted is the
 * sender's fault, unless the previous card from a different customer could not be decrypted either: then our key is wrong.
 */
export function monitorGatewayErrors(card: CardGateway, deps: GatewayMonitorDeps) {
  const { db, thresholds, now = () => performance.now() } = deps
  const failures = createGatewayFailureLog(deps, now)
  const stateByOperation = new Map<string, OperationState>()

  async function recordVerdict(operation: string, verdict: Verdict): Promise<void> {
    if (verdict === null) return
    const state = stateByOperation.get(operation) ?? { lastFault: null, isClean: false }
    stateByOperation.set(operation, state)
    if (verdict !== 'none') {
      const { code, message } = verdict
      Object.assign(state, { lastFault: now(), isClean: false })
      failures.failed(operation, verdict)
      const reason = `${gatewayRejectionMessage}: ${operation}, ${code} ${message} (docs/adyen.md)`
      return createTask(db, { kind: 'payment', subject: buildTaskSubject(operation, code), reason })
    }
    failures.succeeded(operation)
    if (state.isClean || (state.lastFault !== null && now() - state.lastFault < thresholds.calmMs)) return
    // Also end the tasks of an earlier process: a setting is corrected by restarting, and the new process does not know of the fault.
    for (const { subject } of await listOpenTasksOfKind(db, 'payment'))
      if (subject?.startsWith(buildTaskSubject(operation))) await endMatchingTasks(db, { kind: 'payment', subject })
    state.isClean = true
  }

  const withMonitoring =
    <Input, Answer extends GatewayResponse>(
      nameOf: (input: Input) => string,
      call: (input: Input) => Promise<Answer>,
    ) =>
    async (input: Input): Promise<Answer> => {
      const response = await call(input)
      // Failing to record the fault must not stop the order.
      await Promise.all([
        recordVerdict(nameOf(input), classifyResponse(response)),
        reportUnknownResult(db, response),
      ]).catch(logWriteFailure(deps))
      return response
    }
  /** At most two customers whose cards could not be decrypted since the gateway last decrypted one. */
  const sendersOfUndecryptableCards = new Set<string>()
  async function authorisePayment(payment: CardPayment): Promise<AuthorisationOutcome> {
    const authoriseResult = await card.authorise(payment)
    if (!('encrypted' in payment.card) || authoriseResult.outcome === 'unknown') return authoriseResult
    if (authoriseResult.outcome !== 'fault') sendersOfUndecryptableCards.clear()
    if (authoriseResult.outcome !== 'fault' || !undecryptableCodes.has(authoriseResult.code)) return authoriseResult
    if (sendersOfUndecryptableCards.size < 2) sendersOfUndecryptableCards.add(payment.shopperReference)
    return sendersOfUndecryptableCards.size > 1 ? authoriseResult : { outcome: 'invalid', code: authoriseResult.code }
  }
  return {
    authorise: withMonitoring(getPaymentOperationName, authorisePayment),
    capture: withMonitoring(() => 'capture', card.capture),
    cancel: withMonitoring(() => 'cancel', card.cancel),
    refund: withMonitoring(() => 'refund', card.refund),
    technicalCancel: withMonitoring(() => 'technicalCancel', card.technicalCancel),
    disable: withMonitoring(() => 'disable', card.disable),
  } satisfies CardGateway
}

function createGatewayFailureLog({ log, thresholds }: GatewayMonitorDeps, now: () => number) {
  return createFailureLog(
    {
      begins: (operation, _failing, fault) =>
        log.error({ operation, ...(fault as GatewayFault) }, gatewayRejectionMessage),
      goesOn: (operation, failing, fault) =>
        log.error({ operation, ...failing, ...(fault as GatewayFault) }, gatewayRejectionMessage),
      ends: (operation, failing) => log.info({ operation, ...failing }, 'the card gateway accepts our requests again'),
    },
    thresholds.remindMs,
    now,
  )
}

const logWriteFailure =
  ({ log, noteOutage }: GatewayMonitorDeps) =>
  (error: unknown): void => {
    if (!noteOutage(error)) log.warn({ reason: String(error) }, 'a fault on our side could not be recorded')
  }

const gatewayRejectionMessage = 'the card gateway rejects our requests, a fault on our side'

type OperationState = {
  lastFault: number | null
  isClean: boolean
}

/** New and stored cards are separate operations, because a gateway account may be allowed to charge only one of the two. */
const getPaymentOperationName = ({ card }: CardPayment): string =>
  'encrypted' in card ? 'authorise with a new card' : 'authorise with a stored card'

type GatewayResponse = {
  outcome: string
  code?: string
  message?: string
  lockedOut?: GatewayFault
  unknownResult?: string
}

async function reportUnknownResult(db: Db, { unknownResult: result }: GatewayResponse): Promise<void> {
  if (result === undefined) return
  await createTask(db, {
    kind: 'payment',
    subject: 'card gateway',
    reason:
      `the gateway answers a payment with the result “${result.slice(0, 60)}”, which the portal does not recognise: such a payment is ` +
      'cancelled after two minutes, and its customer is told that nothing was charged. Ask the gateway what that result means',
  })
}

function classifyResponse({ outcome, code = '', message = '', lockedOut }: GatewayResponse): Verdict {
  if (lockedOut) return lockedOut
  if (outcome === 'fault') return { code, message }
  if (outcome === 'invalid' && undecryptableCodes.has(code)) return null
  return outcome === 'unknown' ? null : 'none'
}
