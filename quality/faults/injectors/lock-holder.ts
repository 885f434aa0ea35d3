import type { Injector } from '../injector.ts'
import { waitForRecovery } from '../measure-recovery.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { requireDatabase, withSession } from '../database-session.ts'
import { ignoreOutages } from './ignore-outages.ts'
import { runUntilStopped } from './run-until-stopped.ts'

/** Locks that someone else's session might hold: an administrator using psql, a dump, or a process that hangs inside a transaction. */
const locks = {
  'the newest order': 'select id from orders order by created_at desc limit 1 for update',
  'five orders': 'select id from orders order by created_at desc limit 5 for update',
  'the newest payment': 'select id from payment_attempts order by created_at desc limit 1 for update',
  'a session': 'select id from sessions order by last_seen_at desc limit 1 for update',
  'the table of orders': 'lock table orders in share mode',
  'the table of messages': 'lock table messages in share mode',
  'the table of sessions': 'lock table sessions in share mode',
} as const

export const lockHolder: Injector = {
  name: 'locks',
  needs: ['postgres'],
  settlesWithin: 120,
  lasts: 30,
  start: (world, random) =>
    runUntilStopped(world, async (stopping) => {
      const what = random.pick(Object.keys(locks) as (keyof typeof locks)[])
      const seconds = random.between(2, 20)
      await ignoreOutages(world, 'locks', () =>
        withSession(requireDatabase(world), async (session) => {
          /*
           * A statement that waits for a table lock blocks every later statement on that table. The timeout makes sure that this fault
           * ends, too.
           */
          await session.query(`set lock_timeout = '5s'`)
          await session.query('begin')
          await session.query(locks[what])
          world.log(`locks: ${what} for ${seconds} s`)
          await interruptiblePause(seconds, stopping)
          await session.query('rollback')
        }),
      )
      await waitForRecovery(world, { fault: 'locks', end: 'the lock' }, stopping)
      await interruptiblePause(random.between(1, 4), stopping)
    }),
}
