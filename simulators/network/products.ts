import * as v from 'valibot'
import type { Network } from './network.ts'
import { parse } from './order-request.ts'
import type { ProductTerms } from './state.ts'

const amount = v.pipe(v.number(), v.minValue(0))

const productSchema = v.object({
  sku: v.pipe(v.string(), v.minLength(1), v.maxLength(100)),
  kind: v.picklist(['plan', 'addon']),
  lengthDays: v.pipe(v.number(), v.integer(), v.minValue(1)),
  dataMb: amount,
  voiceMinutes: amount,
  messages: amount,
})

/** Sets the products' allowances. Repeating an import changes nothing. @throws Fault 400 if a product is invalid */
export function importProducts(network: Network, products: unknown): void {
  const known: ProductTerms[] = parse(v.array(productSchema), products)
  for (const product of known) {
    if (JSON.stringify(network.state.products.get(product.sku)) !== JSON.stringify(product))
      network.record({ type: 'product_known', product })
  }
}
