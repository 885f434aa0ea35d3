import * as v from 'valibot'

export const listBehaviourSchema = v.object({
  ignore_filters: v.optional(v.boolean(), false),
  /** The maximum number of items per page, even if a request asks for more. With `null`, only the requested limit applies. */
  most: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  total: v.optional(v.boolean(), true),
})
export type ListBehaviour = v.InferOutput<typeof listBehaviourSchema>

export const defaultListBehaviour: ListBehaviour = v.parse(listBehaviourSchema, {})
