import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

const leftSchema = v.object({ name: v.string(), amount: v.number(), total: v.number(), unit: v.string() })
export type Left = v.InferOutput<typeof leftSchema>

const addOnSchema = v.object({
  id: v.string(),
  name: v.string(),
  ends: v.string(),
  is_for_roaming: v.boolean(),
  left: v.array(leftSchema),
})
export type AddOnOfNumber = v.InferOutput<typeof addOnSchema>

export const readUse = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/numbers/:service/use/',
  summary: 'Returns the remaining allowances of a number, as the network reports them now or reported them last',
  params: v.object({ id: v.string(), service: v.string() }),
  output: v.object({
    /** `null` when the network has not reported lately, or when the plan has no allowance to count. */
    left: v.nullable(v.object({ ...leftSchema.entries, read: v.string() })),
    others: v.array(leftSchema),
    /** Active add-ons, earliest expiry first. `null` while the network does not report them. */
    add_ons: v.nullable(v.array(addOnSchema)),
    /** The network does not answer now, so the figures are from an earlier reading. */
    is_silent: v.boolean(),
  }),
})
export type NumberUse = v.InferOutput<typeof readUse.output>
