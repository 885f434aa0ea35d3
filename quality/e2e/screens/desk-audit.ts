import { invite } from '#desk/features/staff/server/invitations.ts'
import { makeCustomer } from '#quality/support/customer.ts'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { newEmail, type World } from '#quality/support/world.ts'
import { getDeskUrl, staffVisitors, post } from './desk-screen.ts'
import { once } from './screen.ts'

const idOf = async ({ db }: World, email: string): Promise<string> =>
  (await db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

export const accessAlert = once(async (world) => {
  const { id } = await makeCustomer(world, { email: demoStaff.admin, verified: false })
  await post(await staffVisitors.support({ world }), `customers/${id}/open/`, { reason: 'call' })
})

export const drawn = once(async (world) => {
  const { db } = world
  const at = Date.now() - 7 * 86_400_000
  const [hine, mere] = [await idOf(world, demoStaff.support), await idOf(world, demoStaff.lead)]
  const reasons = ['call', 'ticket', 'mail', 'check']
  await db
    .insertInto('access_log')
    .values(
      Array.from({ length: 60 }, (_, look) => ({
        at: new Date(at - look * 60_000),
        staff_id: look % 9 === 0 ? mere : hine,
        act: 'customer_opened' as const,
        user_id: crypto.randomUUID(),
        subject: null,
        reason: reasons[look % 4] ?? null,
        detail: look % 4 === 1 ? `A-${1_700 + look}` : null,
      })),
    )
    .execute()
  // Remove this week's random sample of customer records opened by staff. It was drawn before these records were opened, so it is empty.
  await db.deleteFrom('look_checks').execute()
  const lead = await staffVisitors.lead({ world })
  const { looks } = (await lead.get('/api/desk/audit/checks/')).body
  const otherEntries = looks.filter(({ is_own: isOwn }: { is_own: boolean }) => !isOwn)
  for (const [turn, decision] of ['in_order', 'asked'].entries())
    await post(lead, `audit/checks/${otherEntries[turn].id}/`, { decision })
})

export const requestedLimits = once(async (world) => {
  const email = newEmail()
  const person = { email, name: 'Al Fox', roles: ['admin' as const], isLead: false }
  await invite(world.deps, person, { by: 'operator', name: 'Tom' })
  const other = await newStaffVisitor(getDeskUrl(world), email)
  const { roles } = (await other.get('/api/desk/limits/')).body
  const { order, day } = roles[0]
  const wish = { order: '15.00', day: '150.00', was_order: order, was_day: day, reason: 'plans-dearer', note: '' }
  await post(other, 'limits/support/', wish)
})
