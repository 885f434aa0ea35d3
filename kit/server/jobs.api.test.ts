import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDatabase } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { type Database, openDatabase, transact } from './db.ts'
import type { JobDefinition } from './job-definitions.ts'
import { type Jobs, startJobs } from './jobs.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'fantail-jobs-'))
// Each test works a queue of its own.
const queues = ['hihi', 'kea', 'kaka', 'kiwi', 'moa', 'ruru', 'tui', 'weka']
let own: Awaited<ReturnType<typeof makeDatabase>> | null = null
let database: Database
let jobs: Jobs

const unexpected = (error: Error): never => {
  throw error
}
const start = async (): Promise<void> => {
  database = await openDatabase(own ? { url: own.url } : { folder: dataDir })
  jobs = await startJobs(database, queues, { onError: unexpected })
}
const stop = async (): Promise<void> => {
  await jobs.stop()
  await database.close()
}

beforeAll(async () => {
  own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  await start()
})
afterAll(async () => {
  await stop()
  await own?.drop()
  rmSync(dataDir, { recursive: true })
})

const ring = (name: string, run: (bird: number) => Promise<void>): JobDefinition[] => [
  { name, run: ({ bird }: { bird: number }) => run(bird) },
]
const send = (queue: string, ...birds: number[]) =>
  transact(database.db, async (trx) => {
    for (const bird of birds) await jobs.send(trx, queue, { bird })
  })
const allDone = () => until(async () => (await jobs.unfinished()) === 0)

test('a job exists if and only if its transaction does', async () => {
  await send('kea', 1)
  const failed = transact(database.db, async (trx) => {
    await jobs.send(trx, 'kea', { bird: 2 })
    throw new Error('changed its mind')
  })
  await expect(failed).rejects.toThrow('changed its mind')
  expect(await jobs.unfinished()).toBe(1)
  const ringed: number[] = []
  await jobs.work(ring('kea', async (bird) => void ringed.push(bird)))
  await allDone()
  expect(ringed).toEqual([1])
})

test('a heap that arrives at once is worked off at once', async () => {
  const ringed = new Set<number>()
  await jobs.work(ring('kaka', async (bird) => void ringed.add(bird)))
  await send('kaka', ...Array.from({ length: 40 }, (_, bird) => bird))
  // One at a look, every two seconds, would take more than a minute.
  await until(async () => ringed.size === 40, { withinMs: 30_000 })
  await allDone()
  expect(ringed.size).toBe(40)
})

test('what was put down while the clock was ahead does not wait until it is that late', async () => {
  await send('tui', 7)
  await sql`update pgboss.job set start_after = now() + interval '1 hour' where name = 'tui'`.execute(database.db)
  const ringed: number[] = []
  await jobs.work(ring('tui', async (bird) => void ringed.push(bird)))
  await until(async () => ringed.length > 0, { withinMs: 30_000 })
  expect(ringed).toEqual([7])
})

