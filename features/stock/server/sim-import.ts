import { setTimeout as pause } from 'node:timers/promises'
import { audit } from '#kit/server/audit.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { isUniqueViolation, transact } from '#kit/server/db.ts'
import { isSimLoadIdle } from '../sim-loads.states.ts'
import { type FileLine, maxFileLines, openSimFile, SimFileError } from './sim-file.ts'
import { type StagedLine, stageLines } from './sim-load-lines.store.ts'
import {
  countReceivedLines,
  findSimLoad,
  findSimLoadByHash,
  type ImportOptions,
  insertSimLoad,
  transitionSimLoad,
  type SimLoad,
  simLoadQueue,
} from './sim-loads.store.ts'
import type { StockDeps } from './stock.deps.ts'

/**
 * The progress of an upload and, at the end, the ID of its load. `isKnown` means that an identical file was uploaded
 * before, and that the ID is that of the earlier load.
 */
export type ImportProgress = { received: number } | { loadId: string; isKnown: boolean }

/**
 * Receives a file of SIM packs and queues it for checking and loading. Resolves once the header has been read. The
 * returned iterable throws `SimFileError` when the rest of the file is invalid.
 * @throws SimFileError when the first line is not a valid header
 */
export async function importSims(
  deps: StockDeps,
  bytes: AsyncIterable<Uint8Array>,
  importOptions: ImportOptions & { mostLines?: number },
): Promise<AsyncIterable<ImportProgress>> {
  const file = await openSimFile(bytes, deps.market.phoneRegion, importOptions.mostLines)
  return stageFile(deps, file, importOptions)
}

async function* stageFile(
  deps: StockDeps,
  file: Awaited<ReturnType<typeof openSimFile>>,
  importOptions: ImportOptions,
): AsyncGenerator<ImportProgress> {
  const loadId = await insertSimLoad(deps.db, deps.clock.now(), importOptions)
  let isQueued = false
  try {
    let receivedCount = 0
    for await (const lines of file.lines) {
      if (!(await stageBatch(deps, loadId, lines))) throw new SimFileError('The upload stopped, so nothing was loaded.')
      receivedCount += lines.length
      yield { received: receivedCount }
    }
    if (receivedCount === 0) throw new SimFileError('The file has no SIM packs.')
    const queuedLoad = await queueSimLoad(deps, loadId, file.hash(), { ...importOptions, lines: receivedCount })
    isQueued = queuedLoad.loadId === loadId
    yield queuedLoad
  } finally {
    // This cleanup also runs if the sender has disconnected.
    if (!isQueued)
      await transitionSimLoad(deps.db, { id: loadId }, 'broken_off', { done_line: 1, retry_at: toDate(realNow()) })
  }
}

function stageBatch({ db, secrets }: StockDeps, loadId: string, lines: FileLine[]): Promise<boolean> {
  const stagedLines = lines.map((fileLine): StagedLine => {
    if ('fault' in fileLine) return fileLine
    const { iccid, msisdn, puk } = fileLine.pack
    return { line: fileLine.line, iccid, msisdn, pukSealed: puk === null ? null : secrets.sealKept('puk', puk) }
  })
  const batchCounts = {
    lines: lines.length,
    lastLine: lines.at(-1)?.line ?? maxFileLines,
    bad: lines.filter((line) => 'fault' in line).length,
  }
  return transact(db, async (trx) => {
    if (!(await countReceivedLines(trx, loadId, batchCounts))) return false
    await stageLines(trx, loadId, stagedLines)
    return true
  })
}

async function queueSimLoad(
  deps: StockDeps,
  loadId: string,
  hash: string,
  importOptions: ImportOptions & { lines: number },
): Promise<{ loadId: string; isKnown: boolean }> {
  const knownLoad = await findSimLoadByHash(deps.db, hash)
  if (knownLoad && (!importOptions.dryRun || knownLoad.state === 'loaded'))
    return { loadId: knownLoad.id, isKnown: true }
  try {
    await transact(deps.db, async (trx) => {
      const startFields = { content_hash: hash, done_line: 1, retry_at: toDate(realNow()) }
      if (!(await transitionSimLoad(trx, { id: loadId }, 'received', startFields)))
        throw new SimFileError('The upload stopped, so nothing was loaded.')
      const { actor, lines, goodOnly, dryRun } = importOptions
      const details = { load: loadId, lines, good_only: goodOnly, dry_run: dryRun }
      await audit(trx, deps.clock, { event: 'sims_import_requested', actor, details })
      await deps.jobs.send(trx, simLoadQueue, loadId)
    })
    return { loadId, isKnown: false }
  } catch (error) {
    // Someone else uploaded an identical file at the same time, and their upload finished first.
    const existingLoad = isUniqueViolation(error) ? await findSimLoadByHash(deps.db, hash) : undefined
    if (!existingLoad) throw error
    return { loadId: existingLoad.id, isKnown: true }
  }
}

const pollIntervalMs = 150
const maxReportIntervalMs = 5_000

export async function* followLoad({ db }: Pick<StockDeps, 'db'>, loadId: string): AsyncGenerator<SimLoad> {
  let reportedState = ''
  let reportedAt = 0
  for (;;) {
    const load = await findSimLoad(db, loadId)
    if (!load) return
    const currentState = `${load.state} ${load.done_line} ${load.loaded}`
    if (currentState !== reportedState || performance.now() - reportedAt > maxReportIntervalMs) {
      yield load
      reportedState = currentState
      reportedAt = performance.now()
    }
    if (isSimLoadIdle(load.state)) return
    await pause(pollIntervalMs)
  }
}
