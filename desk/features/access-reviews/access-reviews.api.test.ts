import { beforeAll, beforeEach, expect, test } from 'vitest'
import { makeCustomer } from '#quality/support/customer.ts'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import type { Visitor } from '#quality/support/visitor.ts'
import { newEmail, useWorld } from '#quality/support/world.ts'
import { invite } from '#desk/features/staff/server/invitations.ts'
import { type ReviewedAccess, reviewMessages, type AccessReviews } from './access-reviews.contract.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

async function newPerson(name: string, isLead = false) {
  const email = newEmail()
  await invite(world().deps, { email, name, roles: ['support'], isLead }, { by: 'operator', name: 'Tom' })
  const { id } = await world().db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, name, visitor: await newStaffVisitor(world().deskUrl ?? '', email) }
}

const zone = (): string => world().deps.market.zone
const monday = (weeksAgo: number): Temporal.ZonedDateTime => {
  const today = Temporal.Now.zonedDateTimeISO(zone()).startOfDay()
  return today.subtract({ days: today.dayOfWeek - 1 + 7 * weeksAgo })
}
const inLastWeek = (hours = 30): Date => new Date(monday(1).add({ hours }).epochMilliseconds)

type Look = { staffId: string; userId?: string; at?: Date; reason?: string; detail?: string | null }
const looked = ({ staffId, userId = crypto.randomUUID(), at = inLastWeek(), reason = 'call', detail = null }: Look) =>
  world()
    .db.insertInto('access_log')
    .values({ at, staff_id: staffId, act: 'customer_opened', user_id: userId, subject: null, reason, detail })
    .execute()
const acted = (staffId: string, userId: string, at: Date) =>
  world()
    .db.insertInto('audit_events')
    .values({
      at,
      event: 'note_written',
      user_id: userId,
      session_id: null,
      actor: null,
      details: '{}',
      staff_id: staffId,
    })
    .execute()
const isDrawn = async (): Promise<boolean> =>
  (await world().db.selectFrom('look_checks').select('week').execute()).length === 1
const checks = async ({ visitor }: { visitor: Visitor }): Promise<AccessReviews> =>
  (await visitor.get('/api/desk/audit/checks/')).body
const say = ({ visitor }: { visitor: Visitor }, { id }: ReviewedAccess, decision: string) =>
  visitor.post(`/api/desk/audit/checks/${id}/`, { decision })

// Each process draws the review sample as soon as it starts up, even if no team lead ever opens the page.
beforeAll(() => pollUntil(isDrawn))

// Deletes the latest review sample, and adds an action after each earlier view, so that the next sample omits those views.
beforeEach(async () => {
  const { db } = world()
  await db.deleteFrom('look_checks').execute()
  const before = await db
    .selectFrom('access_log')
    .select(['staff_id', 'user_id'])
    .where('user_id', 'is not', null)
    .execute()
  for (const { staff_id, user_id } of before) await acted(staff_id, user_id ?? '', new Date())
})

test('the weekly sample contains ten of last week’s accesses to customer records, the same ten for every team lead', async () => {
  const [lead, other] = [await newPerson('Kiri Pai', true), await newPerson('Ata Bell', true)]
  const hine = await newPerson('Hine Moss')
  for (let look = 0; look < 25; look += 1) await looked({ staffId: hine.id })
  const first = await checks(lead)
  expect(first).toMatchObject({ week: monday(1).toPlainDate().toString(), found: 25 })
  expect(new Set(first.looks.map(({ id }) => id)).size).toBe(10)
  await looked({ staffId: hine.id })
  expect(await checks(other)).toEqual(first)
  expect(await checks(lead)).toEqual(first)
})

test('the review sample includes only last week’s accesses to customer records that were not followed by a staff action', async () => {
  const lead = await newPerson('Kiri Pai', true)
  const hine = await newPerson('Hine Moss')
  const { id: userId } = await makeCustomer(world())
  await looked({ staffId: hine.id, userId, reason: 'ticket', detail: 'A-17' })
  const [busy, early] = [crypto.randomUUID(), crypto.randomUUID()]
  await looked({ staffId: hine.id, userId: busy })
  await acted(hine.id, busy, inLastWeek(31))
  await looked({ staffId: hine.id, userId: early, at: inLastWeek(40) })
  await acted(hine.id, early, inLastWeek(31))
  await acted(lead.id, early, inLastWeek(41))
  await looked({ staffId: hine.id, at: new Date(monday(0).epochMilliseconds) })
  await looked({ staffId: hine.id, at: new Date(monday(1).epochMilliseconds - 1) })
  const { looks, found } = await checks(lead)
  expect(found).toBe(2)
  expect(looks).toEqual([
    {
      id: expect.any(String),
      who: 'Hine Moss',
      is_own: false,
      customer: { text: `Customer …${userId.slice(-4)}`, path: `/customers/${userId}/` },
      why: 'Ticket A-17',
      at: inLastWeek().toISOString(),
      decision: null,
      decided_by: null,
    },
    expect.objectContaining({ customer: { text: `Customer …${early.slice(-4)}`, path: `/customers/${early}/` } }),
  ])
})

