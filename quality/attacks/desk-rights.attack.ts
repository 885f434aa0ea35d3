import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DeskDeps, deskRoutes } from '#desk/app/desk-routes.ts'
import { recordCustomerAccess } from '#desk/features/customers/server/customers.ts'
import { invite, suspendByEmail } from '#desk/features/staff/server/invitations.ts'
import type { DeskRequestContext } from '#desk/features/staff/server/desk-request-context.ts'
import { makeCustomer, type Customer } from '#quality/support/customer.ts'
import { isIdle } from '#quality/support/reconciliation.ts'
import { newStaffMember, operatorActor, type StaffMember } from '#quality/support/staff-member.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { recordRowChanges } from './row-changes.ts'
import { attackWithOwnApprovals } from './kinds/desk-grants.ts'
import { attackReadsWithReasons } from './kinds/desk-reads.ts'
import { type PlantedWeakness, stage } from './planted-weakness.ts'
import { nameOf } from './attack-context.ts'
import { createAttackLog } from './attack-log.ts'

/*
 * These attacks are generated from the desk's endpoint table and try everything that one person can do alone. A GET must never grant a
 * right, and nobody acting alone may gain one within a day.
 */

const world = useWorld({ env: { DESK_PORT: '0' } })
// Stub dependencies are enough here, because only the endpoint table is read.
const routes = deskRoutes({ isDemo: true } as DeskDeps)
const reads = routes.filter(({ endpoint }) => endpoint.method === 'GET')
const tries = createAttackLog()

let customer: Customer
beforeAll(async () => {
  customer = await makeCustomer(world(), { card: true, first_name: 'Marama', last_name: 'Hohepa' })
  await pollUntil(() => isIdle(world()))
  await recordRowChanges(world())
})
beforeEach(() => pollUntil(() => isIdle(world())))
afterAll(() => console.log(tries.table()))

let told = 0
const found = () => tries.findings.slice(told, (told = tries.findings.length))

const named = (path: string): Record<string, string> => ({
  id: path.includes('/stock/') ? '00000000-0000-4000-8000-000000000000' : customer.id,
  code: customer.services[0]?.orderCode ?? '',
  service: customer.services[0]?.id ?? '',
  reference: `${customer.services[0]?.id}-port-1`,
  number: '1',
})

async function read() {
  const { visitor: person } = await newStaffMember(world(), { roles: ['support', 'finance', 'admin'], isLead: true })
  const secrets = [customer.email, 'Marama Hohepa', customer.services[0]?.sim.msisdn ?? '']
  await attackReadsWithReasons({ world: world(), reads, person, named, secrets, tries })
}

test('GET requests to the staff desk never grant rights or accept a reason from the URL', async () => {
  expect(reads.length).toBeGreaterThan(40)
  await read()
  expect(found()).toEqual([])
})

const weakReads: { name: string; plant: PlantedWeakness; fault: RegExp }[] = [
  {
    name: 'a reason in the URL opens a customer',
    fault: /shows more/,
    plant: {
      async answer({ route, raw, deps, real }) {
        const { staff } = raw.visit as DeskRequestContext
        const isAsked = nameOf(route.endpoint) === 'GET /api/desk/customers/:id/' && 'why' in (raw.query as object)
        if (isAsked && staff) await recordCustomerAccess(deps, staff, customer.id, { reason: 'task' })
        return real()
      },
    },
  },
  {
    name: 'viewing the team renames a staff member',
    fault: /changed staff/,
    plant: {
      async answer({ route, db, real }) {
        if (nameOf(route.endpoint) === 'GET /api/desk/team/')
          await db.updateTable('staff').set({ name: crypto.randomUUID() }).execute()
        return real()
      },
    },
  },
]

test.each(weakReads)(
  'the attack on the desk’s read access exposes a planted weakness: $name',
  async ({ plant, fault }) => {
    stage.plant = plant
    await read().finally(() => (stage.plant = null))
    expect(found()).toContainEqual(expect.objectContaining({ fault: expect.stringMatching(fault) }))
  },
)

