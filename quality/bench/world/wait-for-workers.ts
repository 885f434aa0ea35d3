import { newVisitor } from '#quality/support/visitor.ts'
import type { BenchProduct } from './product.ts'

/** Waits until the product's workers have no work left. The demo's clock answers only then. */
export async function waitForWorkers({ url }: BenchProduct): Promise<void> {
  const { status, body } = await newVisitor(url).post('/demo/api/clock/', { advance: 'PT0S' })
  if (status !== 200) throw new Error(`the clock answered ${status}: ${JSON.stringify(body)}`)
}
