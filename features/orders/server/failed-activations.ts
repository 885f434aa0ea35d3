import type { Trx } from '#kit/server/db.ts'
import { endTasksAbout, replaceTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { countFailedByLoad } from './failed-activations.store.ts'
import type { Operation } from './operations.store.ts'
import type { OrderDeps } from './orders.deps.ts'
import type { Order } from './orders.store.ts'

/** Failures with one code in 24 hours that make a wave at the smallest provider; at a larger one, three times those of a usual day. */
const minWave = 5
const timesUsual = 3
const usualDays = 7

/**
 * Makes a task when activations fail in a wave with the same code, as they do where the carrier does not know the packs of a file. The task
 * is renewed each time that their number has doubled. To be called once an activation has been taken back.
 */
export async function reportFailedActivations(
  trx: Trx,
  { clock }: Pick<OrderDeps, 'clock'>,
  { kind, failure_code: code }: Order,
  operations: readonly Operation[],
): Promise<void> {
  const isOfNetwork = operations.some((operation) => operation.kind === 'activate_sim' && operation.fault === code)
  if (kind !== 'activation' || code === null || !isOfNetwork) return
  const now = clock.now()
  const dayAgo = now.subtract({ hours: 24 })
  const weekBefore = { from: dayAgo.subtract({ hours: 24 * usualDays }), to: dayAgo }
  const [loads, before] = [
    await countFailedByLoad(trx, code, { from: dayAgo, to: now }),
    await countFailedByLoad(trx, code, weekBefore),
  ]
  const failed = sumOf(loads)
  const wave = Math.max(minWave, Math.ceil((timesUsual * sumOf(before)) / usualDays))
  const about = { kind: 'network', subject: `activations: ${code}` } as const
  if (failed < wave) return endTasksAbout(trx, about)
  const bound = wave * 2 ** Math.floor(Math.log2(failed / wave))
  await replaceTask(trx, { ...about, reason: sentenceOf(code, bound, loads) })
}

type Failed = Awaited<ReturnType<typeof countFailedByLoad>>

const sumOf = (loads: Failed): number => loads.reduce((sum, { failed }) => sum + failed, 0)

/** The same for every number of failures up to the next bound. */
function sentenceOf(code: string, bound: number, loads: Failed): string {
  const [most] = loads
  const isOfOneLoad = most !== undefined && most.failed > sumOf(loads) / 2
  const batch =
    isOfOneLoad && most.load !== null ? `most of them of the SIM packs in load ${most.load}` : 'of several loads'
  return (
    `${bound} activations or more failed within 24 hours because the network answered ${code}, ${batch}: ask the carrier whether it ` +
    'knows these SIM packs, and stop selling them until it does (sims status has each load’s failures)'
  )
}
