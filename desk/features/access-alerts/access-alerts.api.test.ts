import { expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { newPasskey } from '#quality/support/passkey.ts'
import { inviteStaff } from '#quality/support/staff-member.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import type { AccessAction } from '#desk/features/staff/server/access.store.ts'
import type { Role } from '#desk/features/staff/staff.contract.ts'
import { type Task, todayMessages } from '#desk/features/today/today.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })
const desk = (): string => world().deskUrl ?? ''

type Person = { roles?: Role[]; isLead?: boolean; name?: string }

async function newPerson({ roles = ['support'], isLead = false, name = 'Tui Hall' }: Person = {}) {
  const email = newEmail()
  const token = await inviteStaff(world(), { email, name, roles, isLead })
  const { id } = await world().db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, email, token, visitor: await newStaffVisitor(desk(), email) }
}
const newLead = (more: Person = {}) => newPerson({ isLead: true, name: 'Kiri Pai', ...more })
const tasksOf = async (who: Visitor, kind: string): Promise<Task[]> =>
  (await who.get('/api/desk/tasks/')).body.tasks.filter((task: Task) => task.kind === kind)
const about = async (who: Visitor, kind: string, name: string) =>
  (await tasksOf(who, kind)).filter(({ reason }) => reason.startsWith(name))
const openCustomer = (who: Visitor, id: string) => who.post(`/api/desk/customers/${id}/open/`, { reason: 'call' })
const done = (who: Visitor, { id }: Task, note: string) => who.post(`/api/desk/tasks/${id}/done/`, { note })

const hasLooked = (staffId: string, act: AccessAction, users: string[], at = new Date()) =>
  world()
    .db.insertInto('access_log')
    .values(
      users.map((userId) => ({
        at,
        staff_id: staffId,
        act,
        user_id: userId,
        subject: null,
        reason: 'call',
        detail: null,
      })),
    )
    .execute()
const strangers = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())

test('team leads are alerted once if a staff member views the data of more than 60 customers within an hour', async () => {
  const { visitor: lead } = await newLead()
  const hoarder = await newPerson({ name: 'Rata Moss' })
  await hasLooked(hoarder.id, 'customer_opened', strangers(30), new Date(Date.now() - 70 * 60_000))
  await hasLooked(hoarder.id, 'customer_opened', strangers(59))
  const customer = await makeCustomer(world())
  await openCustomer(hoarder.visitor, customer.id)
  await openCustomer(hoarder.visitor, customer.id)
  expect(await about(lead, 'alarm-looks', 'Rata Moss')).toEqual([])
  const { orderCode } = await activate(world())
  await hoarder.visitor.get(`/api/desk/orders/${orderCode}/`)
  await hoarder.visitor.get(`/api/desk/orders/${orderCode}/`)
  const [task, ...others] = await about(lead, 'alarm-looks', 'Rata Moss')
  expect(task).toMatchObject({
    reason: 'Rata Moss viewed more than 60 customers within an hour. Ask them why.',
    owner: null,
    for_leads: true,
    trail_of: hoarder.id,
  })
  expect(others).toEqual([])
  expect((await done(lead, task!, 'A list of lost SIM cards')).status).toBe(200)
  await openCustomer(hoarder.visitor, customer.id)
  expect(await about(lead, 'alarm-looks', 'Rata Moss')).toEqual([])
  await hasLooked(hoarder.id, 'customer_opened', strangers(60))
  await openCustomer(hoarder.visitor, (await makeCustomer(world())).id)
  expect(await about(lead, 'alarm-looks', 'Rata Moss')).toHaveLength(1)
})

test('team leads are alerted if staff open their own or a colleague’s customer record', async () => {
  const { visitor: lead } = await newLead()
  const one = await newPerson({ name: 'Manu Reid' })
  const colleague = await newPerson({ name: 'Pania Hart' })
  await openCustomer(one.visitor, (await makeCustomer(world())).id)
  expect(await about(lead, 'alarm-own', 'Manu Reid')).toEqual([])
  const own = await makeCustomer(world(), { email: one.email })
  await openCustomer(one.visitor, own.id)
  const [task] = await about(lead, 'alarm-own', 'Manu Reid')
  expect(task?.reason).toBe(`Manu Reid viewed their own account: customer …${own.id.slice(-4)}. Ask them why.`)
  await openCustomer(colleague.visitor, own.id)
  expect((await about(lead, 'alarm-own', 'Pania Hart'))[0]?.reason).toContain('of a colleague, Manu Reid')
  await openCustomer(one.visitor, (await makeCustomer(world(), { email: colleague.email })).id)
  expect(await about(lead, 'alarm-own', 'Manu Reid')).toHaveLength(1)
})

