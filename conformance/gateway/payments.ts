import type { AuthorisationOutcome, CardPayment, ModificationOutcome } from '#providers/card/card.port.ts'
import { encryptCard } from '#kit/web/card/encrypt.ts'
import type { TrackedEffect } from '../undo.ts'
import { maxCents } from './limited-gateway.ts'
import type { TestCard } from './gateway-file.ts'
import type { GatewaySuiteContext, Payment } from './gateway-suite-context.ts'

export function encryptTestCard({ file }: GatewaySuiteContext, { number, cvc, expiry, holder }: TestCard): string {
  const [expiryMonth = '', expiryYear = ''] = expiry.split('/')
  const now = Temporal.Now.instant().toString({ fractionalSecondDigits: 3 })
  return encryptCard(
    file.settings['CARD_PUBLIC_KEY'] ?? '',
    { number, cvc, holderName: holder, expiryMonth, expiryYear },
    now,
  )
}

export function buildPayment(world: GatewaySuiteContext, change: Partial<CardPayment> = {}): CardPayment {
  const reference = change.reference ?? world.nextReference()
  return {
    reference,
    idempotencyKey: reference,
    amount: maxCents,
    currency: world.file.currency,
    shopperReference: world.shopperReference,
    shopperEmail: world.file.shopper_email,
    card: change.card ?? { encrypted: encryptTestCard(world, world.file.cards.good) },
    store: false,
    ...change,
  }
}

export type PaymentResult = { outcome: AuthorisationOutcome; made: TrackedEffect }

export async function pay(world: GatewaySuiteContext, payment: CardPayment, by = world.card): Promise<PaymentResult> {
  const { reference } = payment
  const made = world.undo.made(
    `an authorisation with the reference ${reference}, if it reached the gateway`,
    (signal) =>
      awaitModification(world, signal, () =>
        world.card.technicalCancel({
          originalReference: reference,
          reference: `${reference}-undo`,
          idempotencyKey: `${reference}-undo`,
        }),
      ),
  )
  const outcome = await by.authorise(payment)
  if (['refused', 'invalid', 'fault'].includes(outcome.outcome)) made.gone()
  if (outcome.outcome === 'authorised' || outcome.outcome === 'pending') {
    if (payment.amount === 0) made.gone()
    else
      made.becomes(`the authorisation ${outcome.pspReference} under ${reference}`, (signal) =>
        awaitModification(world, signal, () =>
          cancel(world, { reference, pspReference: outcome.pspReference }, '-undo'),
        ),
      )
  }
  return { outcome, made }
}

export const cancel = (
  world: GatewaySuiteContext,
  { reference, pspReference }: Omit<Payment, 'card'>,
  mark = '-cancel',
) =>
  world.card.cancel({
    originalReference: pspReference,
    reference: `${reference}${mark}`,
    idempotencyKey: `${reference}${mark}`,
  })

export const refund = (
  world: GatewaySuiteContext,
  { reference, pspReference }: Payment,
  amount: number,
  mark: string,
) =>
  world.card.refund({
    originalReference: pspReference,
    reference: `${reference}${mark}`,
    idempotencyKey: `${reference}${mark}`,
    amount,
    currency: world.file.currency,
  })

export async function awaitModification(
  world: GatewaySuiteContext,
  signal: AbortSignal,
  ask: () => Promise<ModificationOutcome>,
): Promise<string | null> {
  const answer = await ask()
  if (answer.outcome === 'unknown') return answer.why
  if (answer.outcome === 'refused') return `${answer.code} ${answer.message}`.trim()
  return awaitNotifications(world, [answer.pspReference], signal)
}

/** Waits for the notifications about accepted modifications. Returns the first problem, or `null` if all modifications succeeded. */
export async function awaitNotifications(
  { webhooks }: GatewaySuiteContext,
  pspReferences: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  // If no valid notification has arrived so far, there is no point in waiting for more.
  if (!webhooks || webhooks.believed().length === 0) return null
  for (const wanted of pspReferences) {
    const told = await webhooks.find(({ pspReference }) => pspReference === wanted, signal)
    if (!told) return `${wanted} was acknowledged, but no webhook about the result arrived`
    if (!told.success) return `${wanted} was acknowledged, but failed later: ${told.reason}`
  }
  return null
}
