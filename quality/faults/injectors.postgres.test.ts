import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { pollUntil } from '#quality/support/poll-until.ts'
import { startCluster, startPrimaryAndStandby } from './clusters.ts'
import type { FaultDatabase, FaultWorld, Injector } from './injector.ts'
import { connectionLimit } from './injectors/connection-limit.ts'
import { diskFull } from './injectors/disk-full.ts'
import { failover } from './injectors/failover.ts'
import { lockHolder } from './injectors/lock-holder.ts'
import { relayOutage } from './injectors/relay-outage.ts'
import { databaseRestart } from './injectors/restart.ts'
import { sessionTermination } from './injectors/terminate.ts'
import { databaseUnreachable } from './injectors/database-unreachable.ts'
import { explainMissingServer } from './postgres/binaries.ts'
import type { Random } from './random.ts'

const missing = explainMissingServer()
if (missing) console.log(`The tests of the injectors are left out: ${missing}`)

type Wishes = { pick?: string; chance?: boolean; between?: Random['between'] }

const least = ({ pick: wanted, chance = false, between = (from) => from }: Wishes = {}): Random => ({
  next: () => 0,
  between,
  pick: (from) => from.find((each) => each === wanted) ?? (from[0] as never),
  chance: () => chance,
  branch: () => least(),
})

/** Makes faults last as long as possible, so that a test still sees their effect on a busy machine. */
const lasting = (wishes: Wishes = {}) => least({ between: (from, to) => (to - from >= 10 ? to : from), ...wishes })

const begun: string[] = []
let over: AbortController
const worldOf = (database: FaultDatabase) =>
  ({
    database,
    processes: [],
    signal: over.signal,
    log: (event) => void begun.push(event),
    tellRecovery: () => {},
  }) as Partial<FaultWorld> as FaultWorld
beforeEach(() => {
  begun.splice(0)
  over = new AbortController()
})
// Stop waiting for recovery, because there are no customers placing orders in these tests.
afterEach(() => over.abort())

async function inject(injector: Injector, database: FaultDatabase, says: RegExp, random = least()) {
  const running = await injector.start(worldOf(database), random)
  onTestFinished(() => running.stop())
  await pollUntil(async () => begun.some((event) => says.test(event)))
  return running
}

