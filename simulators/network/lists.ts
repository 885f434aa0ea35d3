import * as v from 'valibot'

export const listHabitsSchema = v.object({
  ignore_filters: v.optional(v.boolean(), false),
  /** Maximum items on a page, whatever the requested limit. `null`: the requested limit. */
  most: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  total: v.optional(v.boolean(), true),
})
export type ListHabits = v.InferOutput<typeof listHabitsSchema>

export const usualHabits: ListHabits = v.parse(listHabitsSchema, {})
