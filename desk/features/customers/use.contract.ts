import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'

export const readUse = endpoint({
  method: 'GET',
  path: '/api/desk/customers/:id/numbers/:service/use/',
  summary: 'What is left of the plan of a customer’s number, as the network says it now or has said it last',
  params: v.object({ id: v.string(), service: v.string() }),
  output: v.object({
    /** Null: the network has not said lately, or there is nothing to count. */
    left: v.nullable(
      v.object({
        name: v.string(),
        amount: v.number(),
        total: v.number(),
        unit: v.string(),
        read: v.string(),
      }),
    ),
    /** It does not answer now: what is told is of before. */
    is_silent: v.boolean(),
  }),
})
export type NumberUse = v.InferOutput<typeof readUse.output>
