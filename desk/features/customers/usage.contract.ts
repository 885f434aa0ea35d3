import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

const remainingSchema = v.object({ name: v.string(), amount: v.number(), total: v.number(), unit: v.string() })
export type RemainingAllowance = v.InferOutput<typeof remainingSchema>

const addOnSchema = v.object({
  id: v.string(),
  name: v.string(),
  ends: v.string(),
  is_for_roaming: v.boolean(),
  left: v.array(remainingSchema),
})
export type NumberAddOn = v.InferOutput<typeof addOnSchema>

export const readUsage = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/numbers/:service/use/',
  summary: 'Returns a number’s remaining allowances as the network reports them now, or as it last reported them',
  params: v.object({ id: v.string(), service: v.string() }),
  output: v.object({
    /** The main remaining allowance. `null` if the network has not reported it recently, or if the plan has no metered allowance. */
    left: v.nullable(v.object({ ...remainingSchema.entries, read: v.string() })),
    others: v.array(remainingSchema),
    /** Active add-ons, the one that expires first at the top. `null` while the network does not report them. */
    add_ons: v.nullable(v.array(addOnSchema)),
    /** True if the network is not responding. The figures are then from an earlier reading. */
    is_silent: v.boolean(),
  }),
})
export type NumberUsage = v.InferOutput<typeof readUsage.output>
