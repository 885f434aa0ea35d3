import { randomUUID } from 'node:crypto'
import type { ColumnType, Selectable, Updateable } from 'kysely'
import { realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'
import { createStateTransition } from '#kit/server/state-transition.ts'
import {
  countsAsDisputed,
  type DisputeAnswer,
  type DisputeEvent,
  type DisputeOutcome,
  type DisputeState,
  disputeTransitions,
} from '../disputes.states.ts'

declare module '#kit/server/db.ts' {
  interface Tables {
    disputes: DisputeTable
  }
}

type DisputeTable = {
  id: string
  order_id: string
  psp_reference: string
  state: DisputeState
  amount_cents: number
  currency: string
  reason: string
  due_at: Date | null
  created_at: Date
  changed_at: Date
  outcome: NullOnInsertColumn<DisputeOutcome>
  closed_at: NullOnInsertColumn<Date>
  closed_by: NullOnInsertColumn<string>
  note: NullOnInsertColumn<string>
  answer: NullOnInsertColumn<DisputeAnswer>
  answered_at: NullOnInsertColumn<Date>
  answered_by: NullOnInsertColumn<string>
  evidence_reference: NullOnInsertColumn<string>
  handed_in_at: NullOnInsertColumn<Date>
}
type NullOnInsertColumn<Value> = ColumnType<Value | null, never, Value | null>
export type Dispute = Selectable<DisputeTable>

export type NewDispute = Pick<
  Dispute,
  'order_id' | 'psp_reference' | 'state' | 'amount_cents' | 'currency' | 'reason' | 'due_at'
>

export async function insertDispute(trx: Trx, dispute: NewDispute): Promise<Dispute | undefined> {
  const now = toDate(realNow())
  return trx
    .insertInto('disputes')
    .values({ ...dispute, id: randomUUID(), created_at: now, changed_at: now })
    .onConflict((conflict) => conflict.column('psp_reference').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export const findDisputeByReference = (trx: Db | Trx, pspReference: string): Promise<Dispute | undefined> =>
  trx.selectFrom('disputes').selectAll().where('psp_reference', '=', pspReference).executeTakeFirst()

export const transitionDispute = createStateTransition({
  table: 'disputes',
  transitions: disputeTransitions,
  asRead: ['id'],
  also: () => ({ changed_at: toDate(realNow()) }),
})

const clearedOutcome = { outcome: null, closed_at: null, closed_by: null, note: null }
const clearedAnswer = {
  answer: null,
  answered_at: null,
  answered_by: null,
  evidence_reference: null,
  handed_in_at: null,
}

/**
 * Which of the staff's entries to keep when a new event about a dispute arrives: `all` if staff accepted the dispute, `answer` if the bank
 * is still asking the same question, otherwise `nothing`.
 */
export type EntriesToKeep = 'all' | 'answer' | 'nothing'
const clearedColumns: Record<EntriesToKeep, Updateable<DisputeTable>> = {
  all: {},
  answer: clearedOutcome,
  nothing: { ...clearedOutcome, ...clearedAnswer },
}

type DisputeUpdate = { event: DisputeEvent | null; cents: number; keeps: EntriesToKeep }

/**
 * Updates a dispute after a new event. `event` is `null` if the event does not change the state. `keeps` says which of the staff's entries
 * to keep.
 */
export const updateDispute = async (trx: Trx, dispute: Dispute, { event, cents, keeps }: DisputeUpdate) =>
  event
    ? transitionDispute(trx, dispute, event, { amount_cents: cents, ...clearedColumns[keeps] })
    : changeDispute(trx, dispute.id, { amount_cents: cents, ...clearedColumns[keeps] })

type DisputeAnswerEntry = {
  answer: DisputeAnswer
  by: string
  note: string | null
  evidenceReference?: string | null
  handedInAt?: Date | null
}

/** Records the provider's answer, and closes an accepted dispute as lost. Returns `null` if the dispute has changed in the meantime. */
export function answerDispute(
  trx: Trx,
  { id, state }: Dispute,
  { answer, by, note, evidenceReference = null, handedInAt = null }: DisputeAnswerEntry,
): Promise<Dispute | null> {
  const at = toDate(realNow())
  const lostOutcome = { outcome: 'lost', closed_at: at, closed_by: by } as const
  return changeDispute(
    trx,
    id,
    {
      answer,
      answered_at: at,
      answered_by: by,
      note,
      evidence_reference: evidenceReference,
      handed_in_at: handedInAt,
      ...(answer === 'accepted' && lostOutcome),
    },
    state,
  )
}

export const closeDispute = (
  trx: Trx,
  { id, state }: Dispute,
  { outcome, by, note }: { outcome: DisputeOutcome; by: string; note: string | null },
): Promise<Dispute | null> =>
  changeDispute(trx, id, { outcome, closed_at: toDate(realNow()), closed_by: by, note }, state)

async function changeDispute(
  trx: Trx,
  id: string,
  patch: Updateable<DisputeTable>,
  whileState?: DisputeState,
): Promise<Dispute | null> {
  const row = await trx
    .updateTable('disputes')
    .set({ ...patch, changed_at: toDate(realNow()) })
    .where('id', '=', id)
    .$if(whileState !== undefined, (query) =>
      query.where('state', '=', whileState as DisputeState).where('outcome', 'is', null),
    )
    .returningAll()
    .executeTakeFirst()
  return row ?? null
}

export async function setDueDate(trx: Trx, id: string, dueAt: Date): Promise<void> {
  await trx.updateTable('disputes').set({ due_at: dueAt }).where('id', '=', id).execute()
}

export const listOrderDisputes = (db: Db | Trx, orderId: string): Promise<Dispute[]> =>
  db.selectFrom('disputes').selectAll().where('order_id', '=', orderId).orderBy('created_at').execute()

export async function filterUnknownReferences(db: Db, references: string[]): Promise<string[]> {
  if (references.length === 0) return []
  const rows = await db
    .selectFrom('disputes')
    .select('psp_reference')
    .where('psp_reference', 'in', references)
    .execute()
  const knownReferences = new Set(rows.map(({ psp_reference }) => psp_reference))
  return references.filter((reference) => !knownReferences.has(reference))
}

export const sumDisputedCents = async (db: Db | Trx, orderId: string): Promise<number> =>
  (await listOrderDisputes(db, orderId))
    .filter(({ state, outcome }) => countsAsDisputed(state, outcome))
    .reduce((sum, { amount_cents }) => sum + amount_cents, 0)
