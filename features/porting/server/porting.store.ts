import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { inIds, type Ids, queryPart } from '#kit/server/combined-query.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import { type RetryQueue, scheduleRetry } from '#kit/server/retry-queue.ts'
import type { PortingForm, Donor } from '../porting.contract.ts'
import {
  hasEndedWithoutTransfer,
  isTransferOver,
  type PortingStatus,
  portingStatuses,
  portingTransitions,
} from '../porting.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    porting_providers: { id: string; name: string; sort_order: number }
    porting_requests: PortTable
  }
}

type PortTable = {
  id: string
  external_id: string
  service_id: string
  order_id: string | null
  msisdn: string
  provider_id: string
  billing_method: 'prepay' | 'account'
  prepaid_sim_number: string | null
  account_number: string | null
  status: PortingStatus
  version: number
  sub_state: string | null
  failure_code: string | null
  failure_acknowledged_at: Date | null
  /** When the transfer was last submitted to the network; `null` means that the network cannot have received it. */
  handed_in_at: Date | null
  cancel_asked_at: Date | null
  retry_at: Date | null
  tries: number
  created_at: Date
  ended_at: Date | null
}
export type PortingRequest = Selectable<PortTable>

export const listDonors = (db: Db | Trx): Promise<Donor[]> =>
  db.selectFrom('porting_providers').select(['id', 'name']).orderBy('sort_order').orderBy('name').execute()

export async function donorExists(db: Db | Trx, id: string): Promise<boolean> {
  return (await db.selectFrom('porting_providers').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function importDonors(db: Db, donors: Donor[]): Promise<void> {
  for (const [position, { id, name }] of donors.entries()) {
    await db
      .insertInto('porting_providers')
      .values({ id, name, sort_order: position })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, sort_order: position }))
      .execute()
  }
}

