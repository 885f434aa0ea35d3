import type { Step } from '../step.ts'
import { requireResult } from '../step.ts'
import { describeExchange } from '../exchange-log.ts'
import { maxCents } from './limited-gateway.ts'
import type { GatewaySuiteContext } from './gateway-suite-context.ts'
import { pay, buildPayment, encryptTestCard } from './payments.ts'

type GatewayStep = Step<GatewaySuiteContext>

const wrongKeyStep: GatewayStep = {
  name: 'wrong-key',
  tries: 'an authorisation with an unknown API key',
  matters: 'The gateway accepts any caller, so anyone can charge cards in your name.',
  async run(world, notes) {
    const { outcome, made } = await pay(world, buildPayment(world), world.stranger)
    notes.came(describeExchange(world.exchanges.last()))
    const status = world.exchanges.last()?.status
    if (status === 401 || status === 403) return made.gone()
    notes.differs(outcome.outcome === 'unknown' ? `expected HTTP 401, but got ${outcome.why}` : 'the key was accepted')
  },
}

const authoriseStep: GatewayStep = {
  name: 'authorise',
  tries: 'an authorisation of 1.00 with a card that is encrypted as in the browser',
  matters: 'Customers cannot pay by card.',
  async run(world, notes) {
    const payment = buildPayment(world)
    const { outcome } = await pay(world, payment)
    notes.came(describeExchange(world.exchanges.last()))
    if (outcome.outcome !== 'authorised')
      return notes.differs(`the result is ${describeOutcome(outcome)}, not authorised`)
    const { pspReference, card } = outcome
    world.held.payment = { reference: payment.reference, pspReference, card }
    world.expected.push({
      eventCode: 'AUTHORISATION',
      success: true,
      pspReference,
      references: [payment.reference],
      amount: maxCents,
    })
  },
}

const cardDetailsStep: GatewayStep = {
  name: 'card-details',
  tries: 'whether the answer contains details of the card',
  matters:
    'Customers do not see which card they saved, card types that you do not accept are not recognised, and nobody is warned of an ' +
    'expiring card. Have the gateway’s account return these fields.',
  async run({ held, file, exchanges }, notes) {
    const { card } = requireResult(held.payment, 'authorise')
    notes.came(describeExchange(exchanges.last()))
    const { number, expiry, holder } = file.cards.good
    const expected = { lastFour: number.replaceAll(' ', '').slice(-4), expiry, holderName: holder }
    if (!card.network) notes.differs('paymentMethod is missing')
    else if (!card.network.isKnown) notes.differs(`paymentMethod has a card network that the product does not know`)
    else if (card.type === 'other') notes.differs('paymentMethod has a card type that no provider can accept')
    for (const [field, name] of [
      ['lastFour', 'cardSummary'],
      ['expiry', 'expiryDate'],
      ['holderName', 'cardHolderName'],
    ] as const) {
      if (card[field] === null) notes.differs(`${name} is missing`)
      else if (card[field] !== expected[field])
        notes.differs(`${name} is ${card[field]}, but the card has ${expected[field]}`)
    }
  },
}

const repeatStep: GatewayStep = {
  name: 'repeat',
  tries: 'the same request again with the same Idempotency-Key, as after a lost answer',
  matters: 'A customer is charged twice when the answer to a payment is lost.',
  async run(world, notes) {
    const payment = buildPayment(world)
    const first = await pay(world, payment)
    const again = await pay(world, payment)
    notes.came(describeExchange(world.exchanges.last()))
    const [one, two] = [first.outcome, again.outcome]
    if (one.outcome !== 'authorised' || two.outcome !== 'authorised')
      return notes.differs(`the first is ${describeOutcome(one)}, the second ${describeOutcome(two)}`)
    if (one.pspReference !== two.pspReference)
      return notes.differs(`the repeat made a second payment: ${one.pspReference}, then ${two.pspReference}`)
    // The original and the repeated request belong to the same payment, so the payment has to be reversed only once.
    again.made.gone()
  },
}

const duplicateCount = 4

const duplicatesStep: GatewayStep = {
  name: 'duplicates',
  tries: `the same request ${duplicateCount} times at once with one Idempotency-Key`,
  matters: 'When two processes settle the same payment, it is charged twice, or its first answer is read as a refusal.',
  async run(world, notes) {
    const payment = buildPayment(world)
    const paid = await Promise.all(Array.from({ length: duplicateCount }, () => pay(world, payment)))
    const references = new Set<string>()
    for (const { outcome, made } of paid) {
      if (outcome.outcome === 'authorised') {
        if (references.has(outcome.pspReference)) made.gone()
        references.add(outcome.pspReference)
      } else if (outcome.outcome === 'unknown' && outcome.why.includes('704')) made.gone()
      else notes.differs(`one answer is ${describeOutcome(outcome)}; expected the first answer, or 409 with 704`)
    }
    const busy = paid.filter(({ outcome }) => outcome.outcome === 'unknown').length
    notes.came(`${duplicateCount - busy} answers with ${references.size} reference(s), ${busy} without an outcome`)
    if (references.size !== 1) notes.differs(`the requests made ${references.size} payments, not one`)
  },
}

const refusedStep: GatewayStep = {
  name: 'refused',
  tries: 'an authorisation with the card that the gateway has to refuse',
  matters: 'A customer whose card is refused keeps waiting instead of being told.',
  async run(world, notes) {
    const payment = buildPayment(world, { card: { encrypted: encryptTestCard(world, world.file.cards.refused) } })
    const { outcome } = await pay(world, payment)
    notes.came(describeExchange(world.exchanges.last()))
    if (outcome.outcome !== 'refused') return notes.differs(`the result is ${describeOutcome(outcome)}, not refused`)
    if (outcome.pspReference)
      world.expected.push({
        eventCode: 'AUTHORISATION',
        success: false,
        pspReference: outcome.pspReference,
        references: [payment.reference],
        amount: maxCents,
      })
  },
}

const unreadableCardStep: GatewayStep = {
  name: 'unreadable-card',
  tries: 'an authorisation with an encrypted card that cannot be decrypted',
  matters:
    'A card that was encrypted with an old key is retried again and again, and the customer is not asked to enter it again.',
  async run(world, notes) {
    const encrypted = encryptTestCard(world, world.file.cards.good).replace(/\$.*\$/, `$${btoa('x'.repeat(256))}$`)
    const { outcome } = await pay(world, buildPayment(world, { card: { encrypted } }))
    notes.came(describeExchange(world.exchanges.last()))
    if (outcome.outcome !== 'fault')
      notes.differs(`the result is ${describeOutcome(outcome)}; expected HTTP 422 with an errorCode`)
  },
}

export function describeOutcome(outcome: { outcome: string; why?: string; reason?: string; code?: string }): string {
  return [outcome.outcome, outcome.why ?? outcome.reason ?? outcome.code].filter(Boolean).join(' ')
}

export const authoriseSteps: GatewayStep[] = [
  wrongKeyStep,
  authoriseStep,
  cardDetailsStep,
  repeatStep,
  duplicatesStep,
  refusedStep,
  unreadableCardStep,
]
