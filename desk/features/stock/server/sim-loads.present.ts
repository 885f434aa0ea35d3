import type { Clock } from '#kit/server/clock.ts'
import type { SimLoad } from '#features/stock/server/sim-loads.store.ts'
import type { Load } from '../sim-loads.contract.ts'

export const presentSimLoad = (load: SimLoad, left: ReadonlyMap<string | null, number>, clock: Clock): Load => ({
  id: load.id,
  file_name: load.file_name,
  by: actorName(load.actor),
  created: load.created_at.toISOString(),
  ended: load.ended_at?.toISOString() ?? null,
  state: load.state,
  lines: load.lines,
  done: Math.min(load.lines, Math.max(0, load.done_line - 1)),
  good: load.lines - load.bad,
  bad: load.bad,
  loaded: load.loaded,
  left: left.get(load.id) ?? 0,
  age_seconds: Math.max(0, Math.round((clock.now().epochMilliseconds - load.created_at.getTime()) / 1_000)),
})

export const actorName = (actor: string): string => actor.slice(actor.indexOf(':') + 1)
