import { type Db, transact } from '#kit/server/db.ts'
import type { Role } from '#desk/features/staff/staff.contract.ts'
import { findStaffByEmail, insertStaff } from '#desk/features/staff/server/staff.store.ts'

export const demoStaff: readonly { email: string; name: string; roles: Role[]; isLead: boolean }[] = [
  { email: 'hine.walker@fantail.example', name: 'Hine Walker', roles: ['support'], isLead: false },
  { email: 'mere.ngata@fantail.example', name: 'Mere Ngata', roles: ['finance'], isLead: true },
  { email: 'tom.reid@fantail.example', name: 'Tom Reid', roles: ['support', 'finance'], isLead: false },
  { email: 'jo.tan@fantail.example', name: 'Jo Tan', roles: ['admin'], isLead: false },
]

export const createStaff = (db: Db): Promise<void> =>
  transact(db, async (trx) => {
    for (const person of demoStaff) if (!(await findStaffByEmail(trx, person.email))) await insertStaff(trx, person)
  })
