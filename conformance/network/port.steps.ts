import type { NetworkAnswer, NetworkOrder } from '#providers/network/network.port.ts'
import { describeExchange } from '../exchange-log.ts'
import { requireResult, type Notes, skip, type Step } from '../step.ts'
import type { TestNumberTransfer } from './network-file.ts'
import type { NetworkSuiteContext, PlacedOrder } from './network-suite-context.ts'
import { cancelTransfer, describeOrderAnswer, waitForOrderEnd, isRunning, place } from './order.ts'

type NetworkStep = Step<NetworkSuiteContext>

/** Orders a number transfer that the settings file lists. Returns `null` and fails the step if the network rejects the order. */
async function placePortOrder(
  world: NetworkSuiteContext,
  notes: Notes,
  which: keyof NetworkSuiteContext['file']['ports'],
): Promise<PlacedOrder | null> {
  const port = world.file.ports[which]
  if (!port) return skip(`the file has no port "${which}"`)
  if (world.held.openPort) return skip('the previous number transfer is still in progress')
  const { msisdn } = requireResult(world.held.line, 'activate')
  const { answer, placed } = await place(world, portOrder(world, port, msisdn))
  notes.came(describeExchange(world.exchanges.last()))
  if (answer.outcome === 'known') return placed
  notes.differs(`the result is ${describeOrderAnswer(answer)}, not accepted`)
  return null
}

const portOrder = (world: NetworkSuiteContext, port: TestNumberTransfer, msisdn: string): NetworkOrder => ({
  kind: 'port_in',
  externalId: world.nextReference(),
  iccid: world.file.sim.iccid,
  msisdn,
  portingMsisdn: port.msisdn,
  donorProviderId: port.donor_provider_id,
  ...(port.billing_method === 'prepay'
    ? { billingMethod: 'prepay', donorIccid: port.donor_iccid }
    : { billingMethod: 'account', donorAccountNumber: port.donor_account_number }),
})

async function followPort(
  world: NetworkSuiteContext,
  notes: Notes,
  placed: PlacedOrder,
): Promise<NetworkAnswer | { outcome: 'absent' }> {
  const { externalId } = placed
  const seen = new Set<string>()
  const end = await waitForOrderEnd(world, externalId, { seconds: world.file.port_seconds, signal: notes.signal, seen })
  if (isRunning(end)) world.held.openPort = placed
  notes.came(`${[...seen].join(', ') || 'no port state'}, then ${describeOrderAnswer(end)}`)
  if (seen.size === 0) notes.differs('the port state could not be read: see characteristics.portState of the mapping')
  for (const state of seen)
    if (!Object.hasOwn(world.file.network.ports.states, state))
      notes.differs(`its state ${state} is not in ports.states of the mapping`)
  return end
}

const portCancelStep: NetworkStep = {
  name: 'port-cancel',
  tries: 'cancelling a number transfer in progress',
  matters: 'Number transfers cannot be cancelled.',
  async run(world, notes) {
    const placed = await placePortOrder(world, notes, 'cancelled')
    if (!placed) return
    world.held.openPort = placed
    const why = await cancelTransfer(world, placed.externalId, notes.signal)
    notes.came(why ?? 'the transfer was cancelled')
    if (why !== null) return notes.differs(`the transfer is ${why}, not cancelled`)
    placed.made.gone()
    delete world.held.openPort
  },
}

const portDeclinedStep: NetworkStep = {
  name: 'port-declined',
  tries: 'a number transfer that the losing provider declines',
  matters: 'Customers do not learn what to correct, and cannot request their transfer again.',
  async run(world, notes) {
    const placed = await placePortOrder(world, notes, 'declined')
    if (!placed) return
    const end = await followPort(world, notes, placed)
    if (end.outcome !== 'known' || end.state !== 'failed')
      return notes.differs(`the transfer is ${describeOrderAnswer(end)}; expected failed`)
    placed.made.gone()
    if (!Object.hasOwn(world.file.network.ports.declines, end.fault?.code ?? ''))
      notes.differs(`its code ${end.fault?.code} is not in ports.declines of the mapping`)
  },
}

const portStep: NetworkStep = {
  name: 'port',
  tries: 'a complete number transfer',
  matters: 'Customers cannot transfer a number, or do not see its progress.',
  async run(world, notes) {
    const placed = await placePortOrder(world, notes, 'completes')
    if (!placed) return
    const end = await followPort(world, notes, placed)
    if (end.outcome !== 'known' || end.state !== 'completed')
      return notes.differs(`the transfer is ${describeOrderAnswer(end)}, not completed`)
    placed.made.gone()
    const line = requireResult(world.held.line, 'activate')
    world.held.line = { ...line, msisdn: world.file.ports.completes?.msisdn ?? line.msisdn }
  },
}

const eventsStep: NetworkStep = {
  name: 'events',
  tries: 'whether an event about one of these orders arrives',
  matters: 'The product notices changes of orders and transfers late, because it has to poll.',
  async run(world, notes) {
    if (!world.events) return skip('the file has no "listen" for receiving events')
    if (world.ordered.size === 0) return skip('there was no order that causes an event')
    const found = await world.events.find(world.ordered, notes.signal)
    notes.came(found ? `an event about ${found.externalId} at ${found.path}` : 'none')
    if (!found) notes.differs(`no event came to ${world.events.callbackUrl}`)
    if (world.events.unread() > 0)
      notes.differs(
        `${world.events.unread()} event(s) came without eventId, or without the externalId of event.serviceOrder`,
      )
  },
}

export const portSteps: NetworkStep[] = [portCancelStep, portDeclinedStep, portStep]
export const eventSteps: NetworkStep[] = [eventsStep]
