import { randomUUID } from 'node:crypto'
import { demoMerchant } from '#demo/demo-simulators.ts'
import { buildNotificationBody } from '#simulators/gateway/notification.ts'
import type { NotificationItem } from '#simulators/gateway/state.ts'
import { cardCallbackPath } from '#app/callbacks.ts'
import { newOtherCarrierMsisdn } from './numbers.ts'
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
  /** Limits the failure to a single payment attempt, such as `<order_code>-<n>`. */
  reference?: string
  /** How long a `slow` response is delayed, in milliseconds; 15 seconds by default. */
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

export const failGateway = (world: World, failure: GatewayFailure): Promise<void> =>
  postSimulatorControl(world.deps.outside.cardUrl, 'failures', failure)

export const failNetwork = (world: World, failure: NetworkFailure): Promise<void> =>
  postSimulatorControl(world.deps.outside.networkUrl, 'failures', failure)

export async function clearFailures(world: World): Promise<void> {
  await clearSimulatorFailures(world, 'cardUrl')
  await clearSimulatorFailures(world, 'networkUrl')
}

export async function clearSimulatorFailures(
  { deps: { outside } }: World,
  which: 'cardUrl' | 'networkUrl',
): Promise<void> {
  await fetch(`${outside[which]}/_simulator/failures`, { method: 'DELETE' })
}

export async function readGatewayCards(
  { deps }: World,
  shopperReference: string,
): Promise<{ id: string; last_four: string }[]> {
  const answer = await fetch(`${deps.outside.cardUrl}/_simulator/cards`)
  const cards = (await answer.json()) as { id: string; last_four: string; shopper_reference: string }[]
  return cards.filter(({ shopper_reference: holder }) => holder === shopperReference)
}

/** Sets how the gateway delivers webhooks from now on. With `release`, it also delivers those it is holding. */
export const setWebhookMode = (
  world: World,
  order: { mode?: 'normal' | 'hold' | 'duplicate' | 'reorder' | 'drop'; release?: boolean },
): Promise<void> => postSimulatorControl(world.deps.outside.cardUrl, 'webhooks', order)

/** Sends a correctly signed notification that the gateway itself never sent, and returns Fantail's response. */
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
    body: JSON.stringify(buildNotificationBody({ ...rest, ...item } as NotificationItem, hmacKey)),
  })
  return { status: answer.status, body: await answer.text() }
}

/** Makes the gateway report a dispute about a payment attempt. All reports about the same dispute share one reference. */
export const sendDispute = (
  world: World,
  told: { reference: string; event: string; value?: number; dispute?: string; due?: string; reason?: string },
): Promise<void> => postSimulatorControl(world.deps.outside.cardUrl, 'disputes', told)

/**
 * Makes the gateway report that a refund came back to the merchant: the attempt's refund of the given amount, or its latest if no amount is
 * given.
 */
export const sendRefundReturn = (
  world: World,
  told: { reference: string; event: 'REFUND_FAILED' | 'REFUNDED_REVERSED'; value?: number; reason?: string },
): Promise<void> => postSimulatorControl(world.deps.outside.cardUrl, 'returned-refunds', told)

export const sendGatewayItems = (
  world: World,
  items: {
    event: string
    reference?: string
    psp_reference?: string
    merchant_account?: string
    success?: boolean
    value?: number
  }[],
): Promise<void> => postSimulatorControl(world.deps.outside.cardUrl, 'notifications', { items })

/**
 * Configures the merchant account at the gateway: which additional data it leaves out, whether it reports stored cards, and which words it
 * uses for a card's network and for the result of an authorised payment.
 */
export const setGatewayAccount = (
  world: World,
  account: { hidden?: string[]; tells_of_contracts?: boolean; network?: string | null; result?: string | null },
): Promise<void> => postSimulatorControl(world.deps.outside.cardUrl, 'account', account)

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
  const msisdn = newOtherCarrierMsisdn(world.deps.market.code)
  await postSimulatorControl(world.deps.outside.networkUrl, 'ports', [{ msisdn, behaviour }])
  return msisdn
}

export const setPortState = (world: World, port: { msisdn: string; state: string; code?: string }): Promise<void> =>
  postSimulatorControl(world.deps.outside.networkUrl, 'ports/play', port)

/** Returns the code that the losing provider texted to a number; null if none has been sent yet. */
export async function readDonorCode(world: World, number: string): Promise<string | null> {
  const answer = await fetch(`${world.deps.outside.networkUrl}/_simulator/ports/texts`)
  const texts = (await answer.json()) as { to: string; text: string }[]
  return /\b\d{6}\b/.exec(texts.find(({ to }) => to === number)?.text ?? '')?.[0] ?? null
}

export async function setNetworkEvents(
  world: World,
  { mode, release = false }: { mode: 'normal' | 'hold' | 'duplicate' | 'reorder' | 'drop'; release?: boolean },
): Promise<void> {
  await postSimulatorControl(world.deps.outside.networkUrl, 'events', { mode })
  if (release) await postSimulatorControl(world.deps.outside.networkUrl, 'events/release', {})
}

/** Adds usage to a SIM: megabytes of data, seconds of a call, or a number of messages. */
export const addSimUsage = (
  world: World,
  use: { iccid: string; type: 'data' | 'voice' | 'sms'; amount: number; destination?: string },
): Promise<void> => postSimulatorControl(world.deps.outside.networkUrl, 'uses', use)

export const disableAutomaticUsage = (
  world: World,
  { iccid, msisdn }: { iccid: string; msisdn: string },
): Promise<void> => postSimulatorControl(world.deps.outside.networkUrl, 'sims', [{ iccid, msisdn, habits: 'none' }])

export async function downloadGatewayReport(
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

export async function readProviderRecords(world: World, orderCode: string): Promise<Ledgers> {
  const { gateway, network } = await world.ledgers()
  return {
    gateway: gateway.filter(({ reference }) => reference.startsWith(`${orderCode}-`)),
    network: network.filter(({ external_id }) => external_id.startsWith(`${orderCode}-`)),
  }
}

export const readNetworkActions = async (world: World, orderCode: string): Promise<string[]> =>
  (await readProviderRecords(world, orderCode)).network.map(({ action, state }) => `${action} ${state}`)

async function postSimulatorControl(base: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${base}/_simulator/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`the simulator answered ${answer.status} to ${path}: ${await answer.text()}`)
}
