import * as v from 'valibot'
import type { NetworkOrder } from '#providers/network/network.port.ts'
import { shown } from '../exchanges.ts'
import { need, type Notes, skip, type Step } from '../step.ts'
import type { NetworkWorld, Placed } from './network-world.ts'
import { describe, endOf, place, remove } from './order.ts'

type NetworkStep = Step<NetworkWorld>

const ordersSchema = v.array(v.object({ id: v.string() }))

const activate: NetworkStep = {
  name: 'activate',
  tries: 'activating the SIM of the file',
  matters: 'SIMs cannot be activated.',
  async run(world, notes) {
    const externalId = world.nextReference()
    const { answer, placed } = await place(world, { kind: 'activate_sim', externalId, ...world.file.sim })
    notes.came(shown(world.exchanges.last()))
    if (answer.outcome !== 'known') return notes.differs(`the result is ${describe(answer)}, not accepted`)
    world.held.line = { ...placed, msisdn: world.file.sim.msisdn }
  },
}

const repeat: NetworkStep = {
  name: 'repeat',
  tries: 'the same order again with the same externalId, as after a lost answer',
  matters: 'After a lost answer, a SIM is activated or a plan added twice.',
  async run(world, notes) {
    const { externalId } = need(world.held.line, 'activate')
    const first = idOf(world)
    const answer = await world.network.place({ kind: 'activate_sim', externalId, ...world.file.sim })
    notes.came(shown(world.exchanges.last()))
    if (answer.outcome !== 'known') return notes.differs(`the result is ${describe(answer)}; expected the first order`)
    const again = idOf(world)
    if (first !== null && again !== null && first !== again)
      return notes.differs(`the repeat made a second order: ${first}, then ${again}`)
    await world.network.read(externalId)
    const listed = v.safeParse(ordersSchema, world.exchanges.lastJson())
    if (listed.success && listed.output.length > 1)
      notes.differs(`there are ${listed.output.length} orders with this externalId`)
  },
}

function idOf({ exchanges }: NetworkWorld): string | null {
  const read = v.safeParse(
    v.union([
      v.object({ id: v.string() }),
      v.pipe(
        ordersSchema,
        v.minLength(1),
        v.transform(([one]) => one!),
      ),
    ]),
    exchanges.lastJson(),
  )
  return read.success ? read.output.id : null
}

const readBack: NetworkStep = {
  name: 'read',
  tries: 'reading the order by its externalId',
  matters: 'The product never learns the outcome of an order: nothing is delivered, charged or refunded.',
  async run(world, notes) {
    const { externalId } = need(world.held.line, 'activate')
    const answer = await world.network.read(externalId)
    notes.came(shown(world.exchanges.last()))
    if (answer.outcome !== 'known')
      notes.differs(`the result is ${describe(answer)}; expected the order with its externalId`)
  },
}

const completed: NetworkStep = {
  name: 'activated',
  tries: 'waiting until the SIM is active',
  matters: 'Customers with an active SIM are told that it is not active.',
  async run(world, notes) {
    const { externalId } = need(world.held.line, 'activate')
    await expectCompleted(world, notes, externalId)
  },
}

/** Waits until an order ends, and notes a difference unless it completed. */
async function expectCompleted(world: NetworkWorld, notes: Notes, externalId: string): Promise<boolean> {
  const { order_seconds: seconds } = world.file
  const strange = new Set<string>()
  const end = await endOf(world, externalId, { seconds, signal: notes.signal, strange })
  notes.came(describe(end))
  for (const why of strange) notes.differs(`${why}: see states of the mapping`)
  if (end.outcome === 'known' && end.state === 'completed') return true
  notes.differs(
    end.outcome === 'known' && end.state === 'running'
      ? `after ${seconds} seconds the order is still ${describe(end)}: ${shown(world.exchanges.last())}`
      : `the order is ${describe(end)}, not completed`,
  )
  return false
}

