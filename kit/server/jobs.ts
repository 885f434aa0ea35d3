import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import { type ConstructorOptions, type Db as JobDb, PgBoss } from 'pg-boss'
import library from 'pg-boss/package.json' with { type: 'json' }
import { ConfigFault } from './config.ts'
import { afterCommit, type Database, type Db, type Trx } from './db.ts'
import type { FailedJob, JobDefinition } from './job-definitions.ts'
import { createOwnWork } from './own-work.ts'
import { doAlone, jobExpiresMs, startWorker, wakeOne, type Worker } from './queue-workers.ts'
import { idleLookMs } from './sweeps.ts'
import { longestWaitSeconds, watchQueues } from './watch-queues.ts'
import { writeInPassing } from './write-in-passing.ts'

export type Jobs = {
  /** Enqueues in the caller's transaction: the job exists if and only if the change does. */
  send(trx: Trx | Db, name: string, data: object): Promise<void>
  /** Starts working the queues. `onFailure` is told of each try that fails, before the next one. */
  work(definitions: JobDefinition[], onFailure?: (job: FailedJob, error: unknown) => void): Promise<void>
  /** How many jobs of a queue this process would take over now, of those that are found again by their rows; null: as many as there are. */
  wants(name: string): number | null
  /** Does one that was fetched by its row, once that is committed, in this process: it `wants` some. */
  takeOver(trx: Trx | Db, name: string, data: object): void
  /** There may be more that are found by their rows once this is committed: they are fetched at once where this process has room. */
  fetchMore(trx: Trx | Db, name: string): void
  /** Jobs that are waiting or running; one that has been running for so long that its process must be dead is neither. */
  unfinished(): Promise<number>
  /** Whether something was sent, found or done here in the last seconds. */
  isLively(): boolean
  /** Gives the jobs of a queue that are not done other data; null leaves one as it is. Answers how many it was. */
  rewrite(name: string, anew: (data: Record<string, unknown>) => object | null): Promise<number>
  stop(): Promise<void>
}

// Each is woken, and asks: on the one connection of the embedded database more of them only stand in the way.
const mostEmbedded = 2
const longestJobMs = 20_000
/**
 * How often it is looked whether another process has sent something, or something is due again; a lone process knows the first. While
 * nothing goes on that may be later: an idle process asks the database as little as it can.
 */
const lookMs = { embedded: { quick: 500, slow: idleLookMs }, server: { quick: 100, slow: idleLookMs } }
/** After something was sent, found or done, more is to be expected for so long. */
const livelyMs = 10_000

const settings = (database: Database): ConstructorOptions => ({
  db: database.jobDb,
  backend: database.embedded ? 'pglite' : 'postgres',
  schedule: false,
  monitorVacuum: false,
  reindex: false,
  // It frees jobs that waited for others, of which there are none here.
  flowIntervalSeconds: 86_400,
})

/** Makes or migrates the queue's tables, and ends: for their owner, where the product runs as another role. */
export async function migrateJobs(database: Database, onError: (error: Error) => void): Promise<void> {
  const boss = new PgBoss({ ...settings(database), supervise: false, bamIntervalSeconds: 10 })
  boss.on('error', onError)
  await boss.start()
  try {
    // The library leaves indexes of big tables for later, and one process builds them beside its work.
    while ((await boss.getBamStatus()).some(({ status }) => status === 'pending' || status === 'in_progress'))
      await pause(200)
  } finally {
    await boss.stop({ graceful: false })
  }
}

/**
 * Starts the queue on the product's own database, making its tables when they are missing. Nothing here needs a session of the
 * database: no LISTEN and no lock that outlives a transaction, so that a pooler may hand its connections round.
 * @throws ConfigFault when they are older than this version, and another role's
 */
export async function startJobs(
  database: Database,
  names: string[],
  { works = true, atOnce = 4, onError }: { works?: boolean; atOnce?: number; onError(error: Error): void },
): Promise<Jobs> {
  // Who leaves the work to others leaves them its upkeep, too.
  const boss = new PgBoss({ ...settings(database), supervise: works, ...(await migrationOf(database.db)) })
  // What it passes on of a worker looks like an error, and is none.
  boss.on('error', (error) => onError(error instanceof Error ? error : Object.assign(new Error(), error)))
  await boss.start()
  for (const name of names) await makeQueue(boss, name, database)
  const kind = database.embedded ? 'embedded' : 'server'
  const workers = new Map<string, Worker[]>()
  const ownWork = createOwnWork()
  const wakeAll = (name: string): void => workers.get(name)?.forEach(({ id }) => boss.notifyWorker(id))
  const { isLively, goesOn } = liveliness()
  let watch: { stop(): void } | null = null
  return {
    send: sender(boss, { workers, ownWork, goesOn }),
    async work(definitions, onFailure = () => {}) {
      for (const definition of definitions) {
        const { name } = definition
        const most = database.embedded ? mostEmbedded : atOnce
        for (let count = 0; count < most; count++)
          workers.set(name, [...(workers.get(name) ?? []), await startWorker(boss, definition, { goesOn, onFailure })])
        const { fetch, together } = definition
        const run = doAlone(definition, onFailure)
        const lines = { sent: most, fetched: most * (together?.atOnce ?? 1) }
        if (fetch) ownWork.start(name, lines, { run, fetch })
      }
      const wake = (name: string): void => {
        goesOn()
        wakeAll(name)
      }
      watch?.stop()
      const everyMs = (): number => lookMs[kind][isLively() ? 'quick' : 'slow']
      watch = watchQueues(database.db, [...workers.keys()], { everyMs, wake, onError })
    },
    isLively,
    wants: (name) => ownWork.wants(name),
    takeOver: (trx, name, data) => afterCommit(trx, () => ownWork.add(name, data, 'fetched')),
    fetchMore: (trx, name) =>
      afterCommit(trx, () => {
        goesOn()
        ownWork.fetchMore(name)
      }),
    unfinished: async () => ownWork.unfinished() + (await countUnfinished(database.db, names)),
    rewrite: (name, anew) => rewrite(boss, name, anew),
    async stop() {
      watch?.stop()
      await Promise.all([boss.stop({ graceful: true, timeout: longestStopMs }), Promise.race([ownWork.stop(), late()])])
    },
  }
}

