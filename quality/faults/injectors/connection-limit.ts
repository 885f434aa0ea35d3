import type pg from 'pg'
import { until } from '#quality/support/until.ts'
import type { FaultDatabase, FaultWorld, Injector } from '../injector.ts'
import { seeRecovery } from '../recovery.ts'
import { rest } from '../rest.ts'
import { databaseOf, inSession } from '../session.ts'
import { unlessAway } from './unless-away.ts'
import { untilStopped } from './until-stopped.ts'

const name = 'connection-limit'
const others = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`

export const connectionLimit: Injector = {
  name,
  needs: ['postgres'],
  settlesWithin: 120,
  lasts: 25,
  start(world, random) {
    const database = databaseOf(world)
    return untilStopped(
      world,
      async (stopping) => {
        const seconds = random.between(3, 15)
        // On a shared server, others need their connections.
        const isUsedUp = database.cluster !== null && random.chance(0.4)
        // The limit includes our own session.
        const limit = random.between(2, 6)
        await unlessAway(world, name, async () => {
          if (isUsedUp) return useUp(world, () => rest(seconds, stopping))
          await inSession(database, async (session) => {
            await setLimit(session, limit)
            await session.query(others)
            world.log(`${name}: ${limit} for ${seconds} s`)
            await rest(seconds, stopping)
            await setLimit(session, -1)
          })
        })
        await lift(database)
        await seeRecovery(world, { fault: name, end: 'its end' }, stopping)
        await rest(random.between(1, 6), stopping)
      },
      () => lift(database),
    )
  },
}

async function setLimit(session: pg.Client, limit: number): Promise<void> {
  const { rows } = await session.query('select current_database() as name')
  await session.query(`alter database "${rows[0].name}" connection limit ${limit}`)
}

async function lift(database: FaultDatabase): Promise<void> {
  const isLifted = () =>
    inSession(database, (session) => setLimit(session, -1)).then(
      () => true,
      () => false,
    )
  await until(isLifted, { withinMs: 120_000 })
}

async function useUp(world: FaultWorld, meanwhile: () => Promise<void>): Promise<void> {
  const database = databaseOf(world)
  const held: Promise<void>[] = []
  const over = Promise.withResolvers<void>()
  const hold = async (): Promise<boolean> => {
    const isHeld = Promise.withResolvers<boolean>()
    held.push(
      inSession(database, async (session) => {
        isHeld.resolve(true)
        await session.query(others.replace('pg_backend_pid()', `pg_backend_pid() and usename <> current_user`))
        await over.promise
      }).catch(() => isHeld.resolve(false)),
    )
    return isHeld.promise
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
