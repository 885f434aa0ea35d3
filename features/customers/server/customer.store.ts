import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { realNow } from '#kit/server/clock.ts'
import { activeSessionCondition } from '#kit/server/session.ts'

/** Maximum phone numbers per query. A long list takes several queries, so that other requests can run in between. */
const numbersPerQuery = 100

export async function listNumbers(db: Db, userId: string): Promise<CustomerNumber[]> {
  const numbers: CustomerNumber[] = []
  for (;;) {
    const numbersBatch = await readNumbers(db, userId, numbers.at(-1)?.id)
    numbers.push(...numbersBatch)
    if (numbersBatch.length < numbersPerQuery) return numbers
    // The embedded database never yields to the event loop during a query, so yield here to let other requests run.
    await nextTurn()
  }
}

type CustomerNumber = Awaited<ReturnType<typeof readNumbers>>[number]

const readNumbers = (db: Db, userId: string, after: string | undefined) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom('services')
        .selectAll()
        .where('user_id', '=', userId)
        .$if(after !== undefined, (query) =>
          query.where(sql<boolean>`(created_at, id) > (select created_at, id from services where id = ${after})`),
        )
        .orderBy('created_at')
        .orderBy('id')
        .limit(numbersPerQuery)
        .as('services'),
    )
    .leftJoin('schedules', 'schedules.service_id', 'services.id')
    .leftJoin('products', 'products.unique_id', 'schedules.product_id')
    .leftJoin('queued_plans', 'queued_plans.service_id', 'services.id')
    .leftJoin('products as next', 'next.unique_id', 'queued_plans.product_id')
    .leftJoin('auto_renewals', 'auto_renewals.service_id', 'services.id')
    .select(['services.id', 'services.msisdn', 'services.iccid', 'services.created_at', 'services.released_at'])
    .select('services.name')
    .select(['products.title as plan', 'schedules.expires_at', 'next.title as next_plan'])
    .select(['queued_plans.starts_at as next_starts_at', 'auto_renewals.enabled as auto_renewal'])
    .select('auto_renewals.failure as renewal_failure')
    .orderBy('services.created_at')
    .orderBy('services.id')
    .execute()

export async function countSessions(db: Db, userId: string): Promise<{ count: number; last: Date | null }> {
  const row = await db
    .selectFrom('sessions')
    .select(({ fn }) => [fn.countAll().as('count'), fn.max('authenticated_at').as('last')])
    .where('user_id', '=', userId)
    .where(activeSessionCondition(realNow()))
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), last: row.last }
}
