import * as v from 'valibot'
import { shown } from '../exchanges.ts'
import { need, type Notes, skip, type Step } from '../step.ts'
import { until } from '../until.ts'
import type { NetworkWorld } from './network-world.ts'

type NetworkStep = Step<NetworkWorld>

const othersWords =
  'Nobody sees another’s, as the product leaves it out; but each look reads everybody’s, and with many lines the list does not end.'

const balances: NetworkStep = {
  name: 'balances',
  tries: 'the balances of the line, with those of its plan among them',
  matters: 'Customers do not see what they have left, and are not warned.',
  async run(world, notes) {
    const { msisdn } = need(world.held.line, 'activate')
    const { externalId } = need(world.held.plan, 'plan')
    const { plan, order_seconds: seconds } = world.file
    const asked = () => world.usage.balances(msisdn)
    let last = await asked()
    const hasPlan = () => last.outcome === 'known' && last.balances.some(({ sku }) => sku === plan)
    // The charging system may learn of a plan a little later than the network.
    await until(async () => (hasPlan() ? true : ((last = await asked()), null)), {
      ms: Math.min(seconds, 30) * 1_000,
      signal: notes.signal,
    })
    notes.came(shown(world.exchanges.last()))
    if (last.outcome === 'unknown') return notes.differs(`they are unknown: ${last.why}`)
    if (!hasPlan())
      notes.differs(`none is of ${plan}: ${passedOver(world, 'bucket') ?? `${last.balances.length} could be read`}`)
    const others = last.balances.filter(
      ({ operationId, sku }) => sku === plan && operationId !== null && operationId !== externalId,
    )
    if (others.length > 0)
      notes.differs(`product.id is ${others[0]?.operationId}, not the externalId of the order, ${externalId}`)
  },
}

const balanceFilter: NetworkStep = {
  name: 'balance-filter',
  tries: 'whether a list of balances is of the line alone',
  matters: othersWords,
  async run(world, notes) {
    const { msisdn } = need(world.held.line, 'activate')
    const answer = await world.usage.balances(msisdn)
    noteForeign(world, notes, answer.foreign)
  },
}

async function recordsOf(world: NetworkWorld) {
  const { used_line: line } = world.file
  if (!line) return skip('the file has no "used_line" whose usage could be read')
  const until = Temporal.Now.instant()
  const from = until.subtract({ hours: 24 * line.days })
  const before = world.exchanges.all().length
  const answer = await world.usage.records(line.msisdn, from, until)
  return { answer, line, pages: world.exchanges.all().slice(before) }
}

const usage: NetworkStep = {
  name: 'usage',
  tries: 'the usage of the line that is used, page after page to the end',
  matters: 'Customers do not see what they used, or only the first page of it.',
  async run(world, notes) {
    const { answer, line, pages } = await recordsOf(world)
    notes.came(`${pages.length} page(s), the last: ${shown(pages.at(-1) ?? null)}`)
    if (answer.outcome === 'unknown') return notes.differs(`it is unknown: ${answer.why}`)
    notes.came(`${answer.records.length} record(s) could be read`)
    if (answer.records.length < line.records)
      notes.differs(
        `they are fewer than the ${line.records} of the file` +
          (passedOver(world, 'usage') === null ? '' : `: ${passedOver(world, 'usage')}`),
      )
  },
}

const usageFilter: NetworkStep = {
  name: 'usage-filter',
  tries: 'whether a list of usage is of the line alone',
  matters: othersWords,
  async run(world, notes) {
    const { answer } = await recordsOf(world)
    noteForeign(world, notes, answer.foreign)
  },
}

function noteForeign(world: NetworkWorld, notes: Notes, foreign: number): void {
  notes.came(shown(world.exchanges.last()))
  if (foreign > 0) notes.differs(`${foreign} in the list are of other lines, or name none, and were left out`)
}

const typed = v.array(v.object({ usageType: v.string() }))

/** Usage types in the last list that the mapping does not contain. */
function passedOver({ exchanges, file }: NetworkWorld, what: 'bucket' | 'usage'): string | null {
  const read = v.safeParse(typed, exchanges.lastJson())
  const strange = new Set(read.success ? read.output.map(({ usageType }) => usageType) : [])
  for (const known of Object.keys(file.network.usage.types)) strange.delete(known)
  return strange.size === 0
    ? null
    : `a ${what} of type ${[...strange].join(', ')} is passed over, see usage.types of the mapping`
}

export const usageSteps: NetworkStep[] = [balances, balanceFilter, usage, usageFilter]
