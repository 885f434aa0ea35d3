import { sql } from 'kysely'
import { maxSessions } from '#kit/server/own-sessions.ts'
import { generateSession, saveSession } from '#kit/server/session.ts'
import { withTimeouts, bulkTimeouts } from '#kit/server/database-timeouts.ts'
import { loginsPerEmailLimit } from '#features/auth/server/login-limits.ts'
import { activationEmailLimit } from '#features/orders/server/activation-limit.ts'
import { accountPurchaseLimit } from '#features/orders/server/orders.ts'
import { copyPurchase } from '#quality/support/copied-purchases.ts'
import { copyService } from '#quality/support/copied-services.ts'
import { type Customer, makeCustomer } from '#quality/support/customer.ts'
import { addSentMessages } from '#quality/support/sent-messages.ts'
import type { World } from '#quality/support/world.ts'

/**
 * The number of hours for which the account uses its hourly limits to the full. It is as long as a week, because the account's lists are
 * kept for years.
 */
const hours = 7 * 24

const computeHourlyRate = ({ times, seconds }: { times: number; seconds: number }): number => (times * 3_600) / seconds

/**
 * The number of purchases that the limit allows an account in that time. Each purchase sends an email and may be a renewal that shortens
 * the current cycle.
 */
export const purchaseCount = hours * computeHourlyRate(accountPurchaseLimit(''))
/** The number of wrong passwords that strangers can try for the account's address in that time. Each attempt adds an audit event. */
const failedLoginCount = hours * computeHourlyRate(loginsPerEmailLimit('', []))
/**
 * The maximum number of erasure requests that an account's sessions can make and cancel in an hour, at 60 API requests per session, two of
 * them for each erasure request.
 */
const erasureCount = (maxSessions * 60) / 2
/** The maximum number of phone numbers that an account can activate in ten hours. Each activation uses a SIM pack and a paid plan. */
export const serviceCount = 10 * activationEmailLimit('').times
const sampleMessageCount = 20

/**
 * Creates a customer with as many rows as the limits allow. Where that would take too many HTTP requests, rows are copied or inserted
 * directly.
 */
export async function createLargestAccount(world: World): Promise<Customer> {
  const customer = await makeCustomer(world, { card: true, services: 1, last_name: 'Fullest' })
  const { id, email, services } = customer
  const [service] = services
  if (!service) throw new Error('a service was asked for')
  await copyService(world, service.id, serviceCount - 1)
  // Make the service that appears in most paths sort last, so that pages don't find it among the first few numbers.
  await sql`update services set created_at = created_at - interval '1 day' where user_id = ${id} and id <> ${service.id}`.execute(
    world.db,
  )
  await copyPurchase(world, service.orderCode, purchaseCount)
  await addSentMessages(world, { id, email }, { times: sampleMessageCount, kinds: ['renewed'], number: service.msisdn })
  for (let session = 1; session < maxSessions; session++)
    await saveSession(world.db, { ...generateSession(world.deps.secrets), userId: id })
  await withTimeouts(bulkTimeouts, async () => {
    await sql`insert into audit_events (at, event, user_id)
      select now() - n * interval '1 second', 'login_failed', ${id}::uuid from generate_series(1, ${failedLoginCount}::int) n`.execute(
      world.db,
    )
    await sql`insert into messages
      select (jsonb_populate_record(messages, jsonb_build_object(
        'id', gen_random_uuid(), 'event_key', event_key || n, 'message_id', n || message_id
      ))).*
      from messages, generate_series(1, ${Math.ceil(purchaseCount / sampleMessageCount)}::int) n where user_id = ${id}`.execute(
      world.db,
    )
    await sql`insert into erasure_requests (id, user_id, state, asked_at, ended_at)
      select gen_random_uuid(), ${id}::uuid, 'called_off', now() - n * interval '1 second', now()
      from generate_series(1, ${erasureCount}::int) n`.execute(world.db)
    await sql`insert into cycle_usage (service_id, product_id, starts_at, ends_at, is_whole, used_mb)
      select service_id, product_id, now() - (n + 1) * interval '3 minutes', now() - n * interval '3 minutes', false, 1
      from schedules, generate_series(1, ${purchaseCount}::int) n where service_id = ${service.id}`.execute(world.db)
    await sql`analyze`.execute(world.db)
  })
  return customer
}
