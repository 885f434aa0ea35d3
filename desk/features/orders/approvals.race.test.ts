import { expect, test } from 'vitest'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { activate } from '#quality/support/activation-journey.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('only one of several simultaneous decisions about a refund counts, and the refund is made at most once', async () => {
  const desk = world().deskUrl ?? ''
  const asker = await newStaffVisitor(desk, demoStaff.support)
  const deciders = await Promise.all([1, 2, 3, 4].map(() => newStaffVisitor(desk, demoStaff.lead)))
  const decisions = ['approved', 'refused', 'approved', 'refused']
  for (let round = 0; round < 5; round += 1) {
    const { orderCode } = await activate(world())
    const wish = { amount: '22.00', left: '22.00', reason: 'outage', note: '' }
    const { body } = await asker.post(`/api/desk/orders/${orderCode}/refund/ask/`, wish)
    const answers = await Promise.all(
      deciders.map((who, index) =>
        who.post(`/api/desk/approvals/${body.id}/decide/`, { decision: decisions[index], words: '' }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const decision = decisions[answers.findIndex(({ status }) => status === 200)]
    const given = await world()
      .db.selectFrom('refunds')
      .innerJoin('orders', 'orders.id', 'refunds.order_id')
      .select('refunds.amount_cents')
      .where('order_code', '=', orderCode)
      .execute()
    expect(given).toEqual(decision === 'approved' ? [{ amount_cents: 2200 }] : [])
  }
})

test('if a refund is requested twice at the same time, only one request is accepted', async () => {
  const desk = world().deskUrl ?? ''
  const people = await Promise.all([demoStaff.support, demoStaff.lead].map((email) => newStaffVisitor(desk, email)))
  const { orderCode } = await activate(world())
  const wish = { amount: '22.00', left: '22.00', reason: 'outage', note: '' }
  const answers = await Promise.all(people.map((who) => who.post(`/api/desk/orders/${orderCode}/refund/ask/`, wish)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})
