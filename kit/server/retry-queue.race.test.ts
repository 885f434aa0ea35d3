import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useRouteServer } from '#quality/support/route-server.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { transact, type Db, type Trx } from './db.ts'
import type { Jobs } from './jobs.ts'
import {
  computeBackOffSeconds,
  lease,
  leaseDueRows,
  scheduleRetry,
  retryNow,
  type RetryQueue,
  pollDueRows,
} from './retry-queue.ts'
import { runUnderLease } from './run-under-lease.ts'

const birds: RetryQueue = { queue: 'ringing', table: 'birds', key: 'name', leaseSeconds: 60, leasedUntil: 'held_until' }
const rig = useRouteServer(() => [], {
  before: async ({ db }) => {
    await sql`
      create table birds (name text primary key, retry_at timestamptz, tries integer not null default 0,
        held_until timestamptz, version integer not null default 0, is_asleep boolean not null default false)`.execute(
      db,
    )
  },
})

type Bird = { name: string; seconds: number; tries: number; version: number }
/** Returns all rows in the test's table. `seconds` is the time until a row's next attempt. */
const flock = async (db: Db): Promise<Bird[]> =>
  (
    await sql<Bird>`
      select name, tries, version, extract(epoch from retry_at - now())::float8 as seconds
      from birds order by name`.execute(db)
  ).rows
/** Matches a wait of about this many seconds, of which up to nine may already have passed. */
const nearly = (seconds: number) => expect.toSatisfy((left: number) => left > seconds - 9 && left <= seconds + 0.1)
const due = async (names: string[], seconds = -1): Promise<void> => {
  await sql`delete from birds`.execute(rig().db)
  await sql`
    insert into birds (name, retry_at)
    select name, now() + make_interval(secs => ${seconds}) from unnest(${names}::text[]) as name`.execute(rig().db)
}
const take = (limit?: number): Promise<string[]> => transact(rig().db, (trx: Trx) => leaseDueRows(trx, birds, limit))

describe('leasing the due rows of a retry queue', () => {
  test('leases each due queue row to exactly one of several concurrent workers', async () => {
    const names = Array.from({ length: 100 }, (_, number) => `kea ${number}`)
    await due(names)
    const taken = await Promise.all(Array.from({ length: 12 }, () => take(20)))
    const rest = [...taken.flat(), ...(await take(100))]
    expect(rest.toSorted()).toEqual(names.toSorted())
    expect((await flock(rig().db)).every(({ seconds }) => seconds > 50 && seconds <= 60.1)).toBe(true)
    expect(await take()).toEqual([])
  })

  test('leases the most overdue queue row first, and skips rows that are done, not yet due or on hold', async () => {
    await due(['kaka', 'kiwi', 'ruru', 'tui', 'weka'])
    const { db } = rig()
    await sql`update birds set retry_at = now() - interval '1 hour' where name = 'weka'`.execute(db)
    await sql`update birds set retry_at = null where name = 'kaka'`.execute(db)
    await sql`update birds set retry_at = now() + interval '5 minutes' where name = 'kiwi'`.execute(db)
    await sql`update birds set held_until = now() + interval '5 minutes' where name = 'ruru'`.execute(db)
    expect(await take(1)).toEqual(['weka'])
    expect(await take()).toEqual(['tui'])
    await sql`update birds set held_until = now() - interval '1 second'`.execute(db)
    expect(await take()).toEqual(['ruru'])
  })

  test('leases queue rows that nobody is waiting for only after all other rows', async () => {
    await due(['kea', 'ruru', 'tui', 'weka'])
    await sql`update birds set is_asleep = true, retry_at = now() - interval '1 hour' where name in ('kea', 'weka')`.execute(
      rig().db,
    )
    const awakeFirst = (): Promise<string[]> =>
      transact(rig().db, (trx) => leaseDueRows(trx, { ...birds, comesLast: 'is_asleep' }, 2))
    expect((await awakeFirst()).toSorted()).toEqual(['ruru', 'tui'])
    expect((await awakeFirst()).toSorted()).toEqual(['kea', 'weka'])
  })

  test.each([
    ['as many rows as this process takes over', 12, 12, ['ringing']],
    ['all rows there are, and asks for no more', 61, 60, []],
    ['no rows while this process is busy', 0, 0, ['ringing']],
  ])('upkeep leases %s', async (_which, wanted, found, more) => {
    await due(Array.from({ length: 60 }, (_, number) => `tui ${number}`))
    const taken: unknown[] = []
    const asked: string[] = []
    const jobs = {
      wants: () => wanted,
      takeOver: (...job: unknown[]) => void taken.push(job[2]),
      fetchMore: (_db: unknown, name: string) => void asked.push(name),
    } as unknown as Jobs
    await pollDueRows({ db: rig().db, jobs }, birds).run()
    expect(taken).toHaveLength(found)
    expect(asked).toEqual(more)
    expect(await take(100)).toHaveLength(60 - found)
  })

  test('leases a single queue row by its key only once', async () => {
    await due(['kiwi', 'weka'])
    const leases = await Promise.all(Array.from({ length: 8 }, () => lease(rig().db, birds, 'kiwi')))
    expect(leases.filter(Boolean)).toHaveLength(1)
    expect(await take()).toEqual(['weka'])
    expect(await lease(rig().db, birds, 'moa')).toBe(false)
  })
})

