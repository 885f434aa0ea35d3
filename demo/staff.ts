import { type Db, transact } from '#kit/server/db.ts'
import type { Role } from '#desk/features/staff/staff.contract.ts'
import { insertStaff, listStaff, type StaffRow } from '#desk/features/staff/server/staff.store.ts'

const demoStaff: readonly { mailbox: string; name: string; roles: Role[]; isLead: boolean }[] = [
  { mailbox: 'hine.walker', name: 'Hine Walker', roles: ['support'], isLead: false },
  { mailbox: 'mere.ngata', name: 'Mere Ngata', roles: ['finance'], isLead: true },
  { mailbox: 'tom.reid', name: 'Tom Reid', roles: ['support', 'finance'], isLead: false },
  { mailbox: 'jo.tan', name: 'Jo Tan', roles: ['admin'], isLead: false },
]

/** Creates any missing demo staff. A person keeps their email address if the demo is later started for a different provider. */
export async function createStaff(db: Db, domain: string): Promise<void> {
  const existingStaff = await readDemoStaff(db)
  const missingStaff = demoStaff.filter(({ name }) => !existingStaff.some((person) => person.name === name))
  await transact(db, async (trx) => {
    for (const { mailbox, ...person } of missingStaff)
      await insertStaff(trx, { ...person, email: `${mailbox}@${domain}` })
  })
}

/** Lists the demo staff, starting with the person who answers the phone. */
export async function readDemoStaff(db: Db): Promise<StaffRow[]> {
  const staff = await listStaff(db)
  return demoStaff.flatMap(({ name }) => staff.find((person) => person.name === name) ?? [])
}
