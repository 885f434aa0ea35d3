import { randomUUID } from 'node:crypto'
import type { ColumnType, Generated, Selectable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import type { RefundAllowance, RefundingRole } from '#desk/features/orders/server/refund-limits.ts'
import type { Role } from '#desk/features/staff/staff.contract.ts'
import type { Json } from '#kit/server/json.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    approvals: ApprovalTable
  }
}

/** An approval request's content, by kind. It never changes after the request is made. */
export type ApprovalPayloads = {
  refund: { order_code: string; cents: number }
  /**
   * `hash` identifies the draft as it was when approval was requested. `at` is when the draft goes on sale; `null`
   * means as soon as it is approved.
   */
  catalogue: { draft: number; hash: string; at: string | null }
  /** `expires` is the last day on which the vouchers are valid. */
  vouchers: { count: number; product_id: string; expires: string }
  settlement: {
    of: 'payment' | 'capture' | 'refund'
    reference: string
    cents: number
    said: 'paid' | 'not_paid'
    psp_reference: string
  }
  /** `from` holds the refund limits that applied when the request was made. */
  limits: { role: RefundingRole; from: RefundAllowance; to: RefundAllowance }
  /**
   * An invitation or a change of roles. `from` is `null` for someone new. `desk` is the origin of the desk's URL, which
   * the invitation link needs, because a process that only runs background jobs does not know it.
   */
  staff: {
    act: 'invite' | 'roles'
    to: StaffRights
    from: (StaffRights & { isSuspended: boolean }) | null
    desk: string
  }
}
export type StaffRights = { name: string; roles: Role[]; isLead: boolean }

/**
 * Kinds of request that give a staff member more rights. They take effect after 24 hours unless someone declines them.
 * All other kinds lapse after 24 hours.
 */
export const grantKinds = ['limits', 'staff'] as const
export type GrantKind = (typeof grantKinds)[number]
export const isGrant = (kind: ApprovalKind): kind is GrantKind => grantKinds.some((grant) => grant === kind)

export type ApprovalKind = keyof ApprovalPayloads
export const approvalKinds: readonly ApprovalKind[] = ['refund', 'catalogue', 'vouchers', 'settlement', ...grantKinds]
type NullOnInsert<Value> = ColumnType<Value | null, never, Value>

type ApprovalTable = {
  id: string
  kind: ApprovalKind
  subject: string
  payload: Json<ApprovalPayloads[ApprovalKind]>
  asked_by: string
  reason: string
  note: string
  asked_at: Date
  lapses_at: Date
  /** Whether the request takes effect at `lapses_at` unless someone declines it. Earlier versions of the application leave this false. */
  takes_effect: Generated<boolean>
  decided_by: NullOnInsert<string>
  decided_at: NullOnInsert<Date>
  decision: NullOnInsert<'approved' | 'refused' | 'lapsed'>
  words: NullOnInsert<string>
  seen_at: NullOnInsert<Date>
}
export type ApprovalRow = Selectable<ApprovalTable>
type RequestOfKind<Kind extends ApprovalKind> = Omit<ApprovalRow, 'kind' | 'payload'> & {
  kind: Kind
  payload: ApprovalPayloads[Kind]
  asker: string
  decider: string | null
}
export type ApprovalRequest<Kind extends ApprovalKind = ApprovalKind> = { [K in Kind]: RequestOfKind<K> }[Kind]

const approvalExpiryHours = 24

export type NewApproval<Kind extends ApprovalKind> = Pick<ApprovalRow, 'subject' | 'reason' | 'note'> & {
  kind: Kind
  payload: ApprovalPayloads[Kind]
  askedBy: string
}

/**
 * Inserts a request. Returns `undefined` if a request about the same subject is already open. An expired request about that subject is
 * first marked as lapsed, unless it takes effect when it expires. Use cases should call `requestApproval` instead.
 */
