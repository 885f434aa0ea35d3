import type { ModificationOutcome } from '#providers/card/card.port.ts'
import { describeExchange } from '../exchange-log.ts'
import { requireResult, type Notes, skip, type Step } from '../step.ts'
import { describeOutcome } from './authorise.steps.ts'
import { maxCents } from './limited-gateway.ts'
import type { GatewaySuiteContext, Payment } from './gateway-suite-context.ts'
import {
  cancel,
  awaitModification,
  type PaymentResult,
  pay,
  buildPayment,
  refund,
  awaitNotifications,
} from './payments.ts'

type GatewayStep = Step<GatewaySuiteContext>

/**
 * Records which notification an accepted modification should trigger, and returns the modification's reference. `null`
 * if the gateway rejected it.
 */
function expectNotification(
  world: GatewaySuiteContext,
  notes: Notes,
  answer: ModificationOutcome,
  told: { eventCode: string; references: string[]; amount: number | null },
): string | null {
  notes.came(describeExchange(world.exchanges.last()))
  if (answer.outcome === 'received') {
    world.expected.push({ ...told, success: true, pspReference: answer.pspReference })
    return answer.pspReference
  }
  notes.differs(`the result is ${describeOutcome(answer)}, not acknowledged`)
  return null
}

async function authoriseNewPayment(
  world: GatewaySuiteContext,
): Promise<{ payment: Payment; made: PaymentResult['made'] }> {
  const wanted = buildPayment(world)
  const { outcome, made } = await pay(world, wanted)
  if (outcome.outcome !== 'authorised') return skip(`there was no authorisation: ${describeOutcome(outcome)}`)
  return { payment: { reference: wanted.reference, pspReference: outcome.pspReference, card: outcome.card }, made }
}

const captureStep: GatewayStep = {
  name: 'capture',
  tries: 'the capture of 1.00, and the same request again with the same key',
  matters: 'You are not paid for what you deliver, or customers are charged twice.',
  async run(world, notes) {
    const { payment, made } = await authoriseNewPayment(world)
    const { reference, pspReference } = payment
    const asking = {
      originalReference: pspReference,
      reference: `${reference}-capture`,
      idempotencyKey: `${reference}-capture`,
      amount: maxCents,
      currency: world.file.currency,
    }
    made.becomes(`1.00 captured or reserved under ${reference}, ${pspReference}`, (signal) =>
      refundOrCancel(world, payment, maxCents, signal),
    )
    const first = await world.card.capture(asking)
    const told = { eventCode: 'CAPTURE', references: [reference, asking.reference], amount: maxCents }
    const captured = expectNotification(world, notes, first, told)
    if (captured === null) return
    world.held.captured = { payment, made, pspReference: captured }
    const again = await world.card.capture(asking)
    if (again.outcome !== 'received' || again.pspReference !== captured)
      notes.differs(`the repeat made a second capture: ${describeExchange(world.exchanges.last())}`)
  },
}

/** Refunds a payment that has been captured, or cancels one that has not. */
async function refundOrCancel(
  world: GatewaySuiteContext,
  payment: Payment,
  amount: number,
  signal: AbortSignal,
): Promise<string | null> {
  const why = await awaitModification(world, signal, () => refund(world, payment, amount, `-undo-${amount}`))
  if (why === null) return null
  return (await awaitModification(world, signal, () => cancel(world, payment, '-undo'))) && why
}

const refundStep: GatewayStep = {
  name: 'refund',
  tries: 'refunding the captured 1.00 in two parts',
  matters: 'Orders cannot be refunded, or only in full.',
  async run(world, notes) {
    const { payment, made, pspReference: captured } = requireResult(world.held.captured, 'capture')
    // A real gateway takes a while to capture a payment, and a refund is possible only after the capture.
    await world.webhooks?.find(({ pspReference }) => pspReference === captured, notes.signal)
    const refunds: string[] = []
    for (const [amount, mark] of refundParts) {
      const references = [payment.reference, `${payment.reference}${mark}`]
      const answer = await refund(world, payment, amount, mark)
      const refunded = expectNotification(world, notes, answer, { eventCode: 'REFUND', references, amount })
      if (refunded === null) return
      refunds.push(refunded)
      const left = maxCents - refundParts.slice(0, refunds.length).reduce((sum, [part]) => sum + part, 0)
      made.becomes(
        `${left || maxCents} cents captured under ${payment.reference}, ${payment.pspReference}`,
        async (signal) =>
          (left > 0 ? await refundOrCancel(world, payment, left, signal) : null) ??
          awaitNotifications(world, refunds, signal),
      )
    }
  },
}

const refundParts = [
  [40, '-refund-1'],
  [60, '-refund-2'],
] as const

const cancelStep: GatewayStep = {
  name: 'cancel',
  tries: 'cancelling an authorisation that is not captured',
  matters: 'Money that an order does not need stays reserved on customers’ cards.',
  async run(world, notes) {
    const { payment, made } = await authoriseNewPayment(world)
    const references = [payment.reference, `${payment.reference}-cancel`]
    const told = { eventCode: 'CANCELLATION', references, amount: null }
    const cancelled = expectNotification(world, notes, await cancel(world, payment), told)
    if (cancelled !== null)
      made.becomes(describeAuthorisation(payment), (signal) => awaitNotifications(world, [cancelled], signal))
  },
}

const technicalCancelStep: GatewayStep = {
  name: 'technical-cancel',
  tries: 'a technicalCancel by our own reference, as after a lost answer',
  matters:
    'When the answer to an authorisation is lost, the money stays reserved, because its pspReference is not known.',
  async run(world, notes) {
    const { payment, made } = await authoriseNewPayment(world)
    const reference = `${payment.reference}-technical`
    const asking = { originalReference: payment.reference, reference, idempotencyKey: reference }
    const cancelled = expectNotification(world, notes, await world.card.technicalCancel(asking), {
      eventCode: 'TECHNICAL_CANCEL',
      references: [payment.reference, reference],
      amount: null,
    })
    if (cancelled !== null)
      made.becomes(describeAuthorisation(payment), (signal) => awaitNotifications(world, [cancelled], signal))
  },
}

const describeAuthorisation = ({ pspReference, reference }: Payment): string =>
  `the authorisation ${pspReference} under ${reference}`

export const modifySteps: GatewayStep[] = [captureStep, refundStep, cancelStep, technicalCancelStep]