test('team leads are alerted if a staff member reveals email addresses ten times without any action in between', async () => {
  const { visitor: lead } = await newLead()
  const customer = await makeCustomer(world())
  const show = async (who: Visitor, times: number) => {
    for (let time = 0; time < times; time += 1) await who.post(`/api/desk/customers/${customer.id}/show-email/`)
  }
  const busy = await newPerson({ name: 'Aroha Lim' })
  await openCustomer(busy.visitor, customer.id)
  await show(busy.visitor, 9)
  await busy.visitor.post(`/api/desk/customers/${customer.id}/notes/`, { body: 'They spell it with a k.' })
  await show(busy.visitor, 9)
  expect(await about(lead, 'alarm-shown', 'Aroha Lim')).toEqual([])
  await show(busy.visitor, 2)
  expect((await about(lead, 'alarm-shown', 'Aroha Lim')).map(({ reason }) => reason)).toEqual([
    'Aroha Lim uncovered 10 masked details without any action afterwards. Ask them why.',
  ])
})

test('an access alert is raised when an invitation is accepted, but not when the new passkey is later used to sign in', async () => {
  const { visitor: lead } = await newLead()
  const { token } = await newPerson({ name: 'Wiremu Cole' })
  const who = await newStaffVisitor(desk(), null)
  const opened = await who.post('/api/desk/invitations/open/', { token })
  const passkey = newPasskey('localhost')
  const made = passkey.register({ origin: desk(), challenge: opened.body.options.challenge })
  expect(await about(lead, 'alarm-passkey', 'Wiremu Cole')).toEqual([])
  expect((await who.post('/api/desk/invitations/accept/', { token, answer: made, passkey: 'Laptop' })).status).toBe(200)
  const [task] = await about(lead, 'alarm-passkey', 'Wiremu Cole')
  expect(task?.reason).toMatch(/accepted an invitation and made a new passkey\. Ask them to confirm it/)
  expect((await done(lead, task!, 'It was, on a new phone')).status).toBe(200)
  const browser = await newStaffVisitor(desk(), null)
  const { body } = await browser.post('/api/desk/sign-in/begin/')
  const answer = passkey.show({ origin: desk(), challenge: body.options.challenge })
  expect((await browser.post('/api/desk/sign-in/', { answer })).status).toBe(200)
  expect(await about(lead, 'alarm-passkey', 'Wiremu Cole')).toEqual([])
})

test('only team leads can see, take and close an access alert, and nobody can close an alert about themselves', async () => {
  const concerned = await newLead({ name: 'Hemi Ross' })
  await openCustomer(concerned.visitor, (await makeCustomer(world(), { email: concerned.email })).id)
  const { visitor: lead } = await newLead({ roles: ['finance', 'admin'] })
  const [task] = await about(lead, 'alarm-own', 'Hemi Ross')
  expect(task).toMatchObject({ why_not: null, trail_of: concerned.id })
  for (const { visitor } of [await newPerson(), await newPerson({ roles: ['finance', 'admin'] })]) {
    expect(await tasksOf(visitor, 'alarm-own')).toEqual([])
    for (const act of ['take', 'hand-back', 'done'])
      expect(await visitor.post(`/api/desk/tasks/${task!.id}/${act}/`, { note: 'mine' })).toMatchObject({
        status: 403,
        body: { code: todayMessages.leads },
      })
  }
  expect((await about(concerned.visitor, 'alarm-own', 'Hemi Ross'))[0]?.why_not).toBe(todayMessages.own)
  expect(await done(concerned.visitor, task!, 'It was me')).toMatchObject({
    status: 403,
    body: { code: todayMessages.own },
  })
  expect((await done(lead, task!, ' ')).body).toEqual({ note: [todayMessages.note] })
  expect((await done(lead, task!, 'Looked at their own bill')).status).toBe(200)
  const row = await world().db.selectFrom('operator_tasks').selectAll().where('id', '=', task!.id).executeTakeFirst()
  expect(row).toMatchObject({
    done_by: 'staff:Kiri Pai',
    note: 'Looked at their own bill',
    mailed_at: expect.any(Date),
  })
})
