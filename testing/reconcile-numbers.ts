import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { isOver, type PortingStatus } from '#features/porting/porting.states.ts'
import type { Ledgers } from './ledgers.ts'

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
        where port.service_id = holder and port.msisdn = reserved.msisdn and status in ('NEW', 'SUBMITTED', 'CANCELLING')
      )`.execute(db)
  const { rows: free } = await sql<{ msisdn: string; service_id: string }>`
    select msisdn, service_id from porting_requests as port
    where status in ('NEW', 'SUBMITTED', 'CANCELLING')
      and not exists (
        select from reserved_numbers as reserved
        where reserved.msisdn = port.msisdn and reserved.holder = port.service_id
      )`.execute(db)
  return [
    ...idle.map(({ msisdn, holder }) => `${msisdn} is reserved for ${holder}, which brings no number`),
    ...free.map(({ msisdn, service_id: service }) => `${msisdn} is on its way to ${service} and not reserved for it`),
  ]
}

/** How the network's order of a transfer that is over may stand; none where it never had one. */
const endsAtNetwork: Partial<Record<PortingStatus, readonly (string | undefined)[]>> = {
  COMPLETED: ['completed'],
  FAILED: ['failed', 'cancelled', undefined],
  CANCELLED: ['cancelled', undefined],
}

/** What is wrong with transfers that are over, one sentence each: the network says of each what we do, and no other end was told. */
export async function faultsOfPorts(db: Db, { network }: Ledgers, since: Date): Promise<string[]> {
  const ports = await db.selectFrom('porting_requests').selectAll().where('created_at', '>=', since).execute()
  const states = new Map(network.map(({ external_id: id, state }) => [id, state]))
  const mails = await db.selectFrom('messages').select('event_key').where('event_key', 'like', 'port:%').execute()
  return ports
    .filter(({ status }) => isOver(status))
    .flatMap(({ id, external_id: externalId, status }) => {
      const state = states.get(externalId)
      const others = mails.filter(({ event_key: key }) => key.startsWith(`port:${id}:`) && !key.endsWith(`:${status}`))
      return [
        ...(endsAtNetwork[status]?.includes(state) ? [] : [`${externalId} is ${status}, and ${state} at the network`]),
        ...others.map(({ event_key: key }) => `${externalId} is ${status}, and ${key} was told`),
      ]
    })
}
