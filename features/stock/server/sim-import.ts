import { setTimeout as pause } from 'node:timers/promises'
import { audit } from '#kit/server/audit.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { isUniqueViolation, transact } from '#kit/server/db.ts'
import { isAtRest } from '../sim-loads.states.ts'
import { type FileLine, mostLines, openSimFile, SimFileFault } from './sim-file.ts'
import { type StagedLine, stageLines } from './sim-load-lines.store.ts'
import {
  countReceived,
  findLoad,
  findLoadOfFile,
  type ImportOptions,
  insertLoad,
  moveLoad,
  type SimLoad,
  simLoadRetries,
} from './sim-loads.store.ts'
import type { StockDeps } from './stock.deps.ts'

/**
 * The progress of an upload, and finally its load. `isKnown` means that the same file already had a load, which
 * continues.
 */
export type Received = { received: number } | { loadId: string; isKnown: boolean }

/**
 * Receives a file of SIM packs, and queues it for checking and loading. Resolves once the header is read. The returned
 * iterable throws `SimFileFault` when the rest of the file is invalid.
 * @throws SimFileFault when the first line is not a valid header
 */
export async function receiveSims(
  deps: StockDeps,
  bytes: AsyncIterable<Uint8Array>,
  wish: ImportOptions & { mostLines?: number },
): Promise<AsyncIterable<Received>> {
  const file = await openSimFile(bytes, deps.market.phoneRegion, wish.mostLines)
  return receive(deps, file, wish)
}

async function* receive(
  deps: StockDeps,
  file: Awaited<ReturnType<typeof openSimFile>>,
  wish: ImportOptions,
): AsyncGenerator<Received> {
  const loadId = await insertLoad(deps.db, deps.clock.now(), wish)
  let isHandedOver = false
  try {
    let received = 0
    for await (const lines of file.lines) {
      if (!(await stage(deps, loadId, lines))) throw new SimFileFault('The upload stopped, so nothing was loaded.')
      received += lines.length
      yield { received }
    }
    if (received === 0) throw new SimFileFault('The file has no SIM packs.')
    const end = await handOver(deps, loadId, file.hash(), { ...wish, lines: received })
    isHandedOver = end.loadId === loadId
    yield end
  } finally {
    // Also runs when the sender has disconnected.
    if (!isHandedOver)
      await moveLoad(deps.db, { id: loadId }, 'broken_off', { done_line: 1, retry_at: toDate(realNow()) })
  }
}

function stage({ db, secrets }: StockDeps, loadId: string, lines: FileLine[]): Promise<boolean> {
  const staged = lines.map((each): StagedLine => {
    if ('fault' in each) return each
    const { iccid, msisdn, puk } = each.pack
    return { line: each.line, iccid, msisdn, pukSealed: puk === null ? null : secrets.sealKept('puk', puk) }
  })
  const came = {
    lines: lines.length,
    lastLine: lines.at(-1)?.line ?? mostLines,
    bad: lines.filter((line) => 'fault' in line).length,
  }
  return transact(db, async (trx) => {
    if (!(await countReceived(trx, loadId, came))) return false
    await stageLines(trx, loadId, staged)
    return true
  })
}

async function handOver(
  deps: StockDeps,
  loadId: string,
  hash: string,
  wish: ImportOptions & { lines: number },
): Promise<{ loadId: string; isKnown: boolean }> {
  const known = await findLoadOfFile(deps.db, hash)
  if (known && (!wish.dryRun || known.state === 'loaded')) return { loadId: known.id, isKnown: true }
  try {
    await transact(deps.db, async (trx) => {
      const begun = { content_hash: hash, done_line: 1, retry_at: toDate(realNow()) }
      if (!(await moveLoad(trx, { id: loadId }, 'received', begun)))
        throw new SimFileFault('The upload stopped, so nothing was loaded.')
      const { actor, lines, goodOnly, dryRun } = wish
      const details = { load: loadId, lines, good_only: goodOnly, dry_run: dryRun }
      await audit(trx, deps.clock, { event: 'sims_import_requested', actor, details })
      await deps.jobs.send(trx, simLoadRetries, loadId)
    })
    return { loadId, isKnown: false }
  } catch (error) {
    // Two equal files were uploaded at once, and the other was first.
    const first = isUniqueViolation(error) ? await findLoadOfFile(deps.db, hash) : undefined
    if (!first) throw error
    return { loadId: first.id, isKnown: true }
  }
}

const lookEveryMs = 150
const saySomethingMs = 5_000

export async function* followLoad({ db }: Pick<StockDeps, 'db'>, loadId: string): AsyncGenerator<SimLoad> {
  let said = ''
  let saidAt = 0
  for (;;) {
    const load = await findLoad(db, loadId)
    if (!load) return
    const now = `${load.state} ${load.done_line} ${load.loaded}`
    if (now !== said || performance.now() - saidAt > saySomethingMs) {
      yield load
      said = now
      saidAt = performance.now()
    }
    if (isAtRest(load.state)) return
    await pause(lookEveryMs)
  }
}
