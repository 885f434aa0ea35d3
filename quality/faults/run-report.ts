import type { FindingKind } from '#quality/support/findings.ts'
import type { Recovery } from './injector.ts'
import type { MinuteRecord, FaultRunResult } from './run-faults.ts'

export function findRunFaults({ audit, settled, score, records, complaints, memory }: FaultRunResult): string[] {
  return [
    ...audit.findings.map(({ kind, order_code: code, text }) => `${kind}: ${code ?? ''} ${text}`),
    ...('open' in settled ? [`not settled after the last fault: ${JSON.stringify(settled.open)}`] : []),
    ...[...score].flatMap(([name, { unsettled }]) => unsettled.map((what) => `${name}: not settled ${what}`)),
    ...records.puzzles.map((what) => `a customer: ${what}`),
    ...audit.needless.map((task) => `a needless task: ${task}`),
    ...complaints,
    ...memory.findings(),
  ]
}

export const countAuditedOrders = ({ audit }: FaultRunResult): number =>
  [...audit.orders.values()].reduce((sum, each) => sum + each, 0)

const countFindings = (outcomes: readonly FaultRunResult[], ...kinds: FindingKind[]): number =>
  outcomes.flatMap(({ audit }) => audit.findings).filter(({ kind }) => kinds.includes(kind)).length

export const formatSummaryLine = (outcomes: readonly FaultRunResult[]): string =>
  `${outcomes.reduce((sum, each) => sum + countAuditedOrders(each), 0)} orders, ${countFindings(outcomes, 'lost')} lost, ` +
  `${countFindings(outcomes, 'doubled')} doubled, ${countFindings(outcomes, 'unexplained')} unexplained, ` +
  `${outcomes.reduce((sum, { audit }) => sum + audit.needless.length, 0)} needless tasks`

const formatPercentile = (times: readonly number[], percent: number): string => {
  const sortedTimes = times.toSorted((a, b) => a - b)
  return `${((sortedTimes[Math.floor((sortedTimes.length * percent) / 100)] ?? 0) / 1_000).toFixed(2)} s`
}

const formatRecoveryLines = ({ recoveries }: FaultRunResult): string[] =>
  [...recoveries].map(([fault, times]) => {
    const formatInSeconds = (what: (each: Recovery) => number | null) =>
      formatSeconds(
        times
          .map(what)
          .filter((ms) => ms !== null)
          .map((ms) => ms / 1_000),
      )
    const [acknowledged, settled] = [
      formatInSeconds(({ acknowledgedMs }) => acknowledgedMs),
      formatInSeconds(({ settledMs }) => settledMs),
    ]
    return `${fault}: next order acknowledged after ${acknowledged}; next order settled after ${settled}`
  })

function computeMeanMegabytes(minutes: readonly MinuteRecord[]): number | null {
  const sums = minutes
    .map(({ megabytes }) => megabytes)
    .filter((each) => each.every((one) => one !== null))
    .map((each) => each.reduce((sum: number, one) => sum + (one ?? 0), 0))
  return sums.length === 0 ? null : sums.reduce((sum, each) => sum + each, 0) / sums.length
}

/**
 * Compares the mean memory use of the last ten minutes with that of the second ten minutes. Returns null for runs of less than 30 minutes.
 */
export function computeMemoryGrowth({
  minutes,
}: FaultRunResult): { second: number; last: number; percent: number } | null {
  if (minutes.length < 30) return null
  const [second, last] = [computeMeanMegabytes(minutes.slice(10, 20)), computeMeanMegabytes(minutes.slice(-10))]
  return second === null || last === null ? null : { second, last, percent: (last / second - 1) * 100 }
}

const formatMemoryLines = (outcome: FaultRunResult): string[] => {
  const memory = computeMemoryGrowth(outcome)
  if (!memory) return []
  const { second, last, percent } = memory
  return [
    `memory: ${second.toFixed(0)} MB in the second ten minutes, ${last.toFixed(0)} MB in the last ten: ${percent.toFixed(1)}%`,
  ]
}

const formatSeconds = (times: readonly number[]): string =>
  times.length === 0
    ? '–'
    : `${(times.reduce((sum, each) => sum + each, 0) / times.length).toFixed(1)} s, at most ${Math.max(...times).toFixed(1)} s`

