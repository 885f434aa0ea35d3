import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDatabase } from '#quality/support/database.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { type Database, openDatabase, transact } from './db.ts'
import { createJobs, type FailedJob, type JobDefinition, type Jobs, createRowJob } from './jobs.ts'
import { fetchDueRows, leaseDueRows, type RetryQueue, pollDueRows } from './retry-queue.ts'

const birds: RetryQueue = {
  queue: 'birds.ring',
  table: 'birds',
  key: 'name',
  leaseSeconds: 60,
  leasedUntil: 'held_until',
  countsFailures: true,
}
const atOnce = 4
const dataDir = mkdtempSync(join(tmpdir(), 'fantail-jobs-'))
let own: Awaited<ReturnType<typeof makeDatabase>> | null = null
let database: Database
let jobs: Jobs

beforeAll(async () => {
  own = process.env['DATABASE_URL'] ? await makeDatabase(process.env['DATABASE_URL']) : null
  database = await openDatabase(own ? { url: own.url } : { folder: dataDir })
  await sql`create table birds (name text primary key, retry_at timestamptz, tries integer not null default 0,
    held_until timestamptz)`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await own?.drop()
  rmSync(dataDir, { recursive: true })
})
beforeEach(async () => {
  await sql`delete from birds`.execute(database.db)
  jobs = newJobs()
})

const newJobs = (table = birds): Jobs => createJobs(database.db, { tables: [table], atOnce })

const insert = (names: readonly string[], { seconds = 60, db = database.db } = {}) =>
  sql`insert into birds (name, retry_at)
    select name, now() + make_interval(secs => ${seconds}) from unnest(${names}::text[]) as name`.execute(db)

const send = (...names: string[]) =>
  transact(database.db, async (trx) => {
    await insert(names, { db: trx })
    for (const name of names) await jobs.send(trx, birds, name)
  })

type Bird = { name: string; isDue: boolean | null; tries: number }
const rows = async (): Promise<Bird[]> =>
  (await sql<Bird>`select name, retry_at <= now() as "isDue", tries from birds order by name`.execute(database.db)).rows
const namesOf = (count: number, prefix = 'kea'): string[] => Array.from({ length: count }, (_, at) => `${prefix} ${at}`)
const allDone = () => pollUntil(async () => (await jobs.unfinished()) === 0)

function work(run: (name: string) => Promise<void> = async () => {}, table = birds, foundMultiplier = 1) {
  const began: string[] = []
  const failures: (Omit<FailedJob, 'data'> & { key: string; error: string })[] = []
  const definition = createRowJob(
    table,
    async ({ key }) => {
      began.push(key)
      await run(key)
      await sql`update birds set retry_at = null where name = ${key}`.execute(database.db)
    },
    { foundMultiplier },
  )
  jobs.work([definition], ({ data, ...job }, error) => {
    failures.push({ ...job, key: (data as { key: string }).key, error: String(error) })
  })
  return { began, failures }
}

