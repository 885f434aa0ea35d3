import type { Db } from '#kit/server/db.ts'
import type { AskedApproval, Payloads } from '#desk/features/approvals/server/approvals.store.ts'
import { listStaff } from '#desk/features/staff/server/staff.store.ts'
import { isAsRequested } from './staff-changes.ts'

export type AskedStaffChange = Payloads['staff'] & { kind: 'staff'; isStale: boolean }

export async function describeStaffChanges(
  db: Db,
  approvals: AskedApproval<'staff'>[],
): Promise<[string, AskedStaffChange][]> {
  if (approvals.length === 0) return []
  const people = await listStaff(db)
  return approvals.map(({ id, subject, payload, decision }) => {
    const person = people.find(({ email }) => email === subject) ?? null
    return [id, { kind: 'staff', ...payload, isStale: decision === null && !isAsRequested(person, payload.from) }]
  })
}
