import * as v from 'valibot'
import { shown } from '../exchanges.ts'
import { need, type Notes, skip, type Step } from '../step.ts'
import { until } from '../until.ts'
import type { NetworkWorld } from './network-world.ts'

type NetworkStep = Step<NetworkWorld>

const othersWords =
  'The product hides entries of other lines, but has to read all of them each time, and with many lines the list never ends.'

const balances: NetworkStep = {
  name: 'balances',
  tries: 'the balances of the line, including those of its plan',
  matters: 'Customers do not see what they have left, and get no usage alerts.',
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
    if (last.outcome === 'unknown') return notes.differs(`the balances are unknown: ${last.why}`)
    if (!hasPlan())
      notes.differs(
        `no balance belongs to ${plan}: ${passedOver(world, 'bucket') ?? `${last.balances.length} could be read`}`,
      )
    const others = last.balances.filter(
      ({ operationId, sku }) => sku === plan && operationId !== null && operationId !== externalId,
    )
    if (others.length > 0)
      notes.differs(`product.id is ${others[0]?.operationId}; expected the externalId of the order, ${externalId}`)
  },
}

const balanceFilter: NetworkStep = {
  name: 'balance-filter',
  tries: 'whether a list of balances contains only this line',
  matters: othersWords,
  async run(world, notes) {
    const { msisdn } = need(world.held.line, 'activate')
    const answer = await world.usage.balances(msisdn)
    noteForeign(world, notes, answer.foreign)
  },
}

async function recordsOf(world: NetworkWorld) {
  const { used_line: line } = world.file
  if (!line) return skip('the file has no "used_line" to read usage of')
  const until = Temporal.Now.instant()
  const from = until.subtract({ hours: 24 * line.days })
  const before = world.exchanges.all().length
  const answer = await world.usage.records(line.msisdn, from, until)
  return { answer, line, pages: world.exchanges.all().slice(before) }
}

const usage: NetworkStep = {
  name: 'usage',
  tries: 'all pages of the usage of used_line',
  matters: 'Customers do not see their usage, or only its first page.',
  async run(world, notes) {
    const { answer, line, pages } = await recordsOf(world)
    notes.came(`${pages.length} page(s), the last: ${shown(pages.at(-1) ?? null)}`)
    if (answer.outcome === 'unknown') return notes.differs(`the usage is unknown: ${answer.why}`)
    notes.came(`${answer.records.length} record(s) could be read`)
    if (answer.records.length < line.records)
      notes.differs(
        `fewer records than the ${line.records} in the file` +
          (passedOver(world, 'usage') === null ? '' : `: ${passedOver(world, 'usage')}`),
      )
  },
}

const usageFilter: NetworkStep = {
  name: 'usage-filter',
  tries: 'whether a list of usage contains only this line',
  matters: othersWords,
  async run(world, notes) {
    const { answer } = await recordsOf(world)
    noteForeign(world, notes, answer.foreign)
  },
}

function noteForeign(world: NetworkWorld, notes: Notes, foreign: number): void {
  notes.came(shown(world.exchanges.last()))
  if (foreign > 0) notes.differs(`${foreign} entries in the list belong to other lines or to no line, and were ignored`)
}

const typed = v.array(v.object({ usageType: v.string() }))

/** Usage types in the last list that the mapping does not contain. */
function passedOver({ exchanges, file }: NetworkWorld, what: 'bucket' | 'usage'): string | null {
  const read = v.safeParse(typed, exchanges.lastJson())
  const strange = new Set(read.success ? read.output.map(({ usageType }) => usageType) : [])
  for (const known of Object.keys(file.network.usage.types)) strange.delete(known)
  return strange.size === 0
    ? null
    : `a ${what} of type ${[...strange].join(', ')} is ignored: see usage.types of the mapping`
}

export const usageSteps: NetworkStep[] = [balances, balanceFilter, usage, usageFilter]