describe('a job that is found again by a row of its own', () => {
  const inQueue = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from pgboss.job where name = 'hihi'`.execute(database.db)
    return rows[0]?.count ?? -1
  }
  let ended = Promise.withResolvers<void>()
  const rung: number[] = []
  const told: unknown[] = []
  const inRows: number[] = []
  const work = () =>
    jobs.work(
      [
        {
          name: 'hihi',
          async fetch() {
            const taken = inRows.splice(0, jobs.wants('hihi') ?? 0)
            for (const bird of taken) jobs.takeOver(database.db, 'hihi', { bird })
            return taken.length > 0
          },
          async run({ bird }: { bird: number }) {
            rung.push(bird)
            if (bird < 0) throw new Error('it flew away')
            if (bird > 1) await ended.promise
          },
        },
      ],
      ({ tries, isLast, data }, error) => void told.push([tries, isLast, data, String(error)]),
    )

  test('is done once it is committed, and in no table', async () => {
    await work()
    expect([jobs.wants('hihi'), jobs.wants('kea')]).toEqual([20, null])
    const failed = transact(database.db, async (trx) => {
      await jobs.send(trx, 'hihi', { bird: 0 })
      throw new Error('changed its mind')
    })
    await expect(failed).rejects.toThrow('changed its mind')
    await send('hihi', 1)
    await allDone()
    expect([rung, await inQueue()]).toEqual([[1], 0])
  })

  test('is told when it fails, and left to whoever finds it', async () => {
    await send('hihi', -1)
    await allDone()
    expect(told).toEqual([[1, false, { bird: -1 }, 'Error: it flew away']])
    expect([rung, await inQueue()]).toEqual([[1, -1], 0])
  })

  test('is fetched from the rows as long as there are more, never more than can be done', async () => {
    const before = rung.length
    inRows.push(...Array.from({ length: 90 }, () => 1))
    await transact(database.db, async (trx) => {
      jobs.fetchMore(trx, 'hihi')
      expect(inRows).toHaveLength(90)
    })
    await until(async () => rung.length === before + 90)
    expect([inRows.length, await inQueue()]).toEqual([0, 0])
    await allDone()
  })

  test('waits in its row, once as many wait here as are fetched, and before nothing that is sent', async () => {
    const before = rung.length
    inRows.push(...Array.from({ length: 90 }, () => 2))
    jobs.fetchMore(database.db, 'hihi')
    await until(async () => (jobs.wants('hihi') ?? 0) < 10)
    expect(inRows).toHaveLength(70)
    await send('hihi', 1)
    await until(async () => rung.at(-1) === 1)
    ended.resolve()
    await until(async () => rung.length === before + 91)
    ended = Promise.withResolvers<void>()
  })

  test('is left to all processes when this one has enough to do', async () => {
    await send('hihi', ...Array.from({ length: 54 }, (_, at) => at + 2))
    const waiting = await inQueue()
    expect(waiting).toBe(0)
    // What is fetched does not stand behind them.
    expect(jobs.wants('hihi')).toBe(20)
    await send('hihi', 60)
    await until(async () => (await inQueue()) === 1)
    expect(await jobs.unfinished()).toBe(55)
    ended.resolve()
    await allDone()
    expect(new Set(rung).size).toBe(57)
  })
})

test('what fails is tried again, and told once for each try', { tags: ['slow'] }, async () => {
  let tries = 0
  const run = async (): Promise<void> => {
    tries += 1
    if (tries <= 2) throw new Error('it flew away')
  }
  const failures: unknown[] = []
  await jobs.work(ring('kiwi', run), (job, error) => void failures.push([job, String(error)]))
  await send('kiwi', 1)
  await allDone()
  expect(tries).toBe(3)
  const failed = { queue: 'kiwi', id: expect.stringMatching(/^[\da-f-]{36}$/), isLast: false, data: { bird: 1 } }
  expect(failures).toEqual([
    [{ ...failed, tries: 1 }, 'Error: it flew away'],
    [{ ...failed, tries: 2 }, 'Error: it flew away'],
  ])
})

test('jobs that are taken together end each by itself', { tags: ['slow'] }, async () => {
  const ringed: number[] = []
  let together = 0
  let most = 0
  const run = async ({ bird }: { bird: number }): Promise<void> => {
    most = Math.max(most, ++together)
    await new Promise((resolve) => setImmediate(resolve))
    together -= 1
    ringed.push(bird)
    if (bird === 5 && ringed.filter((each) => each === 5).length === 1) throw new Error('it flew away')
  }
  const failures: unknown[] = []
  await jobs.work([{ name: 'moa', run, together: { most: 6, atOnce: 3 } }], ({ data, tries }) => {
    failures.push([data, tries])
  })
  await send('moa', ...Array.from({ length: 12 }, (_, bird) => bird))
  await allDone()
  expect(ringed.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10, 11])
  expect(failures).toEqual([[{ bird: 5 }, 1]])
  expect(most).toBeGreaterThan(1)
  // What one statement has taken was taken at one time.
  const { rows } = await sql`
    select distinct started_on from pgboss.job where name = 'moa' and retry_count = 0`.execute(database.db)
  expect(rows.length).toBeLessThanOrEqual(4)
})

test('the last try of a job says so', async () => {
  const failures: boolean[] = []
  await jobs.work(
    ring('ruru', async () => {
      throw new Error('it flew away')
    }),
    ({ isLast }) => void failures.push(isLast),
  )
  await send('ruru', 1)
  await until(async () => failures.length === 1)
  await sql`update pgboss.job set retry_limit = retry_count + 1, start_after = now() where name = 'ruru'`.execute(
    database.db,
  )
  await until(async () => failures.length === 2)
  expect(failures).toEqual([false, true])
})

test('a job that was not worked is there after a restart', async () => {
  await send('weka', 7, 8)
  await stop()
  await start()
  const ringed: number[] = []
  await jobs.work(ring('weka', async (bird) => void ringed.push(bird)))
  await allDone()
  expect(ringed.sort()).toEqual([7, 8])
})
