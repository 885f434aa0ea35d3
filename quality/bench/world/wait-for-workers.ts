import { newVisitor } from '#quality/support/visitor.ts'
import type { BenchProduct } from './product.ts'

/** Waits until Fantail's workers have nothing left to do, which is when the demo's clock responds. */
export async function waitForWorkers({ url }: BenchProduct): Promise<void> {
  const { status, body } = await newVisitor(url).post('/demo/api/clock/', { advance: 'PT0S' })
  if (status !== 200) throw new Error(`the clock answered ${status}: ${JSON.stringify(body)}`)
}
