import * as v from 'valibot'
import { describeExchange } from '../exchange-log.ts'
import { skip, type Step } from '../step.ts'
import type { NetworkSuiteContext } from './network-suite-context.ts'
import { describeOrderAnswer, waitForOrderEnd, place } from './order.ts'

type NetworkStep = Step<NetworkSuiteContext>

const wrongKeyStep: NetworkStep = {
  name: 'wrong-key',
  tries: 'reading an order with an unknown secret',
  matters: 'The network accepts any caller, so anyone can place orders in your name.',
  async run(world, notes) {
    if (!world.stranger) return skip('NETWORK_AUTH is none, so callers do not authenticate')
    const before = world.exchanges.all().length
    const answer = await world.stranger.read(world.nextReference())
    const exchange = world.exchanges.all().length > before ? world.exchanges.last() : null
    notes.came(exchange ? describeExchange(exchange) : describeOrderAnswer(answer))
    if (exchange && exchange.status !== 401 && exchange.status !== 403)
      notes.differs(`HTTP ${exchange.status}; expected 401`)
  },
}

const unknownOrderStep: NetworkStep = {
  name: 'never-seen',
  tries: 'reading an order by an externalId that was never used',
  matters:
    'After a lost answer, the product cannot tell whether to place the order again, and the order waits for a person.',
  async run(world, notes) {
    const answer = await world.network.read(world.nextReference())
    notes.came(describeExchange(world.exchanges.last()))
    if (answer.outcome !== 'absent')
      notes.differs(`the result is ${describeOrderAnswer(answer)}; expected an empty list`)
  },
}

const unknownSimStep: NetworkStep = {
  name: 'wrong-sim',
  tries: 'activating a SIM that the network does not know',
  matters: 'An order that cannot be carried out is retried forever, while the customer’s money stays reserved.',
  async run(world, notes) {
    const { iccid, msisdn } = world.file.wrong_sim
    const externalId = world.nextReference()
    const { answer } = await place(world, { kind: 'activate_sim', externalId, iccid, msisdn })
    notes.came(describeExchange(world.exchanges.last()))
    if (answer.outcome === 'rejected') return
    if (answer.outcome === 'unknown')
      return notes.differs(
        `${answer.why} is not a definite rejection; expected HTTP 4xx with TM Forum’s code and reason`,
      )
    const end = await waitForOrderEnd(world, externalId, { seconds: world.file.order_seconds, signal: notes.signal })
    notes.came(describeOrderAnswer(end))
    if (end.outcome !== 'known' || end.state !== 'failed')
      return notes.differs(`the order is ${describeOrderAnswer(end)}; expected failed`)
    if (end.fault?.code === 'FAILED') notes.differs('the failed order has no errorMessage with a code')
  },
}

const subscription = v.object({ id: v.union([v.string(), v.number()]) })

const subscribeStep: NetworkStep = {
  name: 'subscribe',
  tries: 'subscribing to events, twice, as each start of the product does',
  matters: 'The product notices changes of orders and transfers late, because it has to poll.',
  async run(world, notes) {
    if (!world.events) return skip('the file has no "listen" for receiving events')
    const { callbackUrl } = world.events
    for (const time of ['the first', 'the second']) {
      const why = await world.network.subscribe(callbackUrl).then(
        () => null,
        (error: Error) => error.message,
      )
      notes.came(`${time}: ${describeExchange(world.exchanges.last())}`)
      if (why) notes.differs(`${time} time: ${why}`)
      const taken = v.safeParse(subscription, world.exchanges.lastJson())
      if (taken.success) registerSubscription(world, String(taken.output.id), callbackUrl)
    }
  },
}

const subscriptionsByWorld = new WeakMap<NetworkSuiteContext, Set<string>>()

function registerSubscription(world: NetworkSuiteContext, id: string, callbackUrl: string): void {
  const known = subscriptionsByWorld.get(world) ?? new Set()
  subscriptionsByWorld.set(world, known)
  if (known.has(id)) return
  known.add(id)
  world.undo.made(`the subscription ${id} of ${callbackUrl}`, async () => {
    const status = await world.unsubscribe(id)
    return (status >= 200 && status < 300) || status === 404 ? null : `HTTP ${status} to DELETE hub`
  })
}

export const accessSteps: NetworkStep[] = [wrongKeyStep, unknownOrderStep, unknownSimStep, subscribeStep]
