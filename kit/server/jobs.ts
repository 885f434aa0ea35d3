import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, sql } from 'kysely'
import { type ConstructorOptions, type Db as JobDb, type JobResult, type JobWithMetadata, PgBoss } from 'pg-boss'
import library from 'pg-boss/package.json' with { type: 'json' }
import { ConfigFault } from './config.ts'
import { afterCommit, type Database, type Db, type Trx } from './db.ts'
import { createOwnWork } from './own-work.ts'
import { sideBySide } from './side-by-side.ts'
import { longestWaitSeconds, watchQueues } from './watch-queues.ts'
import { writeInPassing } from './write-in-passing.ts'

/**
 * A durable step: its queue's name and what to do with one job. Handlers are idempotent: a job may run twice. `isFoundAgain`: what it is
 * about has a row with a `retry_at`, by which it is found should the job be lost; so it need not go through the queue's tables.
 */
export type JobDefinition = { name: string; run(data: never): Promise<void>; together?: Together; isFoundAgain?: true }

/**
 * Of a queue to which thousands come at once: a worker takes `most` jobs in one statement, has `atOnce` of them done beside each other,
 * and says in another how they ended.
 */
export type Together = { most: number; atOnce: number }

/** A try of a job that failed. */
export type FailedJob = {
  queue: string
  id: string
  /** How often it has been tried, this time included. */
  tries: number
  /** It is not tried again. */
  isLast: boolean
  data: object
}

