import { Counter, Gauge, Registry } from 'prom-client'
import { acceptsWrites } from '#kit/server/database-unavailable.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { Sweep } from '#kit/server/sweeps.ts'
import { createFigureGroup, settlesWithinTimeout, type FigureReading } from './figures.ts'
import { type Figure, frequentlyReadFigures, stockFigures } from './figures.table.ts'

export type DatabaseFigures = {
  text(): Promise<string>
  stop(): Promise<void>
}

type Options = {
  db: Db
  clock: Clock
  serves(): Promise<boolean>
  sweepsIn(trx: Trx): Sweep[]
}

const readIntervalsMs = { moving: 10_000, stock: 60_000 }

export function createDatabaseFigures({ db, clock, serves, sweepsIn }: Options): DatabaseFigures {
  const registry = new Registry()
  const gauges = createGauges(registry, [...frequentlyReadFigures, ...stockFigures])
  const own = createCollectorGauges(registry)
  let lags: Map<string, number> = new Map()
  const source = { db, clock, onFailure: () => own.failures.inc() }
  const frequentFigureGroup = createFigureGroup(source, {
    figures: frequentlyReadFigures,
    everyMs: readIntervalsMs.moving,
    also: async (trx) => void (lags = await measureSweepLags(sweepsIn(trx), clock)),
  })
  const stockFigureGroup = createFigureGroup(source, { figures: stockFigures, everyMs: readIntervalsMs.stock })

  return {
    async text() {
      const [isUp, current, shelves] = await Promise.all([
        isTrueWithinTimeout(acceptsWrites(db)),
        frequentFigureGroup.readings(),
        stockFigureGroup.readings(),
      ])
      own.up.set(isUp ? 1 : 0)
      clear(own.lag)
      if (current) for (const [sweep, seconds] of lags) own.lag.set({ sweep }, seconds)
      clear(own.serves)
      if (isUp) own.serves.set((await isTrueWithinTimeout(serves())) ? 1 : 0)
      for (const gauge of gauges.values()) clear(gauge)
      for (const reading of [...(current ?? []), ...(shelves ?? [])]) setGauges(gauges, reading)
      return registry.metrics()
    },
    stop: async () => void (await Promise.all([frequentFigureGroup.settle(), stockFigureGroup.settle()])),
  }
}

type Gauges = Map<string, Gauge>

const createGauges = (registry: Registry, figures: Figure[]): Gauges =>
  new Map(
    figures.flatMap(({ label, gauges }) =>
      Object.values(gauges).map(({ name, help }) => [
        name,
        new Gauge({ name, help, labelNames: label ? [label] : [], registers: [registry] }),
      ]),
    ),
  )

function createCollectorGauges(registry: Registry) {
  const registers = [registry]
  return {
    up: new Gauge({
      registers,
      name: 'fantail_database_up',
      help: '1 while the database answers and accepts writes',
    }),
    serves: new Gauge({
      registers,
      name: 'fantail_schema_serves',
      help: '1 while this version can work with the schema; 0 after a newer version changed it',
    }),
    lag: new Gauge({
      registers,
      name: 'fantail_sweep_lag_seconds',
      help: 'How long the oldest due row of a sweep has been waiting; 0 if no row is due',
      labelNames: ['sweep'],
    }),
    failures: new Counter({
      registers,
      name: 'fantail_database_figures_failed_total',
      help: 'Failed attempts to read the database metrics',
    }),
  }
}

/** Removes a gauge's value. On a gauge without labels, `reset` alone would set it to 0. */
function clear(gauge: Gauge): void {
  gauge.reset()
  if (!('labelNames' in gauge) || (gauge.labelNames as unknown[]).length === 0) gauge.remove()
}

function setGauges(gauges: Gauges, { figure: { label, known = [], gauges: columns }, rows }: FigureReading): void {
  for (const [column, { name }] of Object.entries(columns)) {
    const gauge = gauges.get(name)
    if (label) for (const value of known) gauge?.set({ [label]: value }, 0)
    for (const row of rows)
      if (row[column] !== null) gauge?.set(label ? { [label]: String(row[label]) } : {}, Number(row[column]))
  }
}

async function measureSweepLags(sweeps: Sweep[], clock: Clock): Promise<Map<string, number>> {
  const lags = new Map<string, number>()
  for (const { name, next } of sweeps) {
    const due = await next()
    lags.set(name, Math.max(0, due ? clock.now().since(due).total('seconds') : 0))
  }
  return lags
}

async function isTrueWithinTimeout(asked: Promise<boolean>): Promise<boolean> {
  let answer = false
  const settledPromise = asked.then(
    (said) => void (answer = said),
    () => {},
  )
  return (await settlesWithinTimeout(settledPromise)) && answer
}
