import type { Step } from '../step.ts'
import { need } from '../step.ts'
import { shown } from '../exchanges.ts'
import { mostCents } from './bounded-gateway.ts'
import type { GatewayWorld } from './gateway-world.ts'
import { pay, paymentOf, sealed } from './pay.ts'

type GatewayStep = Step<GatewayWorld>

const wrongKey: GatewayStep = {
  name: 'wrong-key',
  tries: 'an authorisation with an API key that is nobody’s',
  matters: 'The gateway serves whoever calls it: anybody can charge cards in your name.',
  async run(world, notes) {
    const { outcome, made } = await pay(world, paymentOf(world), world.stranger)
    notes.came(shown(world.exchanges.last()))
    const status = world.exchanges.last()?.status
    if (status === 401 || status === 403) return made.gone()
    notes.differs(
      outcome.outcome === 'unknown' ? `HTTP 401 was expected, and ${outcome.why} came` : 'the key was taken',
    )
  },
}

const authorise: GatewayStep = {
  name: 'authorise',
  tries: 'an authorisation of 1.00 with a card that is encrypted as the browser does it',
  matters: 'Nobody can pay by card.',
  async run(world, notes) {
    const payment = paymentOf(world)
    const { outcome } = await pay(world, payment)
    notes.came(shown(world.exchanges.last()))
    if (outcome.outcome !== 'authorised') return notes.differs(`it is ${describe(outcome)}, not authorised`)
    const { pspReference, card } = outcome
    world.held.payment = { reference: payment.reference, pspReference, card }
    world.expected.push({
      eventCode: 'AUTHORISATION',
      success: true,
      pspReference,
      references: [payment.reference],
      amount: mostCents,
    })
  },
}

const cardDetails: GatewayStep = {
  name: 'card-details',
  tries: 'whether the answer says which card was paid with',
  matters:
    'Customers do not see which card they saved, cards that you do not take are not told apart, and nobody is warned of a card that ' +
    'expires. Have the gateway’s account return these fields.',
  async run({ held, file, exchanges }, notes) {
    const { card } = need(held.payment, 'authorise')
    notes.came(shown(exchanges.last()))
    const { number, expiry, holder } = file.cards.good
    const expected = { lastFour: number.replaceAll(' ', '').slice(-4), expiry, holderName: holder }
    if (!card.network) notes.differs('paymentMethod is not there')
    else if (!card.network.isKnown) notes.differs(`paymentMethod names a network that the product does not know`)
    else if (card.type === 'other') notes.differs('paymentMethod names a type of card that no provider can accept')
    for (const [field, name] of [
      ['lastFour', 'cardSummary'],
      ['expiry', 'expiryDate'],
      ['holderName', 'cardHolderName'],
    ] as const) {
      if (card[field] === null) notes.differs(`${name} is not there`)
      else if (card[field] !== expected[field])
        notes.differs(`${name} is ${card[field]}, and the card’s ${expected[field]}`)
    }
  },
}

const repeat: GatewayStep = {
  name: 'repeat',
  tries: 'the same request again under the same Idempotency-Key, as after an answer that was lost',
  matters: 'A customer whose payment’s answer is lost is charged twice.',
  async run(world, notes) {
    const payment = paymentOf(world)
    const first = await pay(world, payment)
    const again = await pay(world, payment)
    notes.came(shown(world.exchanges.last()))
    const [one, two] = [first.outcome, again.outcome]
    if (one.outcome !== 'authorised' || two.outcome !== 'authorised')
      return notes.differs(`the first is ${describe(one)}, the second ${describe(two)}`)
    if (one.pspReference !== two.pspReference)
      return notes.differs(`it is a payment of its own: ${one.pspReference}, then ${two.pspReference}`)
    // Both responses are about the same payment, so only one needs to be undone.
    again.made.gone()
  },
}

const tries = 4

const duplicates: GatewayStep = {
  name: 'duplicates',
  tries: `the same request ${tries} times at once under one Idempotency-Key`,
  matters: 'Two processes that settle the same payment charge it twice, or take its first answer for a refusal.',
  async run(world, notes) {
    const payment = paymentOf(world)
    const paid = await Promise.all(Array.from({ length: tries }, () => pay(world, payment)))
    const references = new Set<string>()
    for (const { outcome, made } of paid) {
      if (outcome.outcome === 'authorised') {
        if (references.has(outcome.pspReference)) made.gone()
        references.add(outcome.pspReference)
      } else if (outcome.outcome === 'unknown' && outcome.why.includes('704')) made.gone()
      else notes.differs(`one is ${describe(outcome)}; the first answer or 409 with 704 was expected`)
    }
    const busy = paid.filter(({ outcome }) => outcome.outcome === 'unknown').length
    notes.came(`${tries - busy} answers with ${references.size} reference(s), ${busy} without an outcome`)
    if (references.size !== 1) notes.differs(`they are ${references.size} payments, not one`)
  },
}

const refused: GatewayStep = {
  name: 'refused',
  tries: 'an authorisation with the card that is to be refused',
  matters: 'A customer whose card is refused waits for an outcome instead of reading that it was refused.',
  async run(world, notes) {
    const payment = paymentOf(world, { card: { encrypted: sealed(world, world.file.cards.refused) } })
    const { outcome } = await pay(world, payment)
    notes.came(shown(world.exchanges.last()))
    if (outcome.outcome !== 'refused') return notes.differs(`it is ${describe(outcome)}, not refused`)
    if (outcome.pspReference)
      world.expected.push({
        eventCode: 'AUTHORISATION',
        success: false,
        pspReference: outcome.pspReference,
        references: [payment.reference],
        amount: mostCents,
      })
  },
}

const unreadable: GatewayStep = {
  name: 'unreadable-card',
  tries: 'an authorisation with an encrypted card that nobody can open',
  matters: 'A card that was encrypted with an old key is asked about again and again instead of asked for anew.',
  async run(world, notes) {
    const encrypted = sealed(world, world.file.cards.good).replace(/\$.*\$/, `$${btoa('x'.repeat(256))}$`)
    const { outcome } = await pay(world, paymentOf(world, { card: { encrypted } }))
    notes.came(shown(world.exchanges.last()))
    if (outcome.outcome !== 'fault')
      notes.differs(`it is ${describe(outcome)}; HTTP 422 with an errorCode was expected`)
  },
}

export function describe(outcome: { outcome: string; why?: string; reason?: string; code?: string }): string {
  return [outcome.outcome, outcome.why ?? outcome.reason ?? outcome.code].filter(Boolean).join(' ')
}

export const authoriseSteps: GatewayStep[] = [wrongKey, authorise, cardDetails, repeat, duplicates, refused, unreadable]
