/**
 * The program behind `npm run test:faults` and `npm run soak`. It simulates customers while faults occur, and then compares all ledgers.
 * The exit status is 0 only if nothing was lost, doubled or left unexplained, and everything settled in time.
 */
import { writeFileSync } from 'node:fs'
import { startLocalPostgres } from '#quality/support/local-postgres.ts'
import { type DefaultOptions, type Where, readFaultRunOptions, usage, type FaultRunOptions } from './arguments.ts'
import { startCluster, startPrimaryAndStandby } from './clusters.ts'
import type { FaultDatabase } from './injector.ts'
import { injectors } from './injectors/all-injectors.ts'
import { createFaultDatabase } from './plain-database.ts'
import { type FaultRunResult, play } from './run-faults.ts'
import { describeFailure, findRunFaults, summariseRun, formatSummaryLine, formatRun } from './run-report.ts'

const isLongRun = process.argv.includes('--soak')
const shortRunInjectors = [
  'kill',
  'freeze',
  'gateway',
  'network',
  'messages',
  'notifications',
  'garbled-answers',
  'endless-answers',
  'huge-answers',
  'wrong-answers',
  'relay-outage',
  'second-product',
  'pipelining',
]
const defaultOptions: DefaultOptions = isLongRun
  ? { orders: 12_000, minutes: 60, where: ['postgres'], only: [] }
  : { orders: 110, minutes: 2, where: ['embedded', 'postgres'], only: shortRunInjectors }
const abortController = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => abortController.abort(new Error('It was stopped.')))
const say = (line: string): void => console.log(line)

process.exitCode = await main(process.argv.slice(2).filter((word) => word !== '--soak'))

async function main(args: string[]): Promise<number> {
  let wish: FaultRunOptions
  try {
    wish = readFaultRunOptions(
      args,
      defaultOptions,
      injectors.map(({ name }) => name),
    )
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    return 2
  }
  const localPostgres =
    process.env['DATABASE_URL'] || !wish.where.includes('postgres') ? null : await startLocalPostgres()
  try {
    const outcomes: FaultRunResult[] = []
    for (const where of wish.where) {
      const database = await startFaultDatabase(where, localPostgres?.url ?? process.env['DATABASE_URL'] ?? '')
      outcomes.push(
        await play(wish, where, database, {
          longestSeconds: isLongRun ? 60 : 6,
          isShort: !isLongRun,
          say,
          stopped: abortController.signal,
        }),
      )
    }
    return tell(wish, outcomes)
  } catch (error) {
    console.error(error)
    console.error(`--seed ${wish.seed} makes the same choices again`)
    return 1
  } finally {
    await localPostgres?.giveBack()
  }
}

async function startFaultDatabase(where: Where, serverUrl: string): Promise<FaultDatabase | null> {
  if (where === 'embedded') return null
  if (where === 'postgres') return createFaultDatabase(serverUrl)
  return where === 'pair' ? startPrimaryAndStandby() : startCluster({ pooled: where === 'pooled' })
}

function tell({ out }: FaultRunOptions, outcomes: readonly FaultRunResult[]): number {
  for (const outcome of outcomes) for (const line of formatRun(outcome)) say(line)
  const faults = outcomes.map(findRunFaults)
  outcomes.forEach((outcome, nth) => {
    const of = faults[nth] ?? []
    if (of.length > 0) for (const line of describeFailure(outcome, of)) say(line)
  })
  if (out) writeFileSync(out, JSON.stringify(outcomes.map(summariseRun), null, 2))
  say(formatSummaryLine(outcomes))
  return faults.flat().length > 0 ? 1 : 0
}