export async function hasNumberMovedSince(db: Db, serviceId: string, since: Temporal.Instant): Promise<boolean> {
  const row = await db
    .selectFrom('porting_requests')
    .select('id')
    .where('service_id', '=', serviceId)
    .where('status', '=', 'COMPLETED')
    .where('ended_at', '>=', toDate(since))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export const lastCompletedQueryPart = (db: Db, ids: Ids) =>
  queryPart(
    db
      .selectFrom('porting_requests')
      .select(['service_id', 'ended_at'])
      .where('service_id', ...inIds(ids))
      .where('status', '=', 'COMPLETED')
      .where('ended_at', 'is not', null)
      .orderBy('ended_at', 'desc')
      .limit(1),
    { ended_at: true },
  )

type NewPort = { externalId: string; serviceId: string; orderId: string | null; msisdn: string; form: PortingForm }

export async function insertPort(trx: Trx, port: NewPort, at: Temporal.Instant): Promise<PortingRequest> {
  const { form } = port
  return trx
    .insertInto('porting_requests')
    .values({
      id: randomUUID(),
      external_id: port.externalId,
      service_id: port.serviceId,
      order_id: port.orderId,
      msisdn: port.msisdn,
      provider_id: form.provider,
      billing_method: form.billing_method === 'account' ? 'account' : 'prepay',
      prepaid_sim_number: form.billing_method === 'prepay' ? form.prepaid_sim_number : null,
      account_number: form.billing_method === 'account' ? form.account_number : null,
      status: 'NEW',
      sub_state: null,
      handed_in_at: null,
      cancel_asked_at: null,
      failure_code: null,
      failure_acknowledged_at: null,
      retry_at: toDate(realNow().add({ seconds: portQueue.leaseSeconds })),
      created_at: toDate(at),
      ended_at: null,
      version: 0,
      tries: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export const findPortOfOrder = (db: Db | Trx, orderId: string): Promise<PortingRequest | undefined> =>
  db.selectFrom('porting_requests').selectAll().where('order_id', '=', orderId).executeTakeFirst()

export const findPort = (db: Db | Trx, id: string): Promise<PortingRequest | undefined> =>
  db.selectFrom('porting_requests').selectAll().where('id', '=', id).executeTakeFirst()

export const findPortByExternalId = (db: Db | Trx, externalId: string): Promise<PortingRequest | undefined> =>
  db.selectFrom('porting_requests').selectAll().where('external_id', '=', externalId).executeTakeFirst()

export const lockPort = (trx: Trx, externalId: string): Promise<PortingRequest | undefined> =>
  trx.selectFrom('porting_requests').selectAll().where('external_id', '=', externalId).forUpdate().executeTakeFirst()

/** This query uses the index `porting_requests_by_service`. */
export const latestPortsQueryPart = (db: Db, serviceIds: Ids) =>
  queryPart(latestPortsQuery(db, serviceIds), {
    cancel_asked_at: true,
    created_at: true,
    ended_at: true,
    handed_in_at: true,
    failure_acknowledged_at: true,
    retry_at: true,
  })
export type LatestPort = PortingRequest & { donor_name: string }

export const findLatestPorts = async (db: Db, serviceIds: string[]): Promise<LatestPort[]> =>
  serviceIds.length === 0 ? [] : latestPortsQuery(db, serviceIds).execute()

const latestPortsQuery = (db: Db, serviceIds: Ids) =>
  db
    .selectFrom('porting_requests')
    .innerJoin('porting_providers', 'porting_providers.id', 'porting_requests.provider_id')
    .selectAll('porting_requests')
    .select('porting_providers.name as donor_name')
    .distinctOn('porting_requests.service_id')
    .where('porting_requests.service_id', ...inIds(serviceIds))
    .orderBy('porting_requests.service_id')
    .orderBy('porting_requests.created_at', 'desc')
    .orderBy('porting_requests.id')

export async function findDonorName(db: Db | Trx, id: string): Promise<string> {
  const { name } = await db
    .selectFrom('porting_providers')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return name
}

export const transitionPort = createStateTransition({
  table: 'porting_requests',
  column: 'status',
  transitions: portingTransitions,
  asRead: ['id', 'status', 'version'],
  also: (to, { version }) => ({ version: version + 1, tries: 0, ...(isTransferOver(to) && { retry_at: null }) }),
})

/** A transfer's lease must outlast three requests to the network, the most that a cancellation sends. */
export const portQueue: RetryQueue = {
  queue: 'porting.follow',
  table: 'porting_requests',
  key: 'external_id',
  leaseSeconds: 30,
}

export const schedulePortRetry = (db: Db | Trx, { id, version }: PortingRequest, seconds: number): Promise<void> =>
  scheduleRetry(db, portQueue, { id, version }, { seconds })

/**
 * Marks a transfer as submitted. This must be committed before the transfer is sent to the network. Returns the updated
 * row, or `undefined` if another worker has changed the transfer.
 */
export const markPortSubmitted = (
  db: Db,
  { id, version, status }: PortingRequest,
): Promise<PortingRequest | undefined> =>
  db
    .updateTable('porting_requests')
    .set({ handed_in_at: toDate(realNow()), version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .where('status', '=', status)
    .returningAll()
    .executeTakeFirst()

export const isBeingSubmitted = ({ handed_in_at: at }: PortingRequest): boolean =>
  at !== null && realNow().epochMilliseconds - at.getTime() < portQueue.leaseSeconds * 1_000

/**
 * Stores the sub-state that the network reports for a transfer, using compare-and-set because a slow response may be out of date. Returns
 * `null` if another worker has changed the row.
 */
export const saveSubState = async (
  trx: Trx,
  { id, version }: PortingRequest,
  subState: string | null,
): Promise<PortingRequest | null> =>
  (await trx
    .updateTable('porting_requests')
    .set({ sub_state: subState, version: version + 1 })
    .where('id', '=', id)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst()) ?? null

/** Erases the phone numbers from services' transfers. The caller must ensure that these transfers have ended. */
export async function erasePorts(trx: Trx, serviceIds: string[]): Promise<void> {
  if (serviceIds.length === 0) return
  await trx
    .updateTable('porting_requests')
    .set({ msisdn: '', prepaid_sim_number: null, account_number: null })
    .where('service_id', 'in', serviceIds)
    .execute()
  // Recorded messages from the network may contain the phone number.
  await trx
    .updateTable('porting_events')
    .set({ message: null })
    .where(
      'port_id',
      'in',
      trx.selectFrom('porting_requests').select('porting_requests.id').where('service_id', 'in', serviceIds),
    )
    .execute()
}

export const findLatestPort = (db: Db | Trx, serviceId: string): Promise<PortingRequest | undefined> =>
  db
    .selectFrom('porting_requests')
    .selectAll()
    .where('service_id', '=', serviceId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

export async function countPorts(db: Db | Trx, serviceId: string): Promise<number> {
  const row = await db
    .selectFrom('porting_requests')
    .select((select) => select.fn.countAll().as('count'))
    .where('service_id', '=', serviceId)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Records that the customer has acknowledged the latest failed transfer. Returns the first acknowledgement's time. */
export async function acknowledgeFailure(db: Db | Trx, serviceId: string, at: Date): Promise<Date | null> {
  await db
    .updateTable('porting_requests')
    .set({ failure_acknowledged_at: at })
    .where('service_id', '=', serviceId)
    .where('status', 'in', portingStatuses.filter(hasEndedWithoutTransfer))
    .where('failure_acknowledged_at', 'is', null)
    .execute()
  return (await findLatestPort(db, serviceId))?.failure_acknowledged_at ?? null
}

export async function filterKnownPorts(db: Db, externalIds: readonly string[]): Promise<Set<string>> {
  if (externalIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('porting_requests')
    .select('external_id')
    .where('external_id', 'in', externalIds)
    .execute()
  return new Set(rows.map(({ external_id: id }) => id))
}
