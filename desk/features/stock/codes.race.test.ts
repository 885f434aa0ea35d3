import { expect, test } from 'vitest'
import { demoStaff, newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { useWorld } from '#quality/support/world.ts'

const world = useWorld({ env: { DESK_PORT: '0' } })

test('of several simultaneous downloads, only one gets a batch’s voucher codes', async () => {
  const desk = world().deskUrl ?? ''
  const windows = await Promise.all([1, 2, 3, 4].map(() => newStaffVisitor(desk, demoStaff.admin)))
  const finance = await newStaffVisitor(desk, demoStaff.lead)
  for (let round = 0; round < 5; round += 1) {
    const wish = { count: '1500', plan: 'plan-30-5gb', expires: '2027-12-31', reason: 'retail', note: '' }
    const { id } = (await windows[0]!.post('/api/desk/stock/batches/', wish)).body
    const { to_decide: open } = (await finance.get('/api/desk/approvals/')).body
    const approval = open.find(({ subject }: { subject: string }) => subject === id)
    await finance.post(`/api/desk/approvals/${approval.id}/decide/`, { decision: 'approved', words: '' })
    const answers = await Promise.all(windows.map((who) => who.post(`/api/desk/stock/batches/${id}/codes/`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const codes: string[] = answers
      .find(({ status }) => status === 200)!
      .body.trimEnd()
      .split('\n')
    expect(new Set(codes).size).toBe(1_500)
    const made = await world().db.selectFrom('vouchers').select('id').where('batch_id', '=', id).execute()
    expect(made).toHaveLength(1_500)
    const arrived = await Promise.all(
      windows.map((who) => who.post(`/api/desk/stock/batches/${id}/arrived/`, { count: 1_500 })),
    )
    expect(arrived.map(({ status }) => status)).toContain(200)
    expect((await finance.get(`/api/desk/stock/batches/${id}/`)).body.batch).toMatchObject({
      state: 'complete',
      unused: 1_500,
    })
  }
})