async function makeQueue(boss: PgBoss, name: string, { embedded }: Database): Promise<void> {
  await boss.createQueue(name, {
    retryLimit: 20,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: longestWaitSeconds,
    expireInSeconds: jobExpiresMs / 1_000,
    deleteAfterSeconds: 86_400,
  })
  // The library reads up on a queue when it is first used. Inside a transaction that would wait for the embedded
  // database's one connection, for ever: so it is used here.
  await boss.findJobs(name, { key: 'none' })
  if (embedded) await putBack(boss, name)
}

const longestStopMs = 5_000
const late = (): Promise<void> => pause(longestStopMs, undefined, { ref: false })

/** Nobody needs to know what a job that was sent is called. */
const inPassingOf = (trx: Trx | Db): JobDb => ({
  async executeSql(text, values = []) {
    await writeInPassing(trx, CompiledQuery.raw(text, values))
    return { rows: [] }
  },
})

type Sending = { workers: Map<string, Worker[]>; ownWork: ReturnType<typeof createOwnWork>; goesOn(): void }

const sender =
  (boss: PgBoss, { workers, ownWork, goesOn }: Sending): Jobs['send'] =>
  async (trx, name, data) => {
    if (ownWork.hasRoom(name))
      return afterCommit(trx, () => {
        goesOn()
        ownWork.add(name, data, 'sent')
      })
    await boss.insert(name, [{ data }], { db: inPassingOf(trx) })
    afterCommit(trx, () => {
      goesOn()
      wakeOne(boss, workers.get(name))
    })
  }

function liveliness() {
  let until = 0
  return {
    isLively: (): boolean => performance.now() < until,
    goesOn: (): void => void (until = performance.now() + livelyMs),
  }
}

/** Who owns the queue's tables migrates them at a start; another role takes them as they are. */
async function migrationOf(db: Db): Promise<Pick<ConstructorOptions, 'migrate' | 'bamIntervalSeconds'>> {
  const { rows } = await sql<{ owns: boolean }>`
    select pg_has_role(relowner, 'member') as owns from pg_class
    where relname = 'version' and relnamespace = (select oid from pg_namespace where nspname = 'pgboss')`.execute(db)
  if (rows[0]?.owns) return { migrate: true }
  if (!rows[0]) {
    const { rows: may } = await sql`select 1 where has_database_privilege(current_database(), 'create')`.execute(db)
    if (may[0]) return { migrate: true }
    throw new ConfigFault(['The job queue has no tables yet: run `npm run migrate` as their owner.'])
  }
  const found = await sql<{ version: number }>`select version from pgboss.version`.execute(db)
  const version = found.rows[0]?.version ?? 0
  if (version < library.pgboss.schema)
    throw new ConfigFault(['The job queue’s tables are older than this version: run `npm run migrate` as their owner.'])
  // Newer ones it refuses without `migrate`, under which it has nothing to do there; the owner builds their indexes.
  return version > library.pgboss.schema ? { migrate: true, bamIntervalSeconds: 86_400 } : { migrate: false }
}

/** A lone process that starts knows that no worker is at a job any more: what a dead one held is done again now, not when it expires. */
async function putBack(boss: PgBoss, name: string): Promise<void> {
  const held = (await boss.findJobs(name)).filter((job) => job.state === 'active')
  if (held.length > 0)
    await boss.fail(
      name,
      held.map((job) => job.id),
      { message: 'its process is gone' },
    )
}

/** What waits, and what a worker is at; the thousands that are done are not read. */
async function countUnfinished(db: Db, names: string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pgboss.job
    where name = any(${names}::text[]) and state < 'completed'
      and (state < 'active' or started_on > now() - ${longestJobMs / 1_000} * interval '1 second')`.execute(db)
  return rows[0]?.count ?? 0
}

async function rewrite(
  boss: PgBoss,
  name: string,
  anew: (data: Record<string, unknown>) => object | null,
): Promise<number> {
  const jobs = await boss.findJobs<Record<string, unknown>>(name)
  const changes = jobs.flatMap(({ id, state, data }) => {
    const fresh = ['created', 'retry', 'active'].includes(state) ? anew(data) : null
    return fresh ? [[JSON.stringify(fresh), name, id]] : []
  })
  // The library changes no job's data.
  for (const change of changes)
    await boss.getDb().executeSql('update pgboss.job set data = $1 where name = $2 and id = $3', change)
  return changes.length
}