test('the review sample is empty if staff opened no customer records last week', async () => {
  expect(await checks(await newPerson('Kiri Pai', true))).toMatchObject({ found: 0, looks: [], past: [] })
})

test('a team lead can accept a colleague’s access to a customer record, or ask for an explanation, which creates one task', async () => {
  const lead = await newPerson('Kiri Pai', true)
  const hine = await newPerson('Hine Moss')
  const userId = crypto.randomUUID()
  await looked({ staffId: hine.id })
  await looked({ staffId: hine.id, userId, at: inLastWeek(50) })
  const [good, odd] = (await checks(lead)).looks
  expect((await say(lead, good!, 'in_order')).status).toBe(200)
  expect((await say(lead, good!, 'asked')).body).toEqual({ __all__: [reviewMessages.decided] })
  expect((await say(lead, odd!, 'asked')).status).toBe(200)
  expect((await say(lead, odd!, 'maybe')).status).toBe(400)
  expect((await say(lead, { ...odd!, id: crypto.randomUUID() }, 'asked')).status).toBe(404)
  expect((await checks(lead)).looks.map(({ decision, decided_by: by }) => [decision, by])).toEqual([
    ['in_order', 'Kiri Pai'],
    ['asked', 'Kiri Pai'],
  ])
  const { look_id: reference } = await world()
    .db.selectFrom('checked_looks')
    .select('look_id')
    .where('id', '=', odd!.id)
    .executeTakeFirstOrThrow()
  const { tasks } = (await lead.visitor.get('/api/desk/tasks/')).body
  const [task, ...others] = tasks.filter(
    ({ kind, reason }: { kind: string; reason: string }) => kind === 'look' && reason.includes('Hine'),
  )
  expect(others).toEqual([])
  expect(task.reason).toContain(`Ask Hine Moss about view ${reference}, of customer …${userId.slice(-4)} on `)
  expect(task.reason).toContain('Reason given: A call. Hine Moss took no action afterwards.')
  const events = await world()
    .db.selectFrom('audit_events')
    .select(['details', 'staff_id'])
    .where('event', '=', 'look_checked')
    .where('staff_id', '=', lead.id)
    .orderBy('id')
    .execute()
  expect(events.map(({ details }) => details)).toMatchObject([
    { decision: 'in_order', person: hine.id },
    { decision: 'asked', person: hine.id, look: reference },
  ])
})

test('only team leads can review staff access to a customer record, and nobody can review their own access', async () => {
  const [lead, other] = [await newPerson('Kiri Pai', true), await newPerson('Ata Bell', true)]
  const hine = await newPerson('Hine Moss')
  await looked({ staffId: lead.id })
  const [own] = (await checks(lead)).looks
  expect(own).toMatchObject({ is_own: true })
  expect((await checks(other)).looks[0]).toMatchObject({ is_own: false })
  expect(await say(lead, own!, 'in_order')).toMatchObject({ status: 403, body: { code: reviewMessages.own } })
  expect(await say(hine, own!, 'in_order')).toMatchObject({ status: 403, body: { code: reviewMessages.leads } })
  expect((await hine.visitor.get('/api/desk/audit/checks/')).status).toBe(403)
  expect((await say(other, own!, 'in_order')).status).toBe(200)
})

test('the “Random checks” page includes a summary of the decisions from earlier weeks', async () => {
  const lead = await newPerson('Kiri Pai', true)
  const week = monday(1).toPlainDate().toString()
  const { db } = world()
  await db.insertInto('look_checks').values({ week, drawn_at: new Date(), found: 40 }).execute()
  const looks = [0, 1, 2].map((look) => ({ id: crypto.randomUUID(), week, look_id: String(look), staff_id: lead.id }))
  await db.insertInto('checked_looks').values(looks).execute()
  const by = (await newPerson('Ata Bell', true)).id
  for (const [at, decision] of (['in_order', 'asked'] as const).entries())
    await db
      .updateTable('checked_looks')
      .set({ decision, decided_by: by, decided_at: new Date() })
      .where('id', '=', looks[at]!.id)
      .execute()
  const before = monday(2).toPlainDate().toString()
  expect((await checks(lead)).past).toEqual([{ week: before, looks: 3, in_order: 1, asked: 1 }])
})
