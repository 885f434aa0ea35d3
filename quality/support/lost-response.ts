import { clearFailures, failGateway } from './simulators.ts'
import type { Answer } from './visitor.ts'
import type { World } from './world.ts'

/**
 * Makes a purchase but loses the gateway's response, so that the money is reserved and the payment's outcome is unknown. It stays unknown
 * until the test resumes the order, which no worker retries for an hour. All other planned failures are cleared.
 */
export async function loseResponseTo(world: World, press: () => Promise<Answer>): Promise<Answer> {
  await failGateway(world, { operation: 'authorise', kind: 'lost_answer', times: 1000 })
  const answer = await press()
  await setOrderRetryTime(world, 1, answer.body.order_code)
  await clearFailures(world)
  return answer
}

/** Sets when a worker will next retry an order. `hours` may be negative. */
export async function setOrderRetryTime({ db }: World, hours: number, orderCode: string): Promise<void> {
  await db
    .updateTable('orders')
    .set({ retry_at: new Date(Date.now() + hours * 3_600_000) })
    .where('order_code', '=', orderCode)
    .execute()
}
