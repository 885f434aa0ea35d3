import type { KnownOrder, NetworkAnswer, NetworkOrder } from '#providers/network/network.port.ts'
import { pollUntil } from '../poll-until.ts'
import type { NetworkSuiteContext, PlacedOrder } from './network-suite-context.ts'

/** Registers how to undo an order, and then places the order. */
export async function place(
  world: NetworkSuiteContext,
  order: NetworkOrder,
): Promise<{ answer: NetworkAnswer; placed: PlacedOrder }> {
  const made = world.undo.made(`${order.kind} ${order.externalId}`, (signal) => undoOrder(world, order, signal))
  const answer = await world.network.place(order)
  if (answer.outcome === 'rejected') made.gone()
  return { answer, placed: { externalId: order.externalId, made } }
}

type PollOptions = { seconds: number; signal: AbortSignal; seen?: Set<string>; strange?: Set<string> }
type OrderResult = NetworkAnswer | { outcome: 'absent' }

/**
 * Polls an order until it finishes. If it does not finish in time, the last response is returned. `seen` collects a
 * number transfer's sub-states, and `strange` collects reports of unknown order states.
 */
export async function waitForOrderEnd(
  world: NetworkSuiteContext,
  externalId: string,
  { seconds, signal, seen, strange }: PollOptions,
): Promise<OrderResult> {
  let last: OrderResult = { outcome: 'unknown', why: 'the network was not asked' }
  await pollUntil(
    async () => {
      last = await world.network.read(externalId)
      if (last.outcome === 'known' && last.subState !== null) seen?.add(last.subState)
      if (last.outcome === 'unknown' && last.why.startsWith('service order in state')) strange?.add(last.why)
      return isRunning(last) || last.outcome === 'unknown' ? null : last
    },
    { ms: seconds * 1_000, signal },
  )
  return last
}

export const isRunning = (answer: OrderResult): boolean => answer.outcome === 'known' && answer.state === 'running'

export function describeOrderAnswer(answer: { outcome: string }): string {
  const { outcome, state, subState, fault, code, message, why } = answer as { outcome: string } & Partial<KnownOrder> &
    Record<string, unknown>
  const words = [state ?? outcome, subState && `(${subState})`, fault?.code, fault?.message, code, message, why]
  return words.filter(Boolean).join(' ')
}

async function undoOrder(world: NetworkSuiteContext, order: NetworkOrder, signal: AbortSignal): Promise<string | null> {
  const { externalId, iccid, msisdn } = order
  const now = await waitForOrderEnd(world, externalId, { seconds: 1, signal })
  if (now.outcome === 'absent' || (now.outcome === 'known' && now.state === 'failed')) return null
  if (now.outcome !== 'known') return describeOrderAnswer(now)
  if (order.kind === 'port_in') {
    // A completed number transfer needs no undo of its own, because its line is deactivated later anyway.
    return now.state === 'completed' ? null : cancelTransfer(world, externalId, signal)
  }
  const done =
    now.state === 'completed'
      ? now
      : await waitForOrderEnd(world, externalId, { seconds: world.file.order_seconds, signal })
  if (done.outcome !== 'known' || done.state === 'running') return describeOrderAnswer(done)
  if (done.state === 'failed') return null
  const line = { externalId: `${externalId}-undo`, iccid, msisdn }
  switch (order.kind) {
    case 'activate_sim':
      return removeProduct(
        world,
        { ...line, msisdn: world.held.line?.msisdn ?? msisdn, kind: 'deactivate_sim' },
        signal,
      )
    case 'add_plan':
      return removeProduct(world, { ...line, kind: 'remove_plan', addedBy: externalId }, signal)
    case 'add_addon':
      return removeProduct(world, { ...line, kind: 'remove_addon', addedBy: externalId }, signal)
    default:
      return null
  }
}

/** Places an order that removes a product. Returns `null` if the product was removed or was never there, otherwise the problem. */
export async function removeProduct(
  world: NetworkSuiteContext,
  order: NetworkOrder,
  signal: AbortSignal,
): Promise<string | null> {
  const answer = await world.network.place(order)
  const end = isRunning(answer)
    ? await waitForOrderEnd(world, order.externalId, { seconds: world.file.order_seconds, signal })
    : answer
  if (end.outcome === 'known' && end.state === 'completed') return null
  const faultMeaning =
    end.outcome === 'known' ? end.fault?.meaning : end.outcome === 'rejected' ? end.meaning : undefined
  return faultMeaning === 'nothing_there' ? null : describeOrderAnswer(end)
}

/**
 * Cancels a number transfer. Repeats the request with the same date until the network decides. `null` if no transfer
 * remains, otherwise the problem.
 */
export async function cancelTransfer(
  world: NetworkSuiteContext,
  externalId: string,
  signal: AbortSignal,
): Promise<string | null> {
  const requestedAt = Temporal.Now.instant().toString({ fractionalSecondDigits: 3 })
  let last: { outcome: string } = { outcome: 'unknown' }
  const cancellationDecision = await pollUntil(
    async () => {
      last = await world.network.cancel({ externalId, askedAt: requestedAt })
      return last.outcome === 'undecided' || last.outcome === 'unknown' ? null : last
    },
    { ms: world.file.order_seconds * 1_000, signal },
  )
  return cancellationDecision?.outcome === 'cancelled' || cancellationDecision?.outcome === 'absent'
    ? null
    : describeOrderAnswer(last)
}
