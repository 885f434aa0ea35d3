import type { Injector } from '../injector.ts'
import { interruptiblePause } from '../interruptible-pause.ts'
import { ignoreOutages } from './ignore-outages.ts'
import { runUntilStopped } from './run-until-stopped.ts'

const name = 'relay-outage'

/**
 * Makes it look as if deliveries had been failing for an hour: each waiting email is retried only after 50 minutes. Text messages are not
 * affected, because they do not use the mail relay.
 */
const delayMessagesSql = `
  update messages set tries = 12, retry_at = now() + interval '50 minutes'
  where channel = 'email' and sent_at is null and dropped_at is null and due_at is null and tries > 0
  returning id`

const backdateOutageSql = `
  insert into outages as known (service, failing_since, last_failure_at, failures, why)
  values ('mail', now() - interval '1 hour', now(), 60, 'ECONNRESET')
  on conflict (service) do update set failing_since = excluded.failing_since, last_failure_at = excluded.last_failure_at,
    failures = excluded.failures, why = excluded.why`

/** The mail relay refuses every connection while an hour passes on Fantail's clock. Once it is back, every waiting email must be sent. */
export const relayOutage: Injector = {
  name,
  needs: [],
  settlesWithin: 120,
  lasts: 40,
  start: (world) =>
    runUntilStopped(
      world,
      async (stopping) => {
        world.provider.mail.disturb = () => ({ kind: 'hang up' })
        world.log(`${name}: begins`)
        await interruptiblePause(2, stopping)
        await Promise.race([world.passTime({ hours: 1 }), interruptiblePause(10, stopping)])
        await interruptiblePause(60, stopping)
      },
      async () => {
        await ignoreOutages(world, name, async () => {
          const delayedMessages = await world.database?.run(delayMessagesSql)
          await world.database?.run(backdateOutageSql)
          if (delayedMessages)
            world.log(`${name}: ${delayedMessages.length} emails wait 50 minutes for their next attempt`)
        })
        world.provider.mail.disturb = null
        world.log(`${name}: ends`)
      },
    ),
}
