import { randomUUID } from 'node:crypto'
import { demoMerchant } from '#demo/outside.ts'
import { notificationBody } from '#simulators/gateway/notification.ts'
import type { NotificationItem } from '#simulators/gateway/state.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { newMsisdnElsewhere } from './numbers.ts'
import type { Ledgers } from './ledgers.ts'
import type { World } from './world.ts'

export type GatewayFailure = {
  operation: 'authorise' | 'capture' | 'cancel' | 'refund' | 'technicalCancel' | 'disable'
  kind:
    | 'lost_request'
    | 'lost_answer'
    | 'error_500'
    | 'slow'
    | 'refuse'
    | 'refuse_untold'
    | 'refuse_at_once'
    | 'refuse_expired'
    | 'refuse_balance'
    | 'other_reference'
  times?: number
  /** Only for this attempt: `<order_code>-<n>`. */
  reference?: string
  /** How late a `slow` answer is; 15 seconds unless said otherwise. */
  delay_ms?: number
}

export type NetworkFailure = {
  operation:
    | 'activate'
    | 'deactivate'
    | 'add_plan'
    | 'add_addon'
    | 'remove_plan'
    | 'remove_addon'
    | 'port_in'
    | 'any'
    | 'cancel'
    | 'read'
    | 'amend'
    | 'balance'
    | 'usage'
    | 'inventory'
  kind:
    | 'lost_answer'
    | 'error_500'
    | 'slow'
    | 'timeout'
    | 'names_other_sim'
    | 'names_other_number'
    | 'says_failed'
    | 'says_unheard_of'
    | 'fail_retryable'
    | 'fail_permanent'
  times?: number
}

/** Makes the next calls of the gateway fail. */
export const failGateway = (world: World, failure: GatewayFailure): Promise<void> =>
  control(world.deps.outside.cardUrl, 'failures', failure)

/** Makes the next calls, or orders, of the network fail. */
export const failNetwork = (world: World, failure: NetworkFailure): Promise<void> =>
  control(world.deps.outside.networkUrl, 'failures', failure)

/** What was to fail and has not yet will not. */
export async function clearFailures(world: World): Promise<void> {
  await clearFailuresOf(world, 'cardUrl')
  await clearFailuresOf(world, 'networkUrl')
}

/** Clears the failures of the gateway or of the network alone. */
export async function clearFailuresOf({ deps: { outside } }: World, which: 'cardUrl' | 'networkUrl'): Promise<void> {
  await fetch(`${outside[which]}/_simulator/failures`, { method: 'DELETE' })
}

/** The cards that the gateway keeps of a shopper. */
export async function cardsAtGateway(
  { deps }: World,
  shopperReference: string,
): Promise<{ id: string; last_four: string }[]> {
  const answer = await fetch(`${deps.outside.cardUrl}/_simulator/cards`)
  const cards = (await answer.json()) as { id: string; last_four: string; shopper_reference: string }[]
  return cards.filter(({ shopper_reference: holder }) => holder === shopperReference)
}

/** What becomes of the gateway's webhooks from now on; `release` sends those that were held. */
export const setWebhooks = (
  world: World,
  order: { mode?: 'normal' | 'hold' | 'duplicate' | 'reorder' | 'drop'; release?: boolean },
): Promise<void> => control(world.deps.outside.cardUrl, 'webhooks', order)