describe('jobs with a database row', () => {
  test('a job starts right after its transaction commits, and does not start after a rollback', async () => {
    const { began } = work()
    await transact(database.db, async (trx) => {
      await insert(['kea'], { db: trx })
      await jobs.send(trx, birds, 'kea')
      expect(began).toEqual([])
    })
    expect(began).toEqual(['kea'])
    const failed = transact(database.db, async (trx) => {
      await insert(['tui'], { db: trx })
      await jobs.send(trx, birds, 'tui')
      throw new Error('changed its mind')
    })
    await expect(failed).rejects.toThrow('changed its mind')
    await allDone()
    expect(began).toEqual(['kea'])
    expect(await rows()).toEqual([{ name: 'kea', isDue: null, tries: 0 }])
  })

  test("a job's database row is immediately due for other processes if this process does not work on the job's queue", async () => {
    await send('kea')
    expect(await rows()).toEqual([{ name: 'kea', isDue: true, tries: 0 }])
    expect(await jobs.unfinished()).toBe(1)
    const { began } = work()
    await pollDueRows({ db: database.db, jobs }, birds).run()
    await allDone()
    expect(began).toEqual(['kea'])
  })

  test('a process with fifty waiting jobs leaves the rows of new jobs to other processes, but still fetches due rows', async () => {
    const gate = Promise.withResolvers<void>()
    const { began } = work((name) => (name.startsWith('kea') ? gate.promise : Promise.resolve()))
    await send(...namesOf(atOnce + 50))
    expect((await rows()).filter(({ isDue }) => isDue)).toEqual([])
    await send('tui')
    expect((await rows()).filter(({ isDue }) => isDue)).toEqual([{ name: 'tui', isDue: true, tries: 0 }])
    await fetchDueRows({ db: database.db, jobs }, birds)
    await pollUntil(async () => began.includes('tui'))
    expect(began).toHaveLength(atOnce + 1)
    gate.resolve()
    await allDone()
    expect(new Set(began).size).toBe(atOnce + 51)
  })

  test('runs a failed job again from its row, and reports each failure', async () => {
    let tries = 0
    const { failures } = work(async () => {
      if (++tries <= 2) throw new Error('it flew away')
    })
    await send('kea')
    await pollUntil(async () => failures.length === 1)
    expect(await rows()).toEqual([{ name: 'kea', isDue: false, tries: 0 }])
    for (let round = 2; round <= 3; round++) {
      await sql`update birds set retry_at = now() - interval '1 second'`.execute(database.db)
      await fetchDueRows({ db: database.db, jobs }, birds)
      await pollUntil(async () => tries === round)
    }
    await allDone()
    const failure = { queue: 'birds.ring', key: 'kea', tries: 1, isLast: false, error: 'Error: it flew away' }
    expect(failures).toEqual([failure, failure])
    expect(await rows()).toEqual([{ name: 'kea', isDue: null, tries: 0 }])
  })

  test('tries a job at most `maxTries` times if the table counts failures, and reports which failure was the last', async () => {
    const bounded = { ...birds, maxTries: 3 }
    const { failures } = work(() => Promise.reject(new Error('it flew away')), bounded)
    await insert(['kea'])
    await jobs.send(database.db, bounded, 'kea')
    const pauses: (number | null | undefined)[] = []
    for (let round = 1; round <= 3; round++) {
      await pollUntil(async () => failures.length === round)
      const { rows: found } = await sql<{ seconds: number | null }>`
        select ceil(extract(epoch from retry_at - now()))::int as seconds from birds`.execute(database.db)
      pauses.push(found[0]?.seconds)
      await sql`update birds set retry_at = now() - interval '1 second' where retry_at is not null`.execute(database.db)
      await fetchDueRows({ db: database.db, jobs }, bounded)
    }
    expect(pauses.at(-1)).toBeNull()
    expect(failures.map(({ tries, isLast }) => [tries, isLast])).toEqual([
      [1, false],
      [2, false],
      [3, true],
    ])
    expect(await jobs.unfinished()).toBe(0)
  })

  test('a process that is shutting down starts no jobs, and other processes can take over its waiting jobs at once', async () => {
    const gate = Promise.withResolvers<void>()
    const { began } = work(() => gate.promise)
    await send(...namesOf(atOnce + 2))
    const stopped = jobs.stop()
    await send('tui')
    // The running jobs take long, so the rows of the waiting jobs become due before the running jobs finish.
    await pollUntil(async () => (await rows()).filter(({ isDue }) => isDue).length === 3)
    gate.resolve()
    await stopped
    expect(began).toEqual(namesOf(atOnce))
    expect((await rows()).filter(({ isDue }) => isDue).map(({ name }) => name)).toEqual([...namesOf(6).slice(4), 'tui'])
    expect(jobs.wants('birds.ring')).toBe(0)
  })

  test("a stopping process does not release a job's row that another process has leased in the meantime", async () => {
    const gate = Promise.withResolvers<void>()
    work(() => gate.promise)
    await insert(namesOf(atOnce + 1), { seconds: -1 })
    await fetchDueRows({ db: database.db, jobs }, birds)
    const last = namesOf(atOnce + 1).at(-1)
    await sql`update birds set retry_at = retry_at + interval '1 minute' where name = ${last}`.execute(database.db)
    gate.resolve()
    await jobs.stop()
    expect((await rows()).filter(({ isDue }) => isDue)).toEqual([])
  })
})

