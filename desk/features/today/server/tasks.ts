import { formatActor } from '#kit/server/actor.ts'
import { audit, type AuditEvent } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { badRequest, conflict, forbidden, HttpError } from '#kit/server/http-error.ts'
import { parseStaffId, isLeadTaskKind } from '#features/operator-tasks/server/lead-tasks.store.ts'
import { endTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { assignTask, lockOpenTask } from '#features/operator-tasks/server/task-owners.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor } from '#desk/features/staff/server/staff.guard.ts'
import { todayMessages } from '../today.contract.ts'
import { findStaffName } from './tasks.view.ts'

export type TasksDeps = { db: Db; clock: Clock }

type TaskChange = { event: AuditEvent; mayTakeOver: boolean; note?: string; do(trx: Trx): Promise<unknown> }

/**
 * Assigns a task to this staff member. If two callers try at the same time, the first gets it.
 * @throws 409 with the owner's name if someone else has the task
 */
export const takeTask = (deps: TasksDeps, staff: SignedInStaff, id: string): Promise<void> =>
  changeTask(deps, staff, id, {
    event: 'operator_task_taken',
    mayTakeOver: false,
    do: (trx) => assignTask(trx, id, staff.id),
  })

/** Assigns several tasks to this staff member, one after the other. A task that cannot be assigned does not affect the others. */
export async function takeTasks(
  deps: TasksDeps,
  staff: SignedInStaff,
  ids: readonly string[],
): Promise<{ taken: string[]; not_taken: { id: string; why: string }[] }> {
  const taken: string[] = []
  const tasksNotTaken: { id: string; why: string }[] = []
  for (const id of new Set(ids)) {
    const why = await getRejectionReason(() => takeTask(deps, staff, id))
    if (why === null) taken.push(id)
    else tasksNotTaken.push({ id, why })
  }
  return { taken, not_taken: tasksNotTaken }
}

/** Runs an action and returns why it was rejected; `null` if it succeeded. Any other error is thrown. */
async function getRejectionReason(act: () => Promise<void>): Promise<string | null> {
  try {
    await act()
    return null
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return Object.values(error.body as Record<string, string | string[]>)
      .flat()
      .join(' ')
  }
}

/**
 * Releases a task from its owner.
 * @throws 409 if someone else has the task and the caller is not a team lead
 */
export const handBackTask = (deps: TasksDeps, staff: SignedInStaff, id: string): Promise<void> =>
  changeTask(deps, staff, id, {
    event: 'operator_task_handed_back',
    mayTakeOver: staff.isLead,
    do: (trx) => assignTask(trx, id, null),
  })

/**
 * Marks a task as done.
 * @throws 409 if someone else has the task and the caller is not a team lead
 */
export const finishTask = (deps: TasksDeps, staff: SignedInStaff, id: string, note: string): Promise<void> =>
  changeTask(deps, staff, id, {
    event: 'operator_task_done',
    mayTakeOver: staff.isLead,
    note,
    do: (trx) => endTask(trx, id, { name: formatActor(toStaffActor(staff)) ?? '', note: note || null }),
  })

/**
 * Enforces the rules for team leads' tasks: nobody handles a task about themselves, and finishing a task needs a note.
 * `note` is set only when a task is being finished.
 * @throws 403 unless the caller is a team lead whom the task does not concern, 400 for an empty note
 */
function requireLeadAccess(subject: string | null, { id, isLead }: SignedInStaff, note: string | undefined): void {
  if (!isLead) throw forbidden(todayMessages.leads)
  if (parseStaffId(subject) === id) throw forbidden(todayMessages.own)
  if (note === '') throw badRequest({ note: [todayMessages.note] })
}

const changeTask = (
  { db, clock }: TasksDeps,
  staff: SignedInStaff,
  id: string,
  { event, mayTakeOver, note, ...change }: TaskChange,
): Promise<void> =>
  transact(db, async (trx) => {
    const task = await lockOpenTask(trx, id)
    if (!task) throw conflict(todayMessages.gone)
    if (isLeadTaskKind(task.kind)) requireLeadAccess(task.subject, staff, note)
    if (task.owner_id && task.owner_id !== staff.id && !mayTakeOver)
      throw conflict(todayMessages.taken(await findStaffName(trx, task.owner_id)))
    await change.do(trx)
    await audit(trx, clock, { event, actor: toStaffActor(staff, note || null), details: { task: id } })
  })
