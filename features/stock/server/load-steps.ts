import { audit } from '#kit/server/audit.ts'
import { theSystem } from '#kit/server/actor.ts'
import { realNow, toDate } from '#kit/server/clock.ts'
import { transact, type Trx } from '#kit/server/db.ts'
import { holdReservations } from '#features/porting/server/reserved-numbers.store.ts'
import { addSims, withdrawSims } from '#features/services/server/sim-packs.store.ts'
import type { SimLoadEvent } from '../sim-loads.states.ts'
import { countBad, deleteLines, type LineRange, markTaken, takeGoodLines } from './sim-load-lines.store.ts'
import { deleteLoad, lockLeasedLoad, moveLoad, type SimLoad, updateLoad, waiting } from './sim-loads.store.ts'
import type { StockDeps } from './stock.deps.ts'

/** Lines per step, which is one transaction. This much work is repeated when a process dies. */
const linesInStep = 2_500

/**
 * Returns `false` when nothing is left to do, or another worker holds the lease. An interrupted step leaves no trace
 * and is repeated.
 */
export function stepOf(deps: StockDeps, loadId: string, worker: string): Promise<boolean> {
  return transact(deps.db, async (trx) => {
    const load = await lockLeasedLoad(trx, loadId, worker)
    if (!load?.retry_at) return false
    await steps[load.state](trx, deps, load)
    return true
  })
}

type Step = (trx: Trx, deps: StockDeps, load: SimLoad) => Promise<void>

const steps: Record<SimLoad['state'], Step> = {
  receiving: (trx, _deps, load) => settle(trx, load, 'broken_off'),
  checking: check,
  loading: load,
  withdrawing: withdraw,
  checked: clean,
  // No decision was made in time.
  waiting: (trx, deps, load) => settle(trx, load, 'declined', { ended_at: toDate(deps.clock.now()) }),
  refused: clean,
  broken_off: clean,
  loaded: clean,
}

async function check(trx: Trx, deps: StockDeps, load: SimLoad): Promise<void> {
  const range = nextOf(load)
  if (range) {
    await markTaken(trx, load.id, range)
    await updateLoad(trx, load.id, { done_line: range.to })
    return
  }
  const bad = await countBad(trx, load.id)
  const ended = { bad, ended_at: toDate(deps.clock.now()) }
  if (load.asks_first && bad < load.lines) await moveLoad(trx, load, 'asked', { bad, done_line: 1, ...waiting() })
  else if (load.dry_run) await settle(trx, load, 'checked', ended)
  else if (bad === load.lines || (bad > 0 && !load.good_only)) await settle(trx, load, 'bad', ended)
  else await moveLoad(trx, load, 'good', { bad, done_line: 1 })
}

/** Packs and numbers taken since the check are now bad, and the lock prevents new reservations of numbers meanwhile. */
async function load(trx: Trx, deps: StockDeps, load: SimLoad): Promise<void> {
  const range = nextOf(load)
  if (!range) {
    const { id, loaded, bad } = load
    await moveLoad(trx, load, 'loaded', { ended_at: toDate(deps.clock.now()), retry_at: null })
    await audit(trx, deps.clock, { event: 'sims_loaded', actor: theSystem, details: { load: id, loaded, bad } })
    return
  }
  await holdReservations(trx)
  const taken = await markTaken(trx, load.id, range)
  if (taken > 0 && !load.good_only) {
    await moveLoad(trx, load, 'taken', { bad: load.bad + taken })
    return
  }
  const packs = await takeGoodLines(trx, load.id, range)
  await addSims(trx, load.id, packs)
  await updateLoad(trx, load.id, {
    done_line: range.to,
    loaded: load.loaded + packs.length,
    bad: load.bad + taken,
  })
}

async function withdraw(trx: Trx, deps: StockDeps, load: SimLoad): Promise<void> {
  const gone = await withdrawSims(trx, load.id, linesInStep)
  if (gone > 0) await updateLoad(trx, load.id, { loaded: load.loaded - gone })
  else await settle(trx, load, 'withdrawn', { ended_at: toDate(deps.clock.now()) })
}

async function clean(trx: Trx, _deps: StockDeps, load: SimLoad): Promise<void> {
  const range = nextOf(load)
  const isNothing = load.state === 'broken_off'
  if (range) {
    await deleteLines(trx, load.id, range, isNothing ? 'all' : 'good')
    await updateLoad(trx, load.id, { done_line: range.to })
  } else if (isNothing) await deleteLoad(trx, load.id)
  else await updateLoad(trx, load.id, { retry_at: null })
}

async function settle(trx: Trx, load: SimLoad, event: SimLoadEvent, ended: Partial<SimLoad> = {}): Promise<void> {
  await moveLoad(trx, load, event, { ...ended, done_line: 1, retry_at: toDate(realNow()) })
}

const nextOf = ({ done_line: done, last_line: last }: SimLoad): LineRange | null =>
  done < last ? { from: done + 1, to: Math.min(done + linesInStep, last) } : null