describe('the database rows of due jobs', () => {
  test('fetches the rows of due jobs until none are left, but never more at once than this process has room for', async () => {
    const gate = Promise.withResolvers<void>()
    const { began } = work(() => gate.promise)
    await insert(namesOf(90), { seconds: -1 })
    await transact(database.db, async (trx) => {
      jobs.fetchMore(trx, 'birds.ring')
      expect(jobs.wants('birds.ring')).toBe(20)
    })
    await pollUntil(async () => jobs.wants('birds.ring') < 20)
    await pollUntil(async () => (await rows()).filter(({ isDue }) => isDue === false).length === 20)
    expect(await jobs.unfinished()).toBe(90)
    gate.resolve()
    await allDone()
    expect(new Set(began).size).toBe(90)
    expect(began).toHaveLength(90)
  })

  test('leases the requested number of job rows even if PostgreSQL estimates that the table has only one row', async () => {
    await insert(['tui'])
    // For a table with one row, the planner puts a subquery inside a nested loop, where it runs once per row.
    await sql`analyze birds`.execute(database.db)
    await insert(namesOf(90), { seconds: -1 })
    const keys = await transact(database.db, (trx) => leaseDueRows(trx, birds, 20))
    expect(keys).toHaveLength(20)
  })

  test('many due jobs in the database do not delay a job that is sent in the meantime', async () => {
    const gate = Promise.withResolvers<void>()
    const { began } = work((name) => (name === 'tui' ? Promise.resolve() : gate.promise))
    await insert(namesOf(90), { seconds: -1 })
    jobs.fetchMore(database.db, 'birds.ring')
    await pollUntil(async () => began.length === atOnce)
    await send('tui')
    await pollUntil(async () => began.at(-1) === 'tui')
    expect(began).toHaveLength(atOnce + 1)
    gate.resolve()
    await allDone()
  })

  test("runs more due jobs from the database in parallel if the job's definition allows it", async () => {
    let [running, most] = [0, 0]
    work(
      async () => {
        most = Math.max(most, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= 1
      },
      birds,
      5,
    )
    await insert(namesOf(40), { seconds: -1 })
    jobs.fetchMore(database.db, 'birds.ring')
    await allDone()
    expect(most).toBeGreaterThan(atOnce)
    expect(most).toBeLessThanOrEqual(5 * atOnce)
  })

  test("a queue's backlog counts the rows of due jobs that nobody has leased, and of failed jobs", async () => {
    await insert(namesOf(3), { seconds: -30 })
    await insert(namesOf(2, 'tui'), { seconds: 30 })
    await sql`update birds set held_until = now() + interval '1 minute' where name = 'kea 0'`.execute(database.db)
    await sql`update birds set tries = 2 where name in ('kea 1', 'tui 1')`.execute(database.db)
    const [backlog, ...others] = await jobs.backlog(Temporal.Now.instant())
    expect(others).toEqual([])
    expect(backlog).toEqual({ queue: 'birds.ring', waiting: 2, oldest: expect.any(Number), failing: 2 })
    expect(backlog?.oldest).toBeGreaterThan(29)
    expect(await jobs.unfinished()).toBe(2)
  })
})

describe('jobs without a database row', () => {
  test('a job without a database row runs in memory, outside its request, and is dropped if fifty jobs are already waiting', async () => {
    const gate = Promise.withResolvers<void>()
    const done: number[] = []
    const definition: JobDefinition = {
      name: 'errors.forward',
      run: async ({ error }: { error: number }) => {
        await gate.promise
        done.push(error)
      },
    }
    expect(jobs.sendInMemory('errors.forward', { error: 0 })).toBe(false)
    jobs.work([definition])
    const sent = Array.from({ length: 60 }, (_, error) => jobs.sendInMemory('errors.forward', { error }))
    expect(sent.filter(Boolean)).toHaveLength(atOnce + 50)
    expect(await jobs.unfinished()).toBe(atOnce + 50)
    gate.resolve()
    await allDone()
    expect(done).toHaveLength(atOnce + 50)
    expect(jobs.isLively()).toBe(true)
  })
})
