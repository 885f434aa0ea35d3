import { pollUntil } from '#quality/support/poll-until.ts'
import type { BenchCustomer } from './customers.ts'

export async function renewAllPlans(customers: readonly BenchCustomer[]): Promise<void> {
  for (const { visitor, uuid } of customers) {
    const service = (await visitor.get('/api/services/')).body[uuid]
    const { status, body } = await visitor.post(
      '/api/orders/recharge/',
      { uuid, schedule: service.plan_short_id, product: 'plan-30-5gb', starts: 'now', use_saved_card: true },
      { 'idempotency-key': crypto.randomUUID() },
    )
    if (status !== 200) throw new Error(`a renewal answered ${status}: ${JSON.stringify(body)}`)
    await pollUntil(async () => (await visitor.get(`/api/orders/${body.order_code}/`)).status === 200)
  }
}