async function ask(url: string, statement = 'select 1 as one'): Promise<unknown[]> {
  const [, start = '', hosts = '', rest = ''] = /^(.*@)([^/]*)(\/\w+)/.exec(url) ?? []
  let refusal: unknown
  for (const host of hosts.split(',')) {
    const client = new pg.Client({ connectionString: start + host + rest, connectionTimeoutMillis: 1_500 })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('select pg_is_in_recovery() as is_standby')
      if (!rows[0].is_standby) return (await client.query(statement)).rows
    } catch (error) {
      refusal = error
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw refusal ?? new Error('there is no primary')
}
const isThere = (url: string) =>
  ask(url).then(
    () => true,
    () => false,
  )

describe.skipIf(missing !== null)('fault injectors for a single PostgreSQL server', () => {
  let database: FaultDatabase
  beforeAll(async () => {
    database = await startCluster()
    await ask(database.url, 'create table orders (id int, state text, created_at timestamptz)')
    await ask(database.url, `insert into orders values (1, 'completed', now())`)
  })
  afterAll(() => database?.close())

  test('the terminate fault injector ends a client’s connection to the database', async () => {
    const client = new pg.Client({ connectionString: database.url })
    const ended = new Promise((resolve) => client.on('error', resolve))
    await client.connect()
    await inject(sessionTermination, database, /terminate: 1 connection/)
    expect(String(await ended)).toMatch(/terminat/)
  })

  test('the restart fault injector stops the database server, then starts it again', async () => {
    const running = await inject(databaseRestart, database, /the server is down/)
    await running.stop()
    expect(await ask(database.url)).toEqual([{ one: 1 }])
  })

  test('the connection-limit fault injector makes the database reject new connections, then lifts the limit', async () => {
    const running = await inject(connectionLimit, database, /connection-limit: 2 for/, lasting())
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()
    await expect(ask(database.url)).rejects.toThrow(/too many connections/)
    await running.stop()
    await client.end()
    expect(await database.run('select datconnlimit from pg_database where datname = current_database()')).toEqual([
      { datconnlimit: -1 },
    ])
  })

  test('the connection-limit fault injector uses up all database connections, then releases them', async () => {
    const running = await inject(connectionLimit, database, /connections are used up/, lasting({ chance: true }))
    await expect(ask(database.url)).rejects.toThrow(/too many (clients|connections)|remaining connection slots/)
    await running.stop()
    expect(await ask(database.url)).toEqual([{ one: 1 }])
  })

  test.each(['the newest order', 'the table of orders'])(
    'the lock fault injector holds a lock on %s, then releases it',
    async (pick) => {
      const running = await inject(lockHolder, database, /locks: /, lasting({ pick }))
      const change = `set lock_timeout = '200ms'; update orders set state = 'undone'`
      await expect(ask(database.url, change)).rejects.toThrow(/lock timeout/)
      await running.stop()
      await ask(database.url, change)
    },
  )

  test('the vanish fault injector makes the database server unreachable, then reachable again', async () => {
    const running = await inject(databaseUnreachable, database, /not heard of/, lasting())
    await expect(ask(database.url)).rejects.toThrow(/timeout/)
    await running.stop()
    expect(await ask(database.url)).toEqual([{ one: 1 }])
  })

  test('the relay-outage fault injector delays emails that are awaiting a retry, but not text messages', async () => {
    await ask(
      database.url,
      `create table outages (service text primary key, failing_since timestamptz, last_failure_at timestamptz, failures int, why text);
      create table messages (id text, channel text, tries int, retry_at timestamptz, sent_at timestamptz, dropped_at timestamptz,
        due_at timestamptz);
      insert into messages values ('mail', 'email', 1, now()), ('text', 'sms', 1, now()), ('new mail', 'email', 0, now())`,
    )
    const running = await relayOutage.start(
      {
        ...worldOf(database),
        provider: { mail: { disturb: null } },
        passTime: async () => {},
      } as unknown as FaultWorld,
      least(),
    )
    await running.stop()
    expect(begun).toContain('relay-outage: 1 emails wait 50 minutes for their next attempt')
    expect(await database.run('select id from messages where retry_at > now()')).toEqual([{ id: 'mail' }])
  })

  test('the disk-full fault injector makes writes fail, then succeed again, provided the machine can mount a small disk', async () => {
    const running = await inject(diskFull, database, /disk-full: /, lasting())
    const much = `create table much as select repeat('x', 1000) from generate_series(1, 20000)`
    if (begun.some((event) => event.includes('skipped'))) return
    await expect(
      pollUntil(() =>
        ask(database.url, much)
          .then(() => ask(database.url, 'drop table much'))
          .then(() => null),
      ),
    ).rejects.toThrow(/No space left/)
    await running.stop()
    await ask(database.url, `${much}; drop table much`)
  })
})

describe.skipIf(missing !== null)('fault injectors for a pair of PostgreSQL servers', () => {
  let database: FaultDatabase
  beforeAll(async () => {
    database = await startPrimaryAndStandby()
    await ask(database.url, 'create table orders (id int, state text)')
  })
  afterAll(() => database?.close())

  test.each([failover, databaseUnreachable, failover])(
    'the $name fault injector promotes the standby without losing an acknowledged row, then creates a new standby',
    async (injector) => {
      const mark = Math.floor(performance.now())
      await ask(database.url, `insert into orders values (${mark}, 'completed')`)
      const before = database.direct()
      const running = await inject(injector, database, /the standby is promoted/)
      expect(database.direct()).not.toBe(before)
      await running.stop()
      expect(await ask(database.url, `select id from orders where id = ${mark}`)).toEqual([{ id: mark }])
      expect(await database.run('select sync_state from pg_stat_replication')).toEqual([{ sync_state: 'sync' }])
    },
  )

  test('with a pair of database servers, the database is reachable again after two simultaneous faults', async () => {
    const running = await Promise.all([failover, databaseUnreachable].map((each) => inject(each, database, /promoted/)))
    await pause(300)
    await Promise.all(running.map((each) => each.stop()))
    expect(await isThere(database.url)).toBe(true)
  })
})
