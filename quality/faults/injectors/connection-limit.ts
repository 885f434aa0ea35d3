import type pg from 'pg'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { FaultDatabase, FaultWorld, Injector } from '../injector.ts'
import { waitForRecovery } from '../measure-recovery.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { requireDatabase, withSession } from '../database-session.ts'
import { ignoreOutages } from './ignore-outages.ts'
import { runUntilStopped } from './run-until-stopped.ts'

const name = 'connection-limit'
const terminateOthersSql = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`

export const connectionLimit: Injector = {
  name,
  needs: ['postgres'],
  settlesWithin: 120,
  lasts: 25,
  start(world, random) {
    const database = requireDatabase(world)
    return runUntilStopped(
      world,
      async (stopping) => {
        const seconds = random.between(3, 15)
        // Use up all connections only if the run has its own server. On a shared server, other programs need connections too.
        const shouldExhaustConnections = database.cluster !== null && random.chance(0.4)
        // The number of connections allowed, including the injector's own.
        const limit = random.between(2, 6)
        await ignoreOutages(world, name, async () => {
          if (shouldExhaustConnections) return useUp(world, () => interruptiblePause(seconds, stopping))
          await withSession(database, async (session) => {
            await setConnectionLimit(session, limit)
            await session.query(terminateOthersSql)
            world.log(`${name}: ${limit} for ${seconds} s`)
            await interruptiblePause(seconds, stopping)
            await setConnectionLimit(session, -1)
          })
        })
        await lift(database)
        await waitForRecovery(world, { fault: name, end: 'its end' }, stopping)
        await interruptiblePause(random.between(1, 6), stopping)
      },
      () => lift(database),
    )
  },
}

async function setConnectionLimit(session: pg.Client, limit: number): Promise<void> {
  const { rows } = await session.query('select current_database() as name')
  await session.query(`alter database "${rows[0].name}" connection limit ${limit}`)
}

async function lift(database: FaultDatabase): Promise<void> {
  const tryRemoveLimit = () =>
    withSession(database, (session) => setConnectionLimit(session, -1)).then(
      () => true,
      () => false,
    )
  await pollUntil(tryRemoveLimit, { withinMs: 120_000 })
}

async function useUp(world: FaultWorld, meanwhile: () => Promise<void>): Promise<void> {
  const database = requireDatabase(world)
  const held: Promise<void>[] = []
  const over = Promise.withResolvers<void>()
  const hold = async (): Promise<boolean> => {
    const pendingConnection = Promise.withResolvers<boolean>()
    held.push(
      withSession(database, async (session) => {
        pendingConnection.resolve(true)
        await session.query(
          terminateOthersSql.replace('pg_backend_pid()', `pg_backend_pid() and usename <> current_user`),
        )
        await over.promise
      }).catch(() => pendingConnection.resolve(false)),
    )
    return pendingConnection.promise
  }
  try {
    while (await hold());
    world.log(`${name}: ${held.length - 1} connections are used up`)
    await meanwhile()
  } finally {
    over.resolve()
    await Promise.all(held)
  }
}
