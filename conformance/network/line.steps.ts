import * as v from 'valibot'
import type { NetworkOrder } from '#providers/network/network.port.ts'
import { describeExchange } from '../exchange-log.ts'
import { requireResult, type Notes, skip, type Step } from '../step.ts'
import type { NetworkSuiteContext, PlacedOrder } from './network-suite-context.ts'
import { describeOrderAnswer, waitForOrderEnd, place, removeProduct } from './order.ts'

type NetworkStep = Step<NetworkSuiteContext>

const ordersSchema = v.array(v.object({ id: v.string() }))

const activateStep: NetworkStep = {
  name: 'activate',
  tries: 'activating the SIM of the file',
  matters: 'SIMs cannot be activated.',
  async run(world, notes) {
    const externalId = world.nextReference()
    const { answer, placed } = await place(world, { kind: 'activate_sim', externalId, ...world.file.sim })
    notes.came(describeExchange(world.exchanges.last()))
    if (answer.outcome !== 'known') return notes.differs(`the result is ${describeOrderAnswer(answer)}, not accepted`)
    world.held.line = { ...placed, msisdn: world.file.sim.msisdn }
  },
}

const repeatStep: NetworkStep = {
  name: 'repeat',
  tries: 'the same order again with the same externalId, as after a lost answer',
  matters: 'After a lost answer, a SIM is activated or a plan added twice.',
  async run(world, notes) {
    const { externalId } = requireResult(world.held.line, 'activate')
    const first = responseOrderId(world)
    const answer = await world.network.place({ kind: 'activate_sim', externalId, ...world.file.sim })
    notes.came(describeExchange(world.exchanges.last()))
    if (answer.outcome !== 'known')
      return notes.differs(`the result is ${describeOrderAnswer(answer)}; expected the first order`)
    const again = responseOrderId(world)
    if (first !== null && again !== null && first !== again)
      return notes.differs(`the repeat made a second order: ${first}, then ${again}`)
    await world.network.read(externalId)
    const listed = v.safeParse(ordersSchema, world.exchanges.lastJson())
    if (listed.success && listed.output.length > 1)
      notes.differs(`there are ${listed.output.length} orders with this externalId`)
  },
}