export type Jobs = {
  /** Enqueues in the caller's transaction: the job exists if and only if the change does. */
  send(trx: Trx | Db, name: string, data: object): Promise<void>
  /** Starts working the queues. `onFailure` is told of each try that fails, before the next one. */
  work(definitions: JobDefinition[], onFailure?: (job: FailedJob, error: unknown) => void): Promise<void>
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
/** After this the queue takes a job for failed, and gives it to another worker. */
const jobExpiresMs = 120_000
/**
 * How often it is looked whether another process has sent something, or something is due again; a lone process knows the first. While
 * nothing goes on that may be later: an idle process asks the database as little as it can.
 */
const lookMs = { embedded: { quick: 500, slow: 500 }, server: { quick: 100, slow: 500 } }
/** After something was sent, found or done, more is to be expected for so long. */
const livelyMs = 10_000
// Looking wakes them: this is for the case that it should not.
const polling = { pollingIntervalSeconds: 120, includeMetadata: true } as const

const settings = (database: Database): ConstructorOptions => ({
  db: database.jobDb,
  backend: database.embedded ? 'pglite' : 'postgres',
  schedule: false,
  monitorVacuum: false,
  reindex: false,
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
  for (const name of names) {
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
    if (database.embedded) await putBack(boss, name)
  }
  const kind = database.embedded ? 'embedded' : 'server'
  const workers = new Map<string, Worker[]>()
  const ownWork = createOwnWork()
  const wakeAll = (name: string): void => workers.get(name)?.forEach(({ id }) => boss.notifyWorker(id))
  const { isLively, goesOn } = liveliness()
  let watch: { stop(): void } | null = null
  return {
    async send(trx, name, data) {
      if (ownWork.hasRoom(name))
        return afterCommit(trx, () => {
          goesOn()
          ownWork.add(name, data)
        })
      await boss.send(name, data, { db: inPassingOf(trx) })
      afterCommit(trx, () => {
        goesOn()
        wakeOne(boss, workers.get(name))
      })
    },
    async work(definitions, onFailure = () => {}) {
      for (const definition of definitions) {
        const { name } = definition
        const most = database.embedded ? mostEmbedded : atOnce
        for (let count = 0; count < most; count++)
          workers.set(name, [...(workers.get(name) ?? []), await startWorker(boss, definition, { goesOn, onFailure })])
        if (definition.isFoundAgain) ownWork.start(name, { atOnce: most, run: doAlone(definition, onFailure) })
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
    unfinished: async () => ownWork.unfinished() + (await countUnfinished(database.db, names)),
    rewrite: (name, anew) => rewrite(boss, name, anew),
    async stop() {
      watch?.stop()
      await Promise.all([boss.stop({ graceful: true, timeout: longestStopMs }), Promise.race([ownWork.stop(), late()])])
    },
  }
}

const longestStopMs = 5_000
const late = (): Promise<void> => pause(longestStopMs, undefined, { ref: false })

/** Has a job done that is in no table: should it fail, it is found by its row, and tried again from there. */
const doAlone =
  ({ name, run }: JobDefinition, onFailure: Around['onFailure']) =>
  async (data: object): Promise<void> => {
    const job = { id: randomUUID(), name, retryCount: 0, retryLimit: 1, data }
    await tellOfFailure(job, () => run(data as never), onFailure).catch(() => {})
  }

/** Nobody needs to know what a job that was sent is called. */
const inPassingOf = (trx: Trx | Db): JobDb => ({
  async executeSql(text, values = []) {
    await writeInPassing(trx, CompiledQuery.raw(text, values))
    return { rows: [] }
  },
})

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

/** One that takes the jobs of a queue, one after the other. */
type Worker = { id: string; isBusy: boolean }

type Around = { goesOn(): void; onFailure(job: FailedJob, error: unknown): void }

/**
 * Starts a worker of a queue. It is woken for one job only, and of a heap that arrives at once the rest would lie there until the next
 * look: a worker that has had a job looks for another one at once.
 */
async function startWorker(boss: PgBoss, definition: JobDefinition, { goesOn, onFailure }: Around): Promise<Worker> {
  const { name, run, together = { most: 1, atOnce: 1 } } = definition
  const self: Worker = { id: '', isBusy: false }
  const options = { ...polling, batchSize: together.most, perJobResults: true } as const
  self.id = await boss.work(name, options, async (taken: JobWithMetadata<object>[]) => {
    self.isBusy = true
    goesOn()
    const results: JobResult[] = []
    const left = taken.values()
    try {
      await sideBySide(together.atOnce, async () => {
        const { value: job } = left.next()
        if (job) results.push(await resultOf(job, () => tellOfFailure(job, () => run(job.data as never), onFailure)))
        return job !== undefined
      })
      return results
    } finally {
      self.isBusy = false
      goesOn()
      boss.notifyWorker(self.id)
    }
  })
  return self
}

/** What the queue is told of one job: of those that were taken with it each ends by itself. */
async function resultOf({ id }: { id: string }, run: () => Promise<void>): Promise<JobResult> {
  try {
    await run()
    return { id, status: 'completed' }
  } catch (error) {
    return { id, status: 'failed', output: error }
  }
}

/** One job wants one worker: the one whose turn it is of those that have nothing to do. One that is busy looks again by itself. */
function wakeOne(boss: PgBoss, workers: Worker[] = []): void {
  const worker = workers.find(({ isBusy }) => !isBusy)
  if (!worker) return
  boss.notifyWorker(worker.id)
  workers.push(...workers.splice(workers.indexOf(worker), 1))
}

type Tried = Pick<JobWithMetadata<object>, 'id' | 'name' | 'retryCount' | 'retryLimit' | 'data'>

/** The queue keeps to itself why a job failed, and that one took too long: whoever has it done is told, once for a try. */
async function tellOfFailure(
  { id, name: queue, retryCount, retryLimit, data }: Tried,
  run: () => Promise<void>,
  onFailure: (job: FailedJob, error: unknown) => void,
): Promise<void> {
  let isTold = false
  const tell = (error: unknown): void => {
    if (isTold) return
    isTold = true
    onFailure({ queue, id, tries: retryCount + 1, isLast: retryCount >= retryLimit, data }, error)
  }
  const timer = setTimeout(() => tell(new Error(`it takes longer than ${jobExpiresMs / 1_000} seconds`)), jobExpiresMs)
  try {
    await run()
  } catch (error) {
    tell(error)
    throw error
  } finally {
    clearTimeout(timer)
  }
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
