import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPooler } from '#quality/support/pgbouncer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { FaultCluster, FaultDatabase, DatabaseProxy, FailoverControls } from './injector.ts'
import { type PostgresServer, createPostgresServer } from './postgres/server.ts'
import { mountSmallDisk, type SmallDisk } from './postgres/small-disk.ts'
import { startDatabaseProxy } from './database-proxy.ts'

const databaseName = 'fantail'

/** Starts a PostgreSQL server with an empty database and a proxy in front of it. With `pooled`, PgBouncer sits in front of the proxy. */
export async function startCluster({ pooled = false } = {}): Promise<FaultDatabase> {
  const { make, folder, password, placeOf } = await createClusterFolder()
  const disk = mountSmallDisk(placeOf('only'))
  const server = await make('only')
  await server.make()
  await makeDatabase(server, password)
  const line = await startDatabaseProxy(urlOf(server, password))
  const pooler = pooled ? await startPooler(line.url) : null
  return {
    url: pooler?.url ?? line.url,
    isPooled: pooled,
    run: (statement, parameters) => server.ask(databaseName, statement, parameters),
    direct: () => server.urlOf(databaseName),
    lines: [line],
    cluster: createCluster(() => server, disk),
    pair: null,
    async close() {
      await pooler?.stop()
      await line.close()
      await server.kill()
      disk?.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a primary and a standby server with an empty database. Each commit reaches the standby before it is acknowledged. Fantail knows
 * about both hosts, and each is behind a proxy. The returned functions handle promotion and synchronous replication, as a cluster manager
 * such as Patroni would.
 */
export async function startPrimaryAndStandby(): Promise<FaultDatabase> {
  const { make, folder, password } = await createClusterFolder()
  const serverPair = [await make('one'), await make('two')] as const
  const pair = { primary: serverPair[0], standby: serverPair[1] }
  await pair.primary.make()
  await makeDatabase(pair.primary, password)
  await startStandby(pair)
  const lines = await Promise.all(serverPair.map((server) => startDatabaseProxy(urlOf(server, password))))
  const hosts = lines.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const { isLost, ...failing } = createFailoverControls(pair, (server) => lines[serverPair.indexOf(server)])
  const cluster = createCluster(() => pair.primary, null)
  return {
    url: `postgres://${databaseName}:${password}@${hosts}/${databaseName}?target_session_attrs=read-write`,
    run: (statement, parameters) => pair.primary.ask(databaseName, statement, parameters),
    direct: () => pair.primary.urlOf(databaseName),
    lines,
    // Don't restart a primary that has been lost, because its standby takes over.
    cluster: { ...cluster, start: async () => (isLost() ? undefined : cluster.start()) },
    pair: failing,
    async close() {
      await Promise.all(lines.map((line) => line.close()))
      await Promise.all(serverPair.map((server) => server.kill()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Pair = { primary: PostgresServer; standby: PostgresServer }

/**
 * Creates the standby from the primary. From then on, the primary waits for the standby at each commit. Once promoted, the standby does not
 * wait for any other server.
 */
async function startStandby({ primary, standby }: Pair): Promise<void> {
  const hasReplication = async (asWhat: string): Promise<boolean> =>
    (await primary.ask(databaseName, `select 1 from pg_stat_replication where ${asWhat}`)).length > 0
  await standby.make(primary)
  // Turn on synchronous replication only now: without a standby, no commit would ever complete.
  await pollUntil(() => hasReplication(`state = 'streaming'`))
  await primary.ask(databaseName, `alter system set synchronous_standby_names = '*'`)
  await primary.ask(databaseName, 'select pg_reload_conf()')
  await pollUntil(() => hasReplication(`sync_state = 'sync'`))
}

function createFailoverControls(
  pair: Pair,
  lineOf: (server: PostgresServer) => DatabaseProxy | undefined,
): FailoverControls & { isLost(): boolean } {
  let isLost = false
  async function killPrimary(): Promise<void> {
    isLost = true
    await pair.primary.kill()
  }
  return {
    isLost: () => isLost,
    killPrimary,
    async vanish() {
      /*
       * Cut off the old primary from its clients and its standby, so that it accepts no more writes. Two primaries would be worse than
       * none.
       */
      lineOf(pair.primary)?.silence()
      await killPrimary()
    },
    async promote() {
      if (!isLost) throw new Error('the primary is still there')
      await pair.standby.promote()
      ;[pair.primary, pair.standby] = [pair.standby, pair.primary]
      isLost = false
    },
    async rebuild() {
      // Try again, because another fault may have stopped the primary for a moment.
      await pollUntil(() => startStandby(pair).then(alwaysTrue, isNot), { withinMs: 120_000 })
      await lineOf(pair.standby)?.mend()
    },
  }
}

const alwaysTrue = (): true => true
const isNot = (): null => null

async function createClusterFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'fantail-cluster-'))
  // The operating system user that runs PostgreSQL must be able to access the folder.
  chmodSync(folder, 0o755)
  const password = randomBytes(16).toString('hex')
  const createServerFolder = (name: string): string => {
    const own = join(folder, name)
    mkdirSync(own, { recursive: true })
    return own
  }
  return {
    folder,
    password,
    placeOf: createServerFolder,
    make: (name: string) => createPostgresServer(createServerFolder(name), password),
  }
}

/** Creates a database and the role that owns it. As docs/running.md requires, the role is not a superuser. */
async function makeDatabase(server: PostgresServer, password: string): Promise<void> {
  await server.ask('postgres', `create role ${databaseName} login password '${password}'`)
  await server.ask('postgres', `create database ${databaseName} owner ${databaseName}`)
}

const urlOf = ({ host, port }: PostgresServer, password: string): string =>
  `postgres://${databaseName}:${password}@${host}:${port}/${databaseName}`

const createCluster = (server: () => PostgresServer, disk: SmallDisk | null): FaultCluster => ({
  stop: (how) => server().stop(how),
  start: () => server().start(),
  ...(disk && {
    async fillDisk() {
      const serverWithFullDisk = server()
      disk.fill()
      return async () => {
        disk.free()
        // Start the server if it has stopped. It stops if it cannot write its log, sometimes only after the disk has been freed.
        await pollUntil(() =>
          serverWithFullDisk
            .start()
            .then(() => serverWithFullDisk.ask('postgres', 'select 1'))
            .catch(isNot),
        )
      }
    },
  }),
})