export async function insertApproval<Kind extends ApprovalKind>(
  trx: Trx,
  { askedBy, payload, ...approval }: NewApproval<Kind>,
): Promise<ApprovalRow | undefined> {
  const now = realNow()
  await trx
    .updateTable('approvals')
    .set({ decision: 'lapsed', decided_at: toDate(now) })
    .where('takes_effect', '=', false)
    .where('kind', '=', approval.kind)
    .where('subject', '=', approval.subject)
    .where('decision', 'is', null)
    .where('lapses_at', '<=', toDate(now))
    .execute()
  return trx
    .insertInto('approvals')
    .values({
      ...approval,
      id: randomUUID(),
      payload: JSON.stringify(payload),
      asked_by: askedBy,
      asked_at: toDate(now),
      lapses_at: toDate(now.add({ hours: approvalExpiryHours })),
      takes_effect: isGrant(approval.kind),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function expireApproval(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('approvals')
    .set({ decision: 'lapsed', decided_at: toDate(realNow()) })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .execute()
}

const selectApprovals = (db: Db | Trx) =>
  db
    .selectFrom('approvals')
    .innerJoin('staff as asker', 'asker.id', 'approvals.asked_by')
    .leftJoin('staff as decider', 'decider.id', 'approvals.decided_by')
    .selectAll('approvals')
    .select(['asker.name as asker', 'decider.name as decider'])
    .$castTo<ApprovalRequest>()

export const findApproval = (db: Db, id: string): Promise<ApprovalRequest | undefined> =>
  selectApprovals(db).where('approvals.id', '=', id).executeTakeFirst()

export const findOpenApproval = <Kind extends ApprovalKind>(
  db: Db | Trx,
  kind: Kind,
  subject: string,
): Promise<ApprovalRequest<Kind> | undefined> =>
  selectOpenApprovals(db)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .$castTo<ApprovalRequest<Kind>>()
    .executeTakeFirst()

export const findLastApproval = <Kind extends ApprovalKind>(
  db: Db,
  kind: Kind,
  subject: string,
): Promise<ApprovalRequest<Kind> | undefined> =>
  selectLatestApprovals(db, kind)
    .where('subject', '=', subject)
    .limit(1)
    .$castTo<ApprovalRequest<Kind>>()
    .executeTakeFirst()

export const listLatestApprovals = <Kind extends ApprovalKind>(
  db: Db,
  kind: Kind,
  limit: number,
): Promise<ApprovalRequest<Kind>[]> =>
  selectLatestApprovals(db, kind).limit(limit).$castTo<ApprovalRequest<Kind>>().execute()

const selectLatestApprovals = (db: Db, kind: ApprovalKind) =>
  selectApprovals(db).where('kind', '=', kind).orderBy('asked_at', 'desc')

const selectOpenApprovals = (db: Db | Trx) =>
  selectApprovals(db).where('decision', 'is', null).where('lapses_at', '>', toDate(realNow()))

const maxRows = 100

/**
 * Lists other people's open requests of the given kinds. Requests that give someone more rights come first, so that a
 * flood of other requests cannot hide them. Older requests come before newer ones.
 */
export const listOpenApprovals = (
  db: Db,
  { kinds, notOf }: { kinds: readonly ApprovalKind[]; notOf: string },
): Promise<ApprovalRequest[]> =>
  selectOpenApprovals(db)
    .where('kind', 'in', kinds)
    .where('asked_by', '!=', notOf)
    .orderBy(({ eb }) => eb('kind', 'in', grantKinds), 'desc')
    .orderBy('asked_at')
    .limit(maxRows)
    .execute()

export async function countOpenRequests(trx: Trx, askedBy: string): Promise<number> {
  const { count } = await trx
    .selectFrom('approvals')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('asked_by', '=', askedBy)
    .where('decision', 'is', null)
    .where('lapses_at', '>', toDate(realNow()))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const listOwnApprovals = (db: Db, askedBy: string): Promise<ApprovalRequest[]> =>
  selectApprovals(db)
    .where('asked_by', '=', askedBy)
    .where('seen_at', 'is', null)
    .orderBy('asked_at', 'desc')
    .limit(maxRows)
    .execute()

/**
 * Stores a decision. Returns false if the request has already been decided or has lapsed. Requesters cannot decide
 * about their own requests, which a table constraint also enforces.
 */
export async function storeDecision(
  trx: Trx,
  id: string,
  { by, decision, words }: { by: string; decision: 'approved' | 'refused'; words: string },
): Promise<boolean> {
  const now = toDate(realNow())
  const { numUpdatedRows } = await trx
    .updateTable('approvals')
    .set({ decided_by: by, decided_at: now, decision, words })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .where('lapses_at', '>', now)
    .where('asked_by', '!=', by)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const listDueGrants = (db: Db): Promise<ApprovalRequest<GrantKind>[]> =>
  selectApprovals(db)
    .where('decision', 'is', null)
    .where('kind', 'in', grantKinds)
    .where('takes_effect', '=', true)
    .where('lapses_at', '<=', toDate(realNow()))
    .orderBy('lapses_at')
    .limit(maxRows)
    .$castTo<ApprovalRequest<GrantKind>>()
    .execute()

/**
 * Approves a request for more rights that nobody declined within 24 hours, without naming an approver. Returns false if someone has decided
 * about it in the meantime.
 */
export async function approveUndeclinedGrant(trx: Trx, id: string): Promise<boolean> {
  const now = toDate(realNow())
  const { numUpdatedRows } = await trx
    .updateTable('approvals')
    .set({ decision: 'approved', decided_at: now })
    .where('id', '=', id)
    .where('decision', 'is', null)
    .where('takes_effect', '=', true)
    .where('lapses_at', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function expireStaffRequests(trx: Trx, askedBy: string, id?: string): Promise<string[]> {
  const rows = await trx
    .updateTable('approvals')
    .set({ decision: 'lapsed', decided_at: toDate(realNow()) })
    .where('asked_by', '=', askedBy)
    .where('decision', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

export async function markSeen(db: Db, id: string, askedBy: string): Promise<void> {
  const now = toDate(realNow())
  await db
    .updateTable('approvals')
    .set({ seen_at: now })
    .where('id', '=', id)
    .where('asked_by', '=', askedBy)
    .where(({ or, eb }) => or([eb('decision', 'is not', null), eb('lapses_at', '<=', now)]))
    .execute()
}

export async function countRequestsWithReason(
  db: Db,
  { asked_by, kind, reason }: Pick<ApprovalRow, 'asked_by' | 'kind' | 'reason'>,
): Promise<{ asker: number; all: number }> {
  const row = await db
    .selectFrom('approvals')
    .select(({ fn }) => [fn.countAll().as('all'), fn.countAll().filterWhere('asked_by', '=', asked_by).as('asker')])
    .where('kind', '=', kind)
    .where('reason', '=', reason)
    .where('asked_at', '>', toDate(realNow().subtract({ hours: 24 * 30 })))
    .executeTakeFirstOrThrow()
  return { asker: Number(row.asker), all: Number(row.all) }
}
