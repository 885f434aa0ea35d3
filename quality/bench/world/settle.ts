import { newVisitor } from '#quality/support/visitor.ts'
import type { BenchProduct } from './product.ts'

/** Waits until the product has done what was left to its workers: the demo's clock does so before it answers. */
export async function settle({ url }: BenchProduct): Promise<void> {
  const { status, body } = await newVisitor(url).post('/demo/api/clock/', { advance: 'PT0S' })
  if (status !== 200) throw new Error(`the clock answered ${status}: ${JSON.stringify(body)}`)
}