/** Sends a notification that the gateway never sent, signed as it would have been, and answers what the product says to it. */
export async function sendNotification(
  world: World,
  item: { eventCode: string; merchantReference: string; amount: NotificationItem['amount'] } & Partial<
    Omit<NotificationItem, 'eventCode'>
  >,
): Promise<{ status: number; body: string }> {
  const { merchantAccount, hmacKey } = demoMerchant(world.deps.secrets)
  const rest = {
    success: 'true',
    pspReference: randomUUID(),
    originalReference: '',
    reason: '',
    merchantAccountCode: merchantAccount,
    eventDate: new Date().toISOString(),
    additionalData: {},
  }
  const answer = await fetch(`${world.url}${cardCallbackPath}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(notificationBody({ ...rest, ...item } as NotificationItem, hmacKey)),
  })
  return { status: answer.status, body: await answer.text() }
}

/** The gateway tells of a dispute of an attempt, and what is said of one dispute has one reference. */
export const tellDispute = (
  world: World,
  told: { reference: string; event: string; value?: number; dispute?: string; due?: string; reason?: string },
): Promise<void> => control(world.deps.outside.cardUrl, 'disputes', told)

/** A refund of an attempt comes back to the merchant, the latest unless its amount is given, and the gateway tells of it. */
export const returnRefund = (
  world: World,
  told: { reference: string; event: 'REFUND_FAILED' | 'REFUNDED_REVERSED'; value?: number; reason?: string },
): Promise<void> => control(world.deps.outside.cardUrl, 'returned-refunds', told)

/** One call of the gateway with whatever items, of whatever merchant accounts. */
export const tellGateway = (
  world: World,
  items: {
    event: string
    reference?: string
    psp_reference?: string
    merchant_account?: string
    success?: boolean
    value?: number
  }[],
): Promise<void> => control(world.deps.outside.cardUrl, 'notifications', { items })

/**
 * How the provider's account at the gateway is set: which additional data it keeps to itself, whether it tells of stored cards, and which
 * words it has for the network of every card and for the result of an authorised payment.
 */
export const setGatewayAccount = (
  world: World,
  account: { hidden?: string[]; tells_of_contracts?: boolean; network?: string | null; result?: string | null },
): Promise<void> => control(world.deps.outside.cardUrl, 'account', account)

/** A number at another provider, in E.164, whose transfer goes that way. */
export async function newPortableNumber(
  world: World,
  behaviour:
    | 'completes'
    | 'fails'
    | 'expires'
    | 'cancelled'
    | 'needs_information'
    | 'waits_for_reply'
    | 'waits_for_donor'
    | 'asks_code'
    | 'played' = 'completes',
): Promise<string> {
  const msisdn = newMsisdnElsewhere(world.deps.market.code)
  await control(world.deps.outside.networkUrl, 'ports', [{ msisdn, behaviour }])
  return msisdn
}

/** The open port of a number comes to a state of the network's now, with a code of its own if it is declined. */
export const playPort = (world: World, port: { msisdn: string; state: string; code?: string }): Promise<void> =>
  control(world.deps.outside.networkUrl, 'ports/play', port)

/** The code that the donor has texted to a number that is to move; null before it has. */
export async function donorCodeTo(world: World, number: string): Promise<string | null> {
  const answer = await fetch(`${world.deps.outside.networkUrl}/_simulator/ports/texts`)
  const texts = (await answer.json()) as { to: string; text: string }[]
  return /\b\d{6}\b/.exec(texts.find(({ to }) => to === number)?.text ?? '')?.[0] ?? null
}

/** What becomes of the network's events from now on; `release` sends those that were held. */
export async function setNetworkEvents(
  world: World,
  { mode, release = false }: { mode: 'normal' | 'hold' | 'duplicate' | 'reorder' | 'drop'; release?: boolean },
): Promise<void> {
  await control(world.deps.outside.networkUrl, 'events', { mode })
  if (release) await control(world.deps.outside.networkUrl, 'events/release', {})
}

/** A SIM is used now: MB of data, seconds of a call, or messages. */
export const useSim = (
  world: World,
  use: { iccid: string; type: 'data' | 'voice' | 'sms'; amount: number; destination?: string },
): Promise<void> => control(world.deps.outside.networkUrl, 'uses', use)

/** From now on a SIM uses what a test says, and nothing else. */
export const stopHabits = (world: World, { iccid, msisdn }: { iccid: string; msisdn: string }): Promise<void> =>
  control(world.deps.outside.networkUrl, 'sims', [{ iccid, msisdn, habits: 'none' }])

/** The gateway's report of all its payments, as it is downloaded. */
export async function gatewayReport(
  { deps }: World,
  file: 'payments_accounting_report.csv' | 'settlement_detail_report_batch_1.csv' = 'payments_accounting_report.csv',
): Promise<string> {
  const { apiKey, merchantAccount } = demoMerchant(deps.secrets)
  const answer = await fetch(`${deps.outside.cardUrl}/reports/download/MerchantAccount/${merchantAccount}/${file}`, {
    headers: { 'x-api-key': apiKey },
  })
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status} to ${file}`)
  return answer.text()
}

/** What gateway and network say of one order. */
export async function linesOf(world: World, orderCode: string): Promise<Ledgers> {
  const { gateway, network } = await world.ledgers()
  return {
    gateway: gateway.filter(({ reference }) => reference.startsWith(`${orderCode}-`)),
    network: network.filter(({ external_id }) => external_id.startsWith(`${orderCode}-`)),
  }
}

/** The network's orders of one of ours, as `activate completed`. */
export const networkStory = async (world: World, orderCode: string): Promise<string[]> =>
  (await linesOf(world, orderCode)).network.map(({ action, state }) => `${action} ${state}`)

async function control(base: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${base}/_simulator/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status} to ${path}: ${await answer.text()}`)
}
