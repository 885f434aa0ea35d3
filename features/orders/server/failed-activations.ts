import { type Db, transact } from '#kit/server/db.ts'
import {
  endMatchingTasks,
  listOngoingTaskReasons,
  replaceTask,
} from '#features/operator-tasks/server/operator-tasks.store.ts'
import { countFailuresBySimLoad } from './failed-activations.store.ts'
import type { Operation } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/**
 * A spike means at least `minFailureSpike` failures with the same code in 24 hours, and at least `spikeFactor` times the
 * daily average over the previous `baselineDays` days.
 */
const minFailureSpike = 5
const spikeFactor = 3
const baselineDays = 7

/**
 * Creates a task when unusually many activations fail with the same code, for example because the carrier does not know
 * the SIM packs in a file. A new task replaces the old one once the number of failures has doubled. The query counts many
 * orders, so call this after the transaction that reversed the order. If the query fails, the error is only logged, and
 * the next failed activation triggers a new count.
 */
export async function reportFailedActivations(
  { db, clock, log, noteOutage }: Pick<OrderDeps, 'db' | 'clock' | 'log' | 'noteOutage'>,
  { kind, failure_code: code }: Order,
  operations: readonly Operation[],
): Promise<void> {
  const isNetworkFault = operations.some((operation) => operation.kind === 'activate_sim' && operation.fault === code)
  if (kind !== 'activation' || code === null || !isNetworkFault) return
  try {
    await reportFailureSpike(db, code, clock.now())
  } catch (error) {
    if (!noteOutage(error)) log.error({ err: error, code }, 'failed activations could not be counted')
  }
}

async function reportFailureSpike(db: Db, code: string, now: Temporal.Instant): Promise<void> {
  const dayAgo = now.subtract({ hours: 24 })
  const baselinePeriod = { from: dayAgo.subtract({ hours: 24 * baselineDays }), to: dayAgo }
  const failuresBySimLoad = await countFailuresBySimLoad(db, code, { from: dayAgo, to: now })
  const failedCount = countFailedActivations(failuresBySimLoad)
  const spikeThreshold = Math.max(
    minFailureSpike,
    Math.ceil(
      (spikeFactor * countFailedActivations(await countFailuresBySimLoad(db, code, baselinePeriod))) / baselineDays,
    ),
  )
  const taskSelector = { kind: 'network', subject: `activations: ${code}` } as const
  if (failedCount < spikeThreshold) return endMatchingTasks(db, taskSelector)
  await transact(db, async (trx) => {
    const reportedCount = Math.max(0, ...(await listOngoingTaskReasons(trx, taskSelector)).map(parseReportedCount))
    if (reportedCount > 0 && failedCount < 2 * reportedCount) return
    const failureCountLowerBound = spikeThreshold * 2 ** Math.floor(Math.log2(failedCount / spikeThreshold))
    await replaceTask(trx, {
      ...taskSelector,
      reason: describeFailureSpike(code, failureCountLowerBound, failuresBySimLoad),
    })
  })
}

type FailuresBySimLoad = Awaited<ReturnType<typeof countFailuresBySimLoad>>

const countFailedActivations = (failuresByLoad: FailuresBySimLoad): number =>
  failuresByLoad.reduce((sum, { failed }) => sum + failed, 0)

/**
 * The task's reason. It starts with a number, which `parseReportedCount` reads back. If more than half of the failures come
 * from one load of SIM packs, the reason names that load.
 */
function describeFailureSpike(code: string, reportedBound: number, failuresByLoad: FailuresBySimLoad): string {
  const [largestLoad] = failuresByLoad
  const isMostlyOneSimLoad =
    largestLoad !== undefined && largestLoad.failed > countFailedActivations(failuresByLoad) / 2
  const batch =
    isMostlyOneSimLoad && largestLoad.load !== null
      ? `most use SIM packs from load ${largestLoad.load}`
      : 'from several loads'
  return (
    `${reportedBound} or more activations failed within 24 hours because the network answered ${code}, ${batch}: ` +
    'ask the carrier whether it knows these SIM packs, and stop selling them until it does (sims status has each load’s failures)'
  )
}

const parseReportedCount = (sentence: string): number => Number.parseInt(sentence, 10)
