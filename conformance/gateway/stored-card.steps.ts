import { describeExchange } from '../exchange-log.ts'
import { requireResult, type Step } from '../step.ts'
import { describeOutcome } from './authorise.steps.ts'
import type { GatewaySuiteContext } from './gateway-suite-context.ts'
import { pay, buildPayment } from './payments.ts'

type GatewayStep = Step<GatewaySuiteContext>

const storeCardStep: GatewayStep = {
  name: 'store-card',
  tries: 'storing a card with an authorisation of 0.00, for ONECLICK and RECURRING',
  matters:
    'Customers cannot save a card, and auto-renewal has no card to charge. Have the gateway’s account return recurringDetailReference.',
  async run(world, notes) {
    const { outcome } = await pay(world, buildPayment(world, { amount: 0, store: true }))
    notes.came(describeExchange(world.exchanges.last()))
    if (outcome.outcome !== 'authorised')
      return notes.differs(`the result is ${describeOutcome(outcome)}, not authorised`)
    const { storedId } = outcome.card
    if (storedId === null) return notes.differs('recurring.recurringDetailReference is missing')
    world.held.stored = {
      id: storedId,
      made: world.undo.made(`the stored card ${storedId} of ${world.shopperReference}`, () =>
        disableStoredCard(world, storedId),
      ),
    }
  },
}

async function disableStoredCard(world: GatewaySuiteContext, storedId: string): Promise<string | null> {
  const { shopperReference, nextReference, card } = world
  const answer = await card.disable({ storedId, shopperReference, idempotencyKey: nextReference() })
  return answer.outcome === 'disabled' ? null : describeOutcome(answer)
}

const storedCardStep: GatewayStep = {
  name: 'stored-card',
  tries: 'an authorisation of 1.00 with the stored card, without the cardholder (ContAuth)',
  matters: 'Customers cannot pay with a saved card, and plans do not renew automatically.',
  async run(world, notes) {
    const { id } = requireResult(world.held.stored, 'store-card')
    const { outcome } = await pay(world, buildPayment(world, { card: { storedId: id } }))
    notes.came(describeExchange(world.exchanges.last()))
    if (outcome.outcome !== 'authorised') notes.differs(`the result is ${describeOutcome(outcome)}, not authorised`)
  },
}

const disableStep: GatewayStep = {
  name: 'disable',
  tries: 'deleting the stored card twice, and then paying with it',
  matters: 'A card that its owner removed can still be charged, or its removal is retried forever.',
  async run(world, notes) {
    const { id, made } = requireResult(world.held.stored, 'store-card')
    const first = await disableStoredCard(world, id)
    notes.came(describeExchange(world.exchanges.last()))
    if (first !== null) return notes.differs(`the first deletion is ${first}, not disabled`)
    made.gone()
    const again = await disableStoredCard(world, id)
    notes.came(describeExchange(world.exchanges.last()))
    if (again !== null) notes.differs(`the second deletion is ${again}; expected success or errorCode 803`)
    const { outcome } = await pay(world, buildPayment(world, { card: { storedId: id } }))
    notes.came(describeExchange(world.exchanges.last()))
    if (!['refused', 'invalid', 'fault'].includes(outcome.outcome))
      notes.differs(`paying with the deleted card is ${describeOutcome(outcome)}; expected a refusal`)
  },
}

export const storedCardSteps: GatewayStep[] = [storeCardStep, storedCardStep, disableStep]