function responseOrderId({ exchanges }: NetworkSuiteContext): string | null {
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

const readStep: NetworkStep = {
  name: 'read',
  tries: 'reading the order by its externalId',
  matters: 'The product never learns the outcome of an order: nothing is delivered, charged or refunded.',
  async run(world, notes) {
    const { externalId } = requireResult(world.held.line, 'activate')
    const answer = await world.network.read(externalId)
    notes.came(describeExchange(world.exchanges.last()))
    if (answer.outcome !== 'known')
      notes.differs(`the result is ${describeOrderAnswer(answer)}; expected the order with its externalId`)
  },
}

const activatedStep: NetworkStep = {
  name: 'activated',
  tries: 'waiting until the SIM is active',
  matters: 'Customers with an active SIM are told that it is not active.',
  async run(world, notes) {
    const { externalId } = requireResult(world.held.line, 'activate')
    await expectCompleted(world, notes, externalId)
  },
}

/** Waits until an order has finished, and fails the step unless the order completed. */
async function expectCompleted(world: NetworkSuiteContext, notes: Notes, externalId: string): Promise<boolean> {
  const { order_seconds: seconds } = world.file
  const unknownStates = new Set<string>()
  const end = await waitForOrderEnd(world, externalId, { seconds, signal: notes.signal, strange: unknownStates })
  notes.came(describeOrderAnswer(end))
  for (const why of unknownStates) notes.differs(`${why}: see states of the mapping`)
  if (end.outcome === 'known' && end.state === 'completed') return true
  notes.differs(
    end.outcome === 'known' && end.state === 'running'
      ? `after ${seconds} seconds the order is still ${describeOrderAnswer(end)}: ${describeExchange(world.exchanges.last())}`
      : `the order is ${describeOrderAnswer(end)}, not completed`,
  )
  return false
}

function addProductStep(
  step: Pick<NetworkStep, 'name' | 'tries' | 'matters'>,
  orderOf: (world: NetworkSuiteContext) => { kind: 'add_plan' | 'add_addon'; sku: string; startsAt?: string },
  keep: (world: NetworkSuiteContext, placed: PlacedOrder) => void,
): NetworkStep {
  return {
    ...step,
    async run(world, notes) {
      const { msisdn } = requireResult(world.held.line, 'activate')
      const externalId = world.nextReference()
      const order: NetworkOrder = { ...orderOf(world), externalId, iccid: world.file.sim.iccid, msisdn }
      const { answer, placed } = await place(world, order)
      notes.came(describeExchange(world.exchanges.last()))
      if (answer.outcome !== 'known') return notes.differs(`the result is ${describeOrderAnswer(answer)}, not accepted`)
      if (order.kind === 'add_plan' && order.startsAt) return
      if (await expectCompleted(world, notes, externalId)) keep(world, placed)
    },
  }
}

const planStep = addProductStep(
  { name: 'plan', tries: 'adding the plan', matters: 'Customers pay but get no plan.' },
  ({ file }) => ({ kind: 'add_plan', sku: file.plan }),
  (world, placed) => void (world.held.plan = placed),
)

const addOnStep = addProductStep(
  { name: 'add-on', tries: 'adding the add-on', matters: 'Add-ons cannot be sold.' },
  ({ file }) => ({ kind: 'add_addon', sku: file.addon }),
  (world, placed) => void (world.held.addon = placed),
)

const futurePlanStep = addProductStep(
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

/** Creates a step that removes a product from the test line, and then tries to remove it again. */
function removeProductStep(
  step: Pick<NetworkStep, 'name' | 'tries' | 'matters'>,
  thing: (world: NetworkSuiteContext) => { placed: PlacedOrder; order: (externalId: string) => NetworkOrder },
): NetworkStep {
  return {
    ...step,
    async run(world, notes) {
      const { placed, order } = thing(world)
      const why = await removeProduct(world, order(world.nextReference()), notes.signal)
      notes.came(why ?? 'it was removed')
      if (why !== null) return notes.differs(`the order is ${why}, not completed`)
      placed.made.gone()
      const again = await world.network.place(order(world.nextReference()))
      notes.came(`the second time: ${describeExchange(world.exchanges.last())}`)
      const end =
        again.outcome === 'known'
          ? await waitForOrderEnd(world, [...world.ordered].at(-1)!, {
              seconds: world.file.order_seconds,
              signal: notes.signal,
            })
          : again
      const meaning =
        end.outcome === 'known' ? end.fault?.meaning : end.outcome === 'rejected' ? end.meaning : undefined
      if (meaning !== 'nothing_there')
        notes.differs(
          `removing it a second time is ${describeOrderAnswer(end)}; expected a code of errors.nothingThere`,
        )
    },
  }
}

const removalConsequence = 'Undoing a failed order always ends with a task for a person.'

const removeAddOnStep = removeProductStep(
  { name: 'remove-add-on', tries: 'removing the add-on twice', matters: removalConsequence },
  (world) => {
    const { msisdn } = requireResult(world.held.line, 'activate')
    const placed = requireResult(world.held.addon, 'add-on')
    const line = { iccid: world.file.sim.iccid, msisdn, addedBy: placed.externalId }
    return { placed, order: (externalId) => ({ kind: 'remove_addon', externalId, ...line }) }
  },
)

const removePlanStep = removeProductStep(
  { name: 'remove-plan', tries: 'removing the plan twice', matters: removalConsequence },
  (world) => {
    const { msisdn } = requireResult(world.held.line, 'activate')
    const placed = requireResult(world.held.plan, 'plan')
    const line = { iccid: world.file.sim.iccid, msisdn, addedBy: placed.externalId }
    return { placed, order: (externalId) => ({ kind: 'remove_plan', externalId, ...line }) }
  },
)

const deactivateStep = removeProductStep(
  { name: 'deactivate', tries: 'deactivating the SIM twice', matters: removalConsequence },
  (world) => {
    const { made, externalId: by, msisdn } = requireResult(world.held.line, 'activate')
    if (world.held.openPort) skip('a number transfer to this line is still in progress')
    const line = { iccid: world.file.sim.iccid, msisdn }
    return {
      placed: { externalId: by, made },
      order: (externalId) => ({ kind: 'deactivate_sim', externalId, ...line }),
    }
  },
)

export const beginSteps: NetworkStep[] = [activateStep, repeatStep, readStep, activatedStep, planStep, addOnStep]
export const laterSteps: NetworkStep[] = [futurePlanStep]
export const endSteps: NetworkStep[] = [removeAddOnStep, removePlanStep, deactivateStep]
