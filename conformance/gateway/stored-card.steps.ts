import { shown } from '../exchanges.ts'
import { need, type Step } from '../step.ts'
import { describe } from './authorise.steps.ts'
import type { GatewayWorld } from './gateway-world.ts'
import { pay, paymentOf } from './pay.ts'

type GatewayStep = Step<GatewayWorld>

const store: GatewayStep = {
  name: 'store-card',
  tries: 'a card that is stored with an authorisation of 0.00, for ONECLICK and RECURRING',
  matters:
    'Nobody can save a card, and auto-renewal has none to charge. Have the account return recurringDetailReference.',
  async run(world, notes) {
    const { outcome } = await pay(world, paymentOf(world, { amount: 0, store: true }))
    notes.came(shown(world.exchanges.last()))
    if (outcome.outcome !== 'authorised') return notes.differs(`it is ${describe(outcome)}, not authorised`)
    const { storedId } = outcome.card
    if (storedId === null) return notes.differs('recurring.recurringDetailReference is not there')
    world.held.stored = {
      id: storedId,
      made: world.undo.made(`the stored card ${storedId} of ${world.shopperReference}`, () => forget(world, storedId)),
    }
  },
}

async function forget(world: GatewayWorld, storedId: string): Promise<string | null> {
  const { shopperReference, nextReference, card } = world
  const answer = await card.disable({ storedId, shopperReference, idempotencyKey: nextReference() })
  return answer.outcome === 'disabled' ? null : describe(answer)
}

const stored: GatewayStep = {
  name: 'stored-card',
  tries: 'an authorisation of 1.00 with the stored card, without its holder (ContAuth)',
  matters: 'Saved cards cannot be paid with, and no plan renews by itself.',
  async run(world, notes) {
    const { id } = need(world.held.stored, 'store-card')
    const { outcome } = await pay(world, paymentOf(world, { card: { storedId: id } }))
    notes.came(shown(world.exchanges.last()))
    if (outcome.outcome !== 'authorised') notes.differs(`it is ${describe(outcome)}, not authorised`)
  },
}

const disable: GatewayStep = {
  name: 'disable',
  tries: 'having the stored card forgotten, twice, and paying with it then',
  matters: 'A card that its owner removed can still be charged, or its removal is tried for ever.',
  async run(world, notes) {
    const { id, made } = need(world.held.stored, 'store-card')
    const first = await forget(world, id)
    notes.came(shown(world.exchanges.last()))
    if (first !== null) return notes.differs(`it is ${first}, not disabled`)
    made.gone()
    const again = await forget(world, id)
    notes.came(shown(world.exchanges.last()))
    if (again !== null) notes.differs(`forgotten already, it is ${again}; success or errorCode 803 was expected`)
    const { outcome } = await pay(world, paymentOf(world, { card: { storedId: id } }))
    notes.came(shown(world.exchanges.last()))
    if (!['refused', 'invalid', 'fault'].includes(outcome.outcome))
      notes.differs(`paying with it is ${describe(outcome)}; a refusal was expected`)
  },
}

export const storedCardSteps: GatewayStep[] = [store, stored, disable]
