import { nameOf } from '#kit/server/actor.ts'
import { audit, type AuditEvent } from '#kit/server/audit.ts'
import type { Clock } from '#kit/server/clock.ts'
import { type Db, transact, type Trx } from '#kit/server/db.ts'
import { conflict, forbidden, invalid } from '#kit/server/refusal.ts'
import { concernedIn, isLeadKind } from '#features/operator-tasks/server/lead-tasks.store.ts'
import { endTask } from '#features/operator-tasks/server/operator-tasks.store.ts'
import { giveTaskTo, lockOpenTask } from '#features/operator-tasks/server/task-owners.store.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf } from '#desk/features/staff/server/staff.guard.ts'
import { todayMessages } from '../today.contract.ts'
import { nameOfStaff } from './tasks.view.ts'

export type TasksDeps = { db: Db; clock: Clock }

type Act = { event: AuditEvent; mayTakeOver: boolean; note?: string; do(trx: Trx): Promise<unknown> }

/**
 * Assigns a task to this person. The first of two concurrent callers gets it.
 * @throws 409 with the owner's name when someone else has the task
 */
export const takeTask = (deps: TasksDeps, staff: SignedInStaff, id: string): Promise<void> =>
  act(deps, staff, id, {
    event: 'operator_task_taken',
    mayTakeOver: false,
    do: (trx) => giveTaskTo(trx, id, staff.id),
  })

/** @throws 409 when someone else has the task, unless a lead asks */
export const handBackTask = (deps: TasksDeps, staff: SignedInStaff, id: string): Promise<void> =>
  act(deps, staff, id, {
    event: 'operator_task_handed_back',
    mayTakeOver: staff.isLead,
    do: (trx) => giveTaskTo(trx, id, null),
  })

/** @throws 409 when someone else has the task, unless a lead asks */
export const finishTask = (deps: TasksDeps, staff: SignedInStaff, id: string, note: string): Promise<void> =>
  act(deps, staff, id, {
    event: 'operator_task_done',
    mayTakeOver: staff.isLead,
    note,
    do: (trx) => endTask(trx, id, { name: nameOf(actorOf(staff)) ?? '', note: note || null }),
  })

/**
 * Rules for tasks of leads: nobody handles a task about themselves, and finishing a task needs a note. `note` is set only when a task is
 * finished.
 * @throws 403 unless the caller is a lead whom the task does not concern, 400 for an empty note
 */
function refuseOfLeads(subject: string | null, { id, isLead }: SignedInStaff, note: string | undefined): void {
  if (!isLead) throw forbidden(todayMessages.leads)
  if (concernedIn(subject) === id) throw forbidden(todayMessages.own)
  if (note === '') throw invalid({ note: [todayMessages.note] })
}

const act = (
  { db, clock }: TasksDeps,
  staff: SignedInStaff,
  id: string,
  { event, mayTakeOver, note, ...what }: Act,
): Promise<void> =>
  transact(db, async (trx) => {
    const task = await lockOpenTask(trx, id)
    if (!task) throw conflict(todayMessages.gone)
    if (isLeadKind(task.kind)) refuseOfLeads(task.subject, staff, note)
    if (task.owner_id && task.owner_id !== staff.id && !mayTakeOver)
      throw conflict(todayMessages.taken(await nameOfStaff(trx, task.owner_id)))
    await what.do(trx)
    await audit(trx, clock, { event, actor: actorOf(staff, note || null), details: { task: id } })
  })
