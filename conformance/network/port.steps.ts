import type { NetworkAnswer, NetworkOrder } from '#providers/network/network.port.ts'
import { shown } from '../exchanges.ts'
import { need, type Notes, skip, type Step } from '../step.ts'
import type { TestPort } from './network-file.ts'
import type { NetworkWorld, Placed } from './network-world.ts'
import { callOff, describe, endOf, isRunning, place } from './order.ts'

type NetworkStep = Step<NetworkWorld>

/** Orders a number transfer from the file. `null` if the network rejects the order, which is noted as a difference. */
async function order(
  world: NetworkWorld,
  notes: Notes,
  which: keyof NetworkWorld['file']['ports'],
): Promise<Placed | null> {
  const port = world.file.ports[which]
  if (!port) return skip(`the file has no port "${which}"`)
  if (world.held.openPort) return skip('the port before is under way still')
  const { msisdn } = need(world.held.line, 'activate')
  const { answer, placed } = await place(world, portOrder(world, port, msisdn))
  notes.came(shown(world.exchanges.last()))
  if (answer.outcome === 'known') return placed
  notes.differs(`it is ${describe(answer)}, not taken`)
  return null
}

const portOrder = (world: NetworkWorld, port: TestPort, msisdn: string): NetworkOrder => ({
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

async function follow(
  world: NetworkWorld,
  notes: Notes,
  placed: Placed,
): Promise<NetworkAnswer | { outcome: 'absent' }> {
  const { externalId } = placed
  const seen = new Set<string>()
  const end = await endOf(world, externalId, { seconds: world.file.port_seconds, signal: notes.signal, seen })
  if (isRunning(end)) world.held.openPort = placed
  notes.came(`${[...seen].join(', ') || 'no state of its own'}, then ${describe(end)}`)
  if (seen.size === 0) notes.differs('no state of the port could be read: see characteristics.portState of the mapping')
  for (const state of seen)
    if (!Object.hasOwn(world.file.network.ports.states, state))
      notes.differs(`its state ${state} is not in ports.states of the mapping`)
  return end
}

const cancelled: NetworkStep = {
  name: 'port-cancel',
  tries: 'calling off a port that is under way',
  matters: 'Transfers cannot be called off.',
  async run(world, notes) {
    const placed = await order(world, notes, 'cancelled')
    if (!placed) return
    world.held.openPort = placed
    const why = await callOff(world, placed.externalId, notes.signal)
    notes.came(why ?? 'it is called off')
    if (why !== null) return notes.differs(`it is ${why}, not cancelled`)
    placed.made.gone()
    delete world.held.openPort
  },
}

const declined: NetworkStep = {
  name: 'port-declined',
  tries: 'a port that the losing provider declines',
  matters: 'Customers do not read what to put right, and cannot send their transfer again.',
  async run(world, notes) {
    const placed = await order(world, notes, 'declined')
    if (!placed) return
    const end = await follow(world, notes, placed)
    if (end.outcome !== 'known' || end.state !== 'failed')
      return notes.differs(`it is ${describe(end)}; failed was expected`)
    placed.made.gone()
    if (!Object.hasOwn(world.file.network.ports.declines, end.fault?.code ?? ''))
      notes.differs(`its code ${end.fault?.code} is not in ports.declines of the mapping`)
  },
}

const completes: NetworkStep = {
  name: 'port',
  tries: 'a port to its end',
  matters: 'Nobody can bring a number, or learns how far it is.',
  async run(world, notes) {
    const placed = await order(world, notes, 'completes')
    if (!placed) return
    const end = await follow(world, notes, placed)
    if (end.outcome !== 'known' || end.state !== 'completed')
      return notes.differs(`it is ${describe(end)}, not completed`)
    placed.made.gone()
    const line = need(world.held.line, 'activate')
    world.held.line = { ...line, msisdn: world.file.ports.completes?.msisdn ?? line.msisdn }
  },
}

const events: NetworkStep = {
  name: 'events',
  tries: 'whether an event about one of these orders came',
  matters: 'Orders and transfers are noticed late, as the product has to ask by itself.',
  async run(world, notes) {
    if (!world.events) return skip('the file has no "listen" at which events could be heard')
    if (world.ordered.size === 0) return skip('nothing was ordered that could be told of')
    const found = await world.events.find(world.ordered, notes.signal)
    notes.came(found ? `one about ${found.externalId} at ${found.path}` : 'none')
    if (!found) notes.differs(`none came to ${world.events.callbackUrl}`)
    if (world.events.unread() > 0)
      notes.differs(`${world.events.unread()} came without eventId, or without the externalId of event.serviceOrder`)
  },
}

export const portSteps: NetworkStep[] = [cancelled, declined, completes]
export const eventSteps: NetworkStep[] = [events]
