import { type Db, transact } from '#kit/server/db.ts'
import { endTasksAbout, reasonsNotOver, replaceTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { countFailedByLoad } from './failed-activations.store.ts'
import type { Operation } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/**
 * A wave is at least `minWave` failures with one code in 24 hours. At a larger provider a wave is `timesUsual` times
 * the daily average of the `usualDays` before.
 */
const minWave = 5
const timesUsual = 3
const usualDays = 7

/**
 * Creates a task when activations fail in a wave with the same code, for example because the carrier does not know the
 * packs of a file. A new task replaces the old one once the number of failures has doubled. Call this after the
 * transaction that ended an order, because it counts many orders. If counting fails, the error is only logged, and the
 * next failed activation counts again.
 */
export async function reportFailedActivations(
  { db, clock, log, isAway }: Pick<OrderDeps, 'db' | 'clock' | 'log' | 'isAway'>,
  { kind, failure_code: code }: Order,
  operations: readonly Operation[],
): Promise<void> {
  const isOfNetwork = operations.some((operation) => operation.kind === 'activate_sim' && operation.fault === code)
  if (kind !== 'activation' || code === null || !isOfNetwork) return
  try {
    await reportWave(db, code, clock.now())
  } catch (error) {
    if (!isAway(error)) log.error({ err: error, code }, 'failed activations could not be counted')
  }
}

async function reportWave(db: Db, code: string, now: Temporal.Instant): Promise<void> {
  const dayAgo = now.subtract({ hours: 24 })
  const weekBefore = { from: dayAgo.subtract({ hours: 24 * usualDays }), to: dayAgo }
  const loads = await countFailedByLoad(db, code, { from: dayAgo, to: now })
  const failed = sumOf(loads)
  const wave = Math.max(
    minWave,
    Math.ceil((timesUsual * sumOf(await countFailedByLoad(db, code, weekBefore))) / usualDays),
  )
  const about = { kind: 'network', subject: `activations: ${code}` } as const
  if (failed < wave) return endTasksAbout(db, about)
  await transact(db, async (trx) => {
    const reported = Math.max(0, ...(await reasonsNotOver(trx, about)).map(boundIn))
    if (reported > 0 && failed < 2 * reported) return
    const bound = wave * 2 ** Math.floor(Math.log2(failed / wave))
    await replaceTask(trx, { ...about, reason: sentenceOf(code, bound, loads) })
  })
}

type Failed = Awaited<ReturnType<typeof countFailedByLoad>>

const sumOf = (loads: Failed): number => loads.reduce((sum, { failed }) => sum + failed, 0)

/**
 * The sentence begins with the bound, from which `boundIn` reads the reported number. The load is the leading one at
 * that time.
 */
function sentenceOf(code: string, bound: number, loads: Failed): string {
  const [most] = loads
  const isOfOneLoad = most !== undefined && most.failed > sumOf(loads) / 2
  const batch = isOfOneLoad && most.load !== null ? `most use SIM packs from load ${most.load}` : 'from several loads'
  return (
    `${bound} activations or more failed within 24 hours because the network answered ${code}, ${batch}: ask the carrier whether it ` +
    'knows these SIM packs, and stop selling them until it does (sims status has each load’s failures)'
  )
}

const boundIn = (sentence: string): number => Number.parseInt(sentence, 10)