const formatInSeconds = ({ ms, what }: { ms: number; what: string }): string => `${(ms / 1_000).toFixed(1)} s: ${what}`

export function formatRun(outcome: FaultRunResult): string[] {
  const { where, audit, records, score, settled, lines, lives } = outcome
  const { figures } = records
  return [
    `── ${where} ──`,
    ...[...audit.orders].toSorted().map(([name, count]) => `${String(count).padStart(6)}  ${name}`),
    `${countFindings([outcome], 'unconfirmed')} unconfirmed captures without a task, ${countFindings([outcome], 'unsettled')} unsettled`,
    `${figures.calls} requests, ${figures.unanswered} without a response`,
    `the slowest ${formatInSeconds(figures.slowest)}; while a process was stopped ${formatInSeconds(figures.slowestWhileStopped)}`,
    `without a response at most ${formatInSeconds(figures.longestBroken)}`,
    `answers: half within ${formatPercentile(figures.times, 50)}, 99 of 100 within ${formatPercentile(figures.times, 99)}`,
    `refused: ${[...figures.refusals].map(([kind, count]) => `${count} × ${kind}`).join(', ') || 'none'}`,
    ...figures.samples.filter((sample) => sample.includes(': 500')).map((sample) => `  ${sample}`),
    `started: ${lives.map(({ name, lives: count }) => `${name} ${count} times`).join(', ')}`,
    ...[...score].map(
      ([name, { phases, settled: times }]) => `${name}: ${phases} times, settled in ${formatSeconds(times)}`,
    ),
    ...formatRecoveryLines(outcome),
    ...formatMemoryLines(outcome),
    ...outcome.memory
      .peaks()
      .map(
        ({ name, megabytes, during }) =>
          `${name}: at most ${megabytes.toFixed(0)} MB of memory${during && ` (${during})`}`,
      ),
    'open' in settled
      ? `not settled: ${JSON.stringify(settled.open)}`
      : `all settled ${settled.seconds.toFixed(1)} s after the last`,
    ...audit.tasks.map(({ kind, count, reason }) => `task: ${count} × ${kind}, such as: ${reason}`),
    ...lines
      .filter(({ level }) => level !== 'warn')
      .slice(0, 20)
      .map(({ level, message, count }) => `log: ${count} × ${level}: ${message}`),
    ...lines
      .filter(({ level }) => level === 'warn')
      .slice(0, 10)
      .map(({ message, count }) => `log: ${count} × warning: ${message}`),
  ]
}

export function describeFailure(outcome: FaultRunResult, faults: readonly string[]): string[] {
  return [
    `${outcome.where}: ${faults.length} faults; --seed ${outcome.seed} makes the same choices again, but not at the same moments`,
    ...faults.map((fault) => `  ${fault}`),
    ...outcome.audit.histories.flatMap(({ order_code: code, lines }) => [
      `history of ${code}:`,
      ...lines.map((line) => `  ${line}`),
    ]),
  ]
}

export const summariseRun = (outcome: FaultRunResult) => ({
  where: outcome.where,
  seed: outcome.seed,
  orders: Object.fromEntries(outcome.audit.orders),
  findings: outcome.audit.findings,
  needless: outcome.audit.needless,
  complaints: outcome.complaints,
  peaks: outcome.memory.peaks(),
  faults: findRunFaults(outcome),
  calls: outcome.records.figures.calls,
  unanswered: outcome.records.figures.unanswered,
  slowest: outcome.records.figures.slowest,
  slowestWhileStopped: outcome.records.figures.slowestWhileStopped,
  longestBroken: outcome.records.figures.longestBroken,
  refusals: Object.fromEntries(outcome.records.figures.refusals),
  samples: outcome.records.figures.samples,
  settled: outcome.settled,
  recoveries: Object.fromEntries(outcome.recoveries),
  memory: computeMemoryGrowth(outcome),
  injectors: Object.fromEntries(outcome.score),
  tasks: outcome.audit.tasks,
  log: outcome.lines.slice(0, 50),
  lives: outcome.lives,
  minutes: outcome.minutes,
})
