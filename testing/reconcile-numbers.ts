import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'

/**
 * What is wrong with numbers to bring, one sentence each: one that is on its way is reserved for its order or service, and no other
 * is. Each question is one look, as transfers go on meanwhile.
 */
export async function faultsOfNumbers(db: Db): Promise<string[]> {
  const { rows: idle } = await sql<{ msisdn: string; holder: string }>`
    select msisdn, holder from reserved_numbers as reserved
    where not exists (select from orders where id = holder and state not in ('completed', 'refused', 'undone'))
      and not exists (
        select from porting_requests as port
        where port.service_id = holder and port.msisdn = reserved.msisdn and status in ('NEW', 'SUBMITTED')
      )`.execute(db)
  const { rows: free } = await sql<{ msisdn: string; service_id: string }>`
    select msisdn, service_id from porting_requests as port
    where status in ('NEW', 'SUBMITTED')
      and not exists (
        select from reserved_numbers as reserved
        where reserved.msisdn = port.msisdn and reserved.holder = port.service_id
      )`.execute(db)
  return [
    ...idle.map(({ msisdn, holder }) => `${msisdn} is reserved for ${holder}, which brings no number`),
    ...free.map(({ msisdn, service_id: service }) => `${msisdn} is on its way to ${service} and not reserved for it`),
  ]
}
