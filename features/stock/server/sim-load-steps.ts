import { audit } from '#kit/server/audit.ts'
import { systemActor } from '#kit/server/actor.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { lockReservations } from '#features/porting/server/reserved-numbers.store.ts'
import { addSims, deleteUnsoldSims } from '#features/services/server/sim-packs.store.ts'
import type { SimLoadEvent } from '../sim-loads.states.ts'
import {
  countBadLines,
  deleteLines,
  type LineRange,
  markUnavailableLines,
  removeGoodLines,
} from './sim-load-lines.store.ts'
import {
  deleteSimLoad,
  lockLeasedLoad,
  transitionSimLoad,
  type SimLoad,
  updateSimLoad,
  buildDecisionWaitFields,
} from './sim-loads.store.ts'
import type { StockDeps } from './stock.deps.ts'

/** Number of lines per step, which is one transaction. If a process dies, at most one step has to be repeated. */
const linesPerStep = 2_500

/**
 * Runs the next step of a SIM load. Returns `false` if no step is left, or another worker holds the lease. An
 * interrupted step is rolled back and repeated.
 */
export function runNextStep(deps: StockDeps, loadId: string, worker: string): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const load = await lockLeasedLoad(trx, loadId, worker)
    if (!load?.retry_at) return false
    await stepsByState[load.state](trx, deps, load)
    return true
  })
}

type SimLoadStep = (trx: Trx, deps: StockDeps, load: SimLoad) => Promise<void>

const stepsByState: Record<SimLoad['state'], SimLoadStep> = {
  receiving: (trx, _deps, load) => finishSimLoad(trx, load, 'broken_off'),
  checking: checkLines,
  loading: loadLines,
  withdrawing: withdrawPacks,
  checked: deleteStagedLines,
  // Staff did not decide about this SIM load in time, so decline it.
  waiting: (trx, deps, load) => finishSimLoad(trx, load, 'declined', { ended_at: toDate(deps.clock.now()) }),
  refused: deleteStagedLines,
  broken_off: deleteStagedLines,
  loaded: deleteStagedLines,
}

async function checkLines(trx: Trx, deps: StockDeps, load: SimLoad): Promise<void> {
  const nextRange = getNextRange(load)
  if (nextRange) {
    await markUnavailableLines(trx, load.id, nextRange)
    await updateSimLoad(trx, load.id, { done_line: nextRange.to })
    return
  }
  const badLineCount = await countBadLines(trx, load.id)
  const finalFields = { bad: badLineCount, ended_at: toDate(deps.clock.now()) }
  if (load.asks_first && badLineCount < load.lines)
    await transitionSimLoad(trx, load, 'asked', { bad: badLineCount, done_line: 1, ...buildDecisionWaitFields() })
  else if (load.dry_run) await finishSimLoad(trx, load, 'checked', finalFields)
  else if (badLineCount === load.lines || (badLineCount > 0 && !load.good_only))
    await finishSimLoad(trx, load, 'bad', finalFields)
  else await transitionSimLoad(trx, load, 'good', { bad: badLineCount, done_line: 1 })
}

/**
 * Loads the next lines. Packs and numbers that have been taken since the check are treated as invalid. The lock
 * prevents new number reservations in the meantime.
 */
async function loadLines(trx: Trx, deps: StockDeps, load: SimLoad): Promise<void> {
  const nextRange = getNextRange(load)
  if (!nextRange) {
    const { id, loaded, bad } = load
    await transitionSimLoad(trx, load, 'loaded', { ended_at: toDate(deps.clock.now()), retry_at: null })
    await audit(trx, deps.clock, { event: 'sims_loaded', actor: systemActor, details: { load: id, loaded, bad } })
    return
  }
  await lockReservations(trx)
  const unavailableCount = await markUnavailableLines(trx, load.id, nextRange)
  if (unavailableCount > 0 && !load.good_only) {
    await transitionSimLoad(trx, load, 'taken', { bad: load.bad + unavailableCount })
    return
  }
  const packs = await removeGoodLines(trx, load.id, nextRange)
  await addSims(trx, load.id, packs)
  await updateSimLoad(trx, load.id, {
    done_line: nextRange.to,
    loaded: load.loaded + packs.length,
    bad: load.bad + unavailableCount,
  })
}

async function withdrawPacks(trx: Trx, deps: StockDeps, load: SimLoad): Promise<void> {
  const withdrawnCount = await deleteUnsoldSims(trx, load.id, linesPerStep)
  if (withdrawnCount > 0) await updateSimLoad(trx, load.id, { loaded: load.loaded - withdrawnCount })
  else await finishSimLoad(trx, load, 'withdrawn', { ended_at: toDate(deps.clock.now()) })
}

async function deleteStagedLines(trx: Trx, _deps: StockDeps, load: SimLoad): Promise<void> {
  const nextRange = getNextRange(load)
  const isAbandoned = load.state === 'broken_off'
  if (nextRange) {
    await deleteLines(trx, load.id, nextRange, isAbandoned ? 'all' : 'good')
    await updateSimLoad(trx, load.id, { done_line: nextRange.to })
  } else if (isAbandoned) await deleteSimLoad(trx, load.id)
  else await updateSimLoad(trx, load.id, { retry_at: null })
}

async function finishSimLoad(
  trx: Trx,
  load: SimLoad,
  event: SimLoadEvent,
  ended: Partial<SimLoad> = {},
): Promise<void> {
  await transitionSimLoad(trx, load, event, { ...ended, done_line: 1, retry_at: toDate(realNow()) })
}

const getNextRange = ({ done_line: done, last_line: last }: SimLoad): LineRange | null =>
  done < last ? { from: done + 1, to: Math.min(done + linesPerStep, last) } : null