function adding(
  step: Pick<NetworkStep, 'name' | 'tries' | 'matters'>,
  orderOf: (world: NetworkWorld) => { kind: 'add_plan' | 'add_addon'; sku: string; startsAt?: string },
  keep: (world: NetworkWorld, placed: Placed) => void,
): NetworkStep {
  return {
    ...step,
    async run(world, notes) {
      const { msisdn } = need(world.held.line, 'activate')
      const externalId = world.nextReference()
      const order: NetworkOrder = { ...orderOf(world), externalId, iccid: world.file.sim.iccid, msisdn }
      const { answer, placed } = await place(world, order)
      notes.came(shown(world.exchanges.last()))
      if (answer.outcome !== 'known') return notes.differs(`the result is ${describe(answer)}, not accepted`)
      if (order.kind === 'add_plan' && order.startsAt) return
      if (await expectCompleted(world, notes, externalId)) keep(world, placed)
    },
  }
}

const plan = adding(
  { name: 'plan', tries: 'adding the plan', matters: 'Customers pay but get no plan.' },
  ({ file }) => ({ kind: 'add_plan', sku: file.plan }),
  (world, placed) => void (world.held.plan = placed),
)

const addon = adding(
  { name: 'add-on', tries: 'adding the add-on', matters: 'Add-ons cannot be sold.' },
  ({ file }) => ({ kind: 'add_addon', sku: file.addon }),
  (world, placed) => void (world.held.addon = placed),
)

const planLater = adding(
  {
    name: 'plan-later',
    tries: 'ordering a plan that starts tomorrow',
    matters: 'A renewal at the end of a plan is refused, or starts at once and the customer loses days.',
  },
  ({ file }) => ({
    kind: 'add_plan',
    sku: file.plan,
    startsAt: Temporal.Now.instant().add({ hours: 24 }).toString({ fractionalSecondDigits: 3 }),
  }),
  () => {},
)

/** Creates a step that removes a product from the line, and then tries to remove it again. */
function removing(
  step: Pick<NetworkStep, 'name' | 'tries' | 'matters'>,
  thing: (world: NetworkWorld) => { placed: Placed; order: (externalId: string) => NetworkOrder },
): NetworkStep {
  return {
    ...step,
    async run(world, notes) {
      const { placed, order } = thing(world)
      const why = await remove(world, order(world.nextReference()), notes.signal)
      notes.came(why ?? 'it was removed')
      if (why !== null) return notes.differs(`the order is ${why}, not completed`)
      placed.made.gone()
      const again = await world.network.place(order(world.nextReference()))
      notes.came(`the second time: ${shown(world.exchanges.last())}`)
      const end =
        again.outcome === 'known'
          ? await endOf(world, [...world.ordered].at(-1)!, { seconds: world.file.order_seconds, signal: notes.signal })
          : again
      const meaning =
        end.outcome === 'known' ? end.fault?.meaning : end.outcome === 'rejected' ? end.meaning : undefined
      if (meaning !== 'nothing_there')
        notes.differs(`removing it a second time is ${describe(end)}; expected a code of errors.nothingThere`)
    },
  }
}

const leaving = 'Undoing a failed order always ends with a task for a person.'

const removeAddon = removing(
  { name: 'remove-add-on', tries: 'removing the add-on twice', matters: leaving },
  (world) => {
    const { msisdn } = need(world.held.line, 'activate')
    const placed = need(world.held.addon, 'add-on')
    const line = { iccid: world.file.sim.iccid, msisdn, addedBy: placed.externalId }
    return { placed, order: (externalId) => ({ kind: 'remove_addon', externalId, ...line }) }
  },
)

const removePlan = removing({ name: 'remove-plan', tries: 'removing the plan twice', matters: leaving }, (world) => {
  const { msisdn } = need(world.held.line, 'activate')
  const placed = need(world.held.plan, 'plan')
  const line = { iccid: world.file.sim.iccid, msisdn, addedBy: placed.externalId }
  return { placed, order: (externalId) => ({ kind: 'remove_plan', externalId, ...line }) }
})

const deactivate = removing({ name: 'deactivate', tries: 'deactivating the SIM twice', matters: leaving }, (world) => {
  const { made, externalId: by, msisdn } = need(world.held.line, 'activate')
  if (world.held.openPort) skip('a number transfer to this line is still in progress')
  const line = { iccid: world.file.sim.iccid, msisdn }
  return {
    placed: { externalId: by, made },
    order: (externalId) => ({ kind: 'deactivate_sim', externalId, ...line }),
  }
})

export const beginSteps: NetworkStep[] = [activate, repeat, readBack, completed, plan, addon]
export const laterSteps: NetworkStep[] = [planLater]
export const endSteps: NetworkStep[] = [removeAddon, removePlan, deactivate]
