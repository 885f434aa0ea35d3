import type { Db } from '#kit/server/db.ts'
import type { ApprovalRequest, ApprovalPayloads } from '#desk/features/approvals/server/approvals.store.ts'
import { listStaff } from '#desk/features/staff/server/staff.store.ts'
import { isUnchangedSince } from './staff-changes.ts'

export type RequestedStaffChange = ApprovalPayloads['staff'] & { kind: 'staff'; isStale: boolean }

export async function describeStaffChanges(
  db: Db,
  approvals: ApprovalRequest<'staff'>[],
): Promise<[string, RequestedStaffChange][]> {
  if (approvals.length === 0) return []
  const people = await listStaff(db)
  return approvals.map(({ id, subject, payload, decision }) => {
    const person = people.find(({ email }) => email === subject) ?? null
    return [id, { kind: 'staff', ...payload, isStale: decision === null && !isUnchangedSince(person, payload.from) }]
  })
}