const actorOf = ({ id, name }: StaffMember) => ({ by: 'staff', id, name, reason: null }) as const
const newName = (invitedBy: StaffMember) =>
  newStaffMember(world(), { roles: ['support', 'finance'], isLead: true, name: 'Kiri Pai' }, actorOf(invitedBy))

async function grab() {
  const attacker = await newStaffMember(world(), { roles: ['admin'] })
  const colleague = await newStaffMember(world(), { roles: ['admin'] })
  const [invented, takenOver] = [await newName(attacker), await newName(colleague)]
  await world()
    .db.updateTable('passkeys')
    .set({ made_at: new Date(0) })
    .where('staff_id', '=', invented.id)
    .execute()
  const rights = { name: 'Kiri Pai', roles: ['support' as const, 'finance' as const], isLead: true }
  await world()
    .db.insertInto('approvals')
    .values({
      id: crypto.randomUUID(),
      kind: 'staff',
      subject: invented.email,
      payload: JSON.stringify({ act: 'invite', to: rights, from: null, desk: '' }),
      asked_by: attacker.id,
      reason: 'joins',
      note: '',
      asked_at: new Date(),
      lapses_at: new Date(),
    })
    .execute()
  await world()
    .db.updateTable('approvals')
    .set({ decision: 'approved', decided_at: new Date(), decided_by: colleague.id })
    .where('subject', '=', invented.email)
    .execute()
  const aDayOfSteps = new Date(Date.now() + 86_400_000)
  await world().db.updateTable('staff_sessions').set({ shown_at: aDayOfSteps }).execute()
  const targets = []
  for (const email of [newEmail(), newEmail()]) {
    await invite(world().deps, { email, name: 'Tui Hall', roles: ['support'], isLead: false }, operatorActor)
    await suspendByEmail(world().deps, email, operatorActor)
    const { id } = await world()
      .db.selectFrom('staff')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    targets.push({ id, email })
  }
  await attackWithOwnApprovals({ world: world(), routes, attacker, names: [invented, takenOver], targets, tries })
}

test('a staff member acting alone cannot gain rights through the desk API, even if they control other staff accounts', async () => {
  await grab()
  expect(found()).toEqual([])
})

const isCall = (name: string, route: { endpoint: (typeof routes)[number]['endpoint'] }): boolean =>
  nameOf(route.endpoint) === name
const deciding = 'POST /api/desk/approvals/:id/decide/'

const weakGrants: { name: string; plant: PlantedWeakness; fault: RegExp }[] = [
  {
    name: 'an invitation is sent without a second person',
    fault: /^gave .* access to the desk$/,
    plant: {
      async answer({ route, raw, deps, real }) {
        const answered = await real()
        const { email } = (raw.body ?? {}) as { email?: string }
        if (isCall('POST /api/desk/team/invite/', route) && email)
          await invite(deps, { email, name: 'Kiri Pai', roles: ['admin'], isLead: false }, operatorActor)
        return answered
      },
    },
  },
  {
    name: 'a passkey that is too new can approve',
    fault: /^gave /,
    plant: {
      answer({ route, raw, real }) {
        const { staff } = raw.visit as DeskRequestContext
        return staff && isCall(deciding, route)
          ? real({
              ...raw,
              visit: { ...raw.visit, staff: { ...staff, isPasskeyOldEnough: true } } as DeskRequestContext,
            })
          : real()
      },
    },
  },
  {
    name: 'an invented staff member approves requests of the person who created it',
    fault: /^gave /,
    plant: {
      async answer({ route, db, real }) {
        if (isCall(deciding, route))
          await db
            .updateTable('approvals')
            .set({ decided_at: new Date(0) })
            .where('decision', '=', 'approved')
            .execute()
        return real()
      },
    },
  },
]

test.each(weakGrants)('the attack on staff rights exposes a planted weakness: $name', async ({ plant, fault }) => {
  stage.plant = plant
  await grab().finally(() => (stage.plant = null))
  expect(found()).toContainEqual(expect.objectContaining({ fault: expect.stringMatching(fault) }))
})
