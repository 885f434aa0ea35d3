import { sql } from 'kysely'
import type { Db } from '#kit/server/db.ts'
import { isTransferOver, type PortingStatus } from '#features/porting/porting.states.ts'
import { type Fault, type Finding, createFaultUnless } from './findings.ts'
import type { Ledgers } from './ledgers.ts'
import type { ProductRecords } from './product-records.ts'
import { createServiceOrderCodeFinder } from './reconcile-services.ts'

/**
 * Returns a sentence for each fault in the reserved numbers. A number with an open transfer must be reserved for its order or service, and
 * no other number may be reserved. Each check is a single query, because transfers carry on in the meantime.
 */
export async function findNumberFaults(db: Db): Promise<Fault[]> {
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
    ...idle.map(({ msisdn, holder }) => `${msisdn} is reserved for ${holder}, which has no open transfer`),
    ...free.map(
      ({ msisdn, service_id: service }) => `${msisdn} is being transferred to ${service} but is not reserved for it`,
    ),
  ].flatMap((text) => createFaultUnless(false, 'unexplained', text))
}

/** The states that a finished transfer may have on the network. `undefined` means that the network has no such order. */
const finalNetworkStates: Partial<Record<PortingStatus, readonly (string | undefined)[]>> = {
  COMPLETED: ['completed'],
  FAILED: ['failed', 'cancelled', undefined],
  CANCELLED: ['cancelled', undefined],
}

/**
 * Returns a sentence for each fault in a finished transfer. Fantail and the network must agree on the outcome, and the customer must have
 * been emailed about that outcome only.
 */
export function findPortFaults(books: ProductRecords, { network }: Ledgers, since: Date): Finding[] {
  const states = new Map(network.map(({ external_id: id, state }) => [id, state]))
  const mails = books.messages.filter(({ event_key: key }) => key.startsWith('port:'))
  const findOrderCode = createServiceOrderCodeFinder(books)
  return books.ports
    .filter(({ status, created_at: at }) => at >= since && isTransferOver(status))
    .flatMap(({ id, external_id: externalId, status, service_id: service }) => {
      const state = states.get(externalId)
      const otherEmails = mails.filter(
        ({ event_key: key }) => key.startsWith(`port:${id}:`) && !key.endsWith(`:${status}`),
      )
      const faults = [
        ...createFaultUnless(
          finalNetworkStates[status]?.includes(state) ?? false,
          status === 'COMPLETED' ? 'lost' : 'unexplained',
          `${externalId} is ${status} here, but ${state} on the network`,
        ),
        ...otherEmails.flatMap(({ event_key: key }) =>
          createFaultUnless(false, 'unexplained', `${externalId} is ${status}, but the message ${key} was sent`),
        ),
      ]
      return faults.map((fault) => ({ ...fault, order_code: findOrderCode(service) }))
    })
}
