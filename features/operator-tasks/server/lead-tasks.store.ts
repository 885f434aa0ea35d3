import { randomUUID } from 'node:crypto'
import { fromDate, realNow, toDate } from '#kit/server/clock.ts'
import type { Db, Trx } from '#kit/server/db.ts'

export const leadTaskKinds = ['alarm-looks', 'alarm-own', 'alarm-shown', 'alarm-passkey', 'look'] as const
export type LeadTaskKind = (typeof leadTaskKinds)[number]

const alertKinds = leadTaskKinds.filter((kind) => kind !== 'look')

export const isLeadTaskKind = (kind: string): kind is LeadTaskKind =>
  leadTaskKinds.some((leadKind) => leadKind === kind)

/**
 * The subject of a task for team leads. `staffId` is the colleague that the task is about. `of` identifies the day or the access that team
 * leads should check.
 */
type LeadTaskSubject = { kind: LeadTaskKind; staffId: string; of: string }

const buildTaskSubject = ({ staffId, of }: Pick<LeadTaskSubject, 'staffId' | 'of'>): string => `${staffId}:${of}`

export const parseStaffId = (subject: string | null): string | null => subject?.slice(0, 36) ?? null

/** Creates a task for team leads. The caller must hold the lock on the colleague's row, so that only one such task can be open. */
export async function createLeadTask(
  trx: Trx,
  { reason, ...taskSubject }: LeadTaskSubject & { reason: string },
): Promise<void> {
  const now = toDate(realNow())
  const subject = buildTaskSubject(taskSubject)
  // If a team lead has already ticked off the task, end it, so that the new event gets a task of its own.
  await trx
    .updateTable('operator_tasks')
    .set({ over_at: now })
    .where('kind', '=', taskSubject.kind)
    .where('subject', '=', subject)
    .where('over_at', 'is', null)
    .where('done_at', 'is not', null)
    .execute()
  await trx
    .insertInto('operator_tasks')
    .values({
      id: randomUUID(),
      kind: taskSubject.kind,
      order_id: null,
      subject,
      reason: reason.slice(0, 500),
      created_at: now,
      due_at: null,
      done_at: null,
      // Mark the task as mailed, so that no email is sent: people who are not team leads also read the emails to the operator.
      mailed_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function listOpenAlerts(db: Db): Promise<{ id: string; concernedId: string | null }[]> {
  const rows = await db
    .selectFrom('operator_tasks')
    .select(['id', 'subject'])
    .where('done_at', 'is', null)
    .where('created_at', '>', toDate(realNow().subtract({ hours: 24 })))
    .where('kind', 'in', alertKinds)
    .execute()
  return rows.map(({ id, subject }) => ({ id, concernedId: parseStaffId(subject) }))
}

export async function hasOpenLeadTask(trx: Trx, { kind, ...about }: LeadTaskSubject): Promise<boolean> {
  const row = await trx
    .selectFrom('operator_tasks')
    .select('id')
    .where('kind', '=', kind)
    .where('subject', '=', buildTaskSubject(about))
    .where('over_at', 'is', null)
    .where('done_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function findLastReviewTime(
  trx: Trx,
  { kind, ...about }: LeadTaskSubject,
): Promise<Temporal.Instant | null> {
  const row = await trx
    .selectFrom('operator_tasks')
    .select('done_at')
    .where('kind', '=', kind)
    .where('subject', '=', buildTaskSubject(about))
    .where('over_at', 'is', null)
    .where('done_at', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.done_at ? fromDate(row.done_at) : null
}