describe('working on a leased row of a retry queue', () => {
  async function atWork(seconds: number, { before = async () => {}, work = async () => {} } = {}): Promise<boolean> {
    await due(['kea'], seconds)
    const { rows } = await sql<{ retry_at: Date }>`
      update birds set retry_at = date_trunc('milliseconds', retry_at) returning retry_at`.execute(rig().db)
    await before()
    let isBegun = false
    const lease = { key: 'kea', until: rows[0]!.retry_at.getTime() }
    await runUnderLease(rig().db, birds, lease, async () => {
      isBegun = true
      await work()
    })
    return isBegun
  }
  const left = async () => (await flock(rig().db))[0]?.seconds

  test('works on a leased queue row without renewing the lease if enough time is left on the lease', async () => {
    expect(await atWork(30)).toBe(true)
    expect(await left()).toEqual(nearly(30))
  })

  test('renews a lease that is about to expire while its work is running, so that no other worker can lease the queue row', async () => {
    // The lease is about to expire. The row shows that the lease was renewed, and no other worker can lease the row in the meantime.
    const work = async () => {
      await pollUntil(async () => ((await left()) ?? 0) > 40)
      expect(await take()).toEqual([])
    }
    expect(await atWork(5.2, { work })).toBe(true)
    expect(await left()).toEqual(nearly(60))
  })

  test('does not start work if another worker has leased the queue row or the row is done', async () => {
    const taken = { before: async () => expect(await take()).toEqual(['kea']) }
    expect(await atWork(-1, taken)).toBe(false)
    const over = { before: async () => void (await sql`update birds set retry_at = null`.execute(rig().db)) }
    expect(await atWork(-1, over)).toBe(false)
  })

  test('only one of two workers starts work on a queue row whose lease has expired', async () => {
    expect(await atWork(-1)).toBe(true)
    expect(await left()).toEqual(nearly(60))
    const ended = Date.now() - 1_000
    await sql`update birds set retry_at = ${new Date(ended)}`.execute(rig().db)
    const done: number[] = []
    await Promise.all(
      [1, 2].map((one) =>
        runUnderLease(rig().db, birds, { key: 'kea', until: ended }, async () => {
          done.push(one)
          await pause(20)
        }),
      ),
    )
    expect(done).toHaveLength(1)
  })

  test('passes on any error the work throws, and leaves the lease as it is', async () => {
    const work = () => Promise.reject(new Error('a branch broke'))
    await expect(atWork(30, { work })).rejects.toThrow('a branch broke')
    expect(await left()).toEqual(nearly(30))
  })
})

describe('when a row in a retry queue is next tried', () => {
  test("postpones a queue row's next attempt and counts the current one, unless the row has changed or is done", async () => {
    await due(['kiwi'], 1)
    await scheduleRetry(rig().db, birds, { name: 'kiwi', version: 0 }, { seconds: 30 })
    expect(await flock(rig().db)).toEqual([{ name: 'kiwi', seconds: nearly(30), tries: 1, version: 0 }])
    await scheduleRetry(
      rig().db,
      birds,
      { name: 'kiwi', version: 0 },
      { seconds: 40, change: { tries: 0, version: 1 } },
    )
    await scheduleRetry(rig().db, birds, { name: 'kiwi', version: 0 }, { seconds: 50 })
    expect(await flock(rig().db)).toEqual([{ name: 'kiwi', seconds: nearly(40), tries: 0, version: 1 }])
    await sql`update birds set retry_at = null`.execute(rig().db)
    await scheduleRetry(rig().db, birds, { name: 'kiwi' }, { seconds: 50 })
    expect(await flock(rig().db)).toEqual([{ name: 'kiwi', seconds: null, tries: 0, version: 1 }])
  })

  test('retryNow makes one or all of the waiting queue rows due immediately, and leaves completed rows alone', async () => {
    await due(['kaka', 'kiwi', 'weka'], 600)
    await sql`update birds set retry_at = null where name = 'kaka'`.execute(rig().db)
    await retryNow(rig().db, birds, { name: 'weka' })
    expect(await take()).toEqual(['weka'])
    await retryNow(rig().db, birds)
    expect((await take()).toSorted()).toEqual(['kiwi', 'weka'])
  })

  test('doubles the wait after each attempt, up to a maximum', () => {
    expect([0, 1, 2, 5, 6, 100].map((tries) => computeBackOffSeconds(tries, 60))).toEqual([1, 2, 4, 32, 60, 60])
  })
})
