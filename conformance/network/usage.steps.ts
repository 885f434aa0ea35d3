import * as v from 'valibot'
import { describeExchange } from '../exchange-log.ts'
import { requireResult, type Notes, skip, type Step } from '../step.ts'
import { pollUntil } from '../poll-until.ts'
import type { NetworkSuiteContext } from './network-suite-context.ts'

type NetworkStep = Step<NetworkSuiteContext>

const otherLinesConsequence =
  'The product hides entries of other lines, but has to read all of them each time, and with many lines the list never ends.'

const balancesStep: NetworkStep = {
  name: 'balances',
  tries: 'the balances of the line, including those of its plan',
  matters: 'Customers do not see what they have left, and get no usage alerts.',
  async run(world, notes) {
    const { msisdn } = requireResult(world.held.line, 'activate')
    const { externalId } = requireResult(world.held.plan, 'plan')
    const { plan, order_seconds: seconds } = world.file
    const readBalances = () => world.usage.balances(msisdn)
    let last = await readBalances()
    const hasPlan = () => last.outcome === 'known' && last.balances.some(({ sku }) => sku === plan)
    // The network's charging system may learn about a new plan a little later than its ordering system.
    await pollUntil(async () => (hasPlan() ? true : ((last = await readBalances()), null)), {
      ms: Math.min(seconds, 30) * 1_000,
      signal: notes.signal,
    })
    notes.came(describeExchange(world.exchanges.last()))
    if (last.outcome === 'unknown') return notes.differs(`the balances are unknown: ${last.why}`)
    if (!hasPlan())
      notes.differs(
        `no balance belongs to ${plan}: ${unmappedTypes(world, 'bucket') ?? `${last.balances.length} could be read`}`,
      )
    const others = last.balances.filter(
      ({ operationId, sku }) => sku === plan && operationId !== null && operationId !== externalId,
    )
    if (others.length > 0)
      notes.differs(`product.id is ${others[0]?.operationId}; expected the externalId of the order, ${externalId}`)
  },
}

const balanceFilterStep: NetworkStep = {
  name: 'balance-filter',
  tries: 'whether a list of balances contains only this line',
  matters: otherLinesConsequence,
  async run(world, notes) {
    const { msisdn } = requireResult(world.held.line, 'activate')
    const answer = await world.usage.balances(msisdn)
    noteForeignItems(world, notes, answer.foreign)
  },
}

async function readRecords(world: NetworkSuiteContext) {
  const { used_line: line } = world.file
  if (!line) return skip('the file has no "used_line" to read usage of')
  const until = Temporal.Now.instant()
  const from = until.subtract({ hours: 24 * line.days })
  const before = world.exchanges.all().length
  const answer = await world.usage.records(line.msisdn, from, until)
  return { answer, line, pages: world.exchanges.all().slice(before) }
}

const usageStep: NetworkStep = {
  name: 'usage',
  tries: 'all pages of the usage of used_line',
  matters: 'Customers do not see their usage, or only its first page.',
  async run(world, notes) {
    const { answer, line, pages } = await readRecords(world)
    notes.came(`${pages.length} page(s), the last: ${describeExchange(pages.at(-1) ?? null)}`)
    if (answer.outcome === 'unknown') return notes.differs(`the usage is unknown: ${answer.why}`)
    notes.came(`${answer.records.length} record(s) could be read`)
    if (answer.records.length < line.records)
      notes.differs(
        `fewer records than the ${line.records} in the file` +
          (unmappedTypes(world, 'usage') === null ? '' : `: ${unmappedTypes(world, 'usage')}`),
      )
  },
}

const usageFilterStep: NetworkStep = {
  name: 'usage-filter',
  tries: 'whether a list of usage contains only this line',
  matters: otherLinesConsequence,
  async run(world, notes) {
    const { answer } = await readRecords(world)
    noteForeignItems(world, notes, answer.foreign)
  },
}

function noteForeignItems(world: NetworkSuiteContext, notes: Notes, foreign: number): void {
  notes.came(describeExchange(world.exchanges.last()))
  if (foreign > 0) notes.differs(`${foreign} entries in the list belong to other lines or to no line, and were ignored`)
}

const usageTypesSchema = v.array(v.object({ usageType: v.string() }))

/** Lists the usage types in the last response that the mapping does not contain. */
function unmappedTypes({ exchanges, file }: NetworkSuiteContext, what: 'bucket' | 'usage'): string | null {
  const read = v.safeParse(usageTypesSchema, exchanges.lastJson())
  const strange = new Set(read.success ? read.output.map(({ usageType }) => usageType) : [])
  for (const known of Object.keys(file.network.usage.types)) strange.delete(known)
  return strange.size === 0
    ? null
    : `a ${what} of type ${[...strange].join(', ')} is ignored: see usage.types of the mapping`
}

export const usageSteps: NetworkStep[] = [balancesStep, balanceFilterStep, usageStep, usageFilterStep]
