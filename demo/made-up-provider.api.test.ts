/* @module-tag slow */
import { rmSync } from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import type { Service } from '#features/services/services.contract.ts'
import { logInAs } from '#quality/support/customer.ts'
import { newStaffVisitor } from '#quality/support/desk-visitor.ts'
import { createKeaProvider } from '#quality/support/kea-provider.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { useWorld } from '#quality/support/world.ts'

const folder = createKeaProvider()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the demo of a made-up provider with plans of 3, 28 and 120 days and no add-ons', () => {
  const world = useWorld({ env: { PROVIDER_DIR: folder, DEMO_CUSTOMERS: 'all', DESK_PORT: '0' } })
  const fixtures = async () => (await world().visitor().get('/demo/api/fixtures/')).body

  async function servicesOf(words: string) {
    const customer = (await fixtures()).customers.find(({ about }: { about: string }) => about.includes(words))
    const visitor = await logInAs(world(), customer)
    return { visitor, services: Object.values((await visitor.get('/api/services/')).body as Record<string, Service>) }
  }
  const plansOf = (services: Service[]) =>
    services.map(({ schedules, is_expired }) => [Object.values(schedules)[0]?.product.title ?? null, is_expired])

  test('every demo customer has the provider’s own plans', async () => {
    expect((await fixtures()).customers).toHaveLength(6)
    expect(plansOf((await servicesOf('auto-renewal')).services)).toEqual([['Nest', false]])
    expect(plansOf((await servicesOf('Several services')).services)).toEqual([
      ['Summit', false],
      ['Nest', false],
      ['Egg', false],
    ])
    expect((await servicesOf('expired a few days ago')).services).toMatchObject([{ is_expired: true }])
    expect((await servicesOf('failed number transfer')).services).toMatchObject([
      { is_expired: false, porting_request: { status: 4 } },
    ])
    expect(plansOf((await servicesOf('Refunded')).services)).toEqual([['Nest', false]])
  })

  test('the longest plan is in its second cycle', async () => {
    const { visitor, services } = await servicesOf('the longest plan is in its second cycle')
    const { body } = await visitor.get(`/api/account/usage_summary/${services[0]?.uuid}/`)
    expect(body).toMatchObject({ plan: { renewal_length: 30 }, days_remaining: 20, is_expired: false })
  })

  test('the demo’s vouchers are for the provider’s own plans', async () => {
    const { vouchers } = await fixtures()
    expect(new Set(vouchers.map(({ plan }: { plan: string }) => plan))).toEqual(
      new Set(['Nest, 28 days', 'Summit, 120 days']),
    )
  })

  test('the desk has tasks and a refund to approve, and every order code starts with the provider’s prefix', async () => {
    const lead = await newStaffVisitor(world().deskUrl ?? '', 'mere.ngata@kea.example')
    const tasksOf = async () => (await lead.get('/api/desk/tasks/')).body.tasks as { kind: string }[]
    expect((await lead.get('/api/desk/approvals/')).body.to_decide).toMatchObject([{ kind: 'refund' }])
    await pollUntil(async () => (await tasksOf()).some(({ kind }) => kind === 'message'))
    expect((await tasksOf()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['dispute', 'payment']))
    const codes = await world().db.selectFrom('orders').select('order_code').execute()
    expect(codes.length).toBeGreaterThan(12)
    for (const { order_code: code } of codes) expect(code).toMatch(/^KEA[\dA-Z]{10}$/)
  })

  test.each(['/demo/', '/demo/mailbox/', '/demo/guide/brand.css', '/demo/api/messages/'])(
    'the response to %s names no other provider',
    async (path) => expect(JSON.stringify((await world().visitor().get(path)).body)).not.toMatch(/fantail|tūī/i),
  )
})
