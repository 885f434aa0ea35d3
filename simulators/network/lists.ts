import * as v from 'valibot'

/** How lists are answered: what other servers of these APIs do. */
export const listHabitsSchema = v.object({
  /** Everybody's records, whatever is asked for. */
  ignore_filters: v.optional(v.boolean(), false),
  /** As many on a page at most, whatever is asked for; null: as many as are asked for. */
  most: v.optional(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  /** Whether `X-Total-Count` is told. */
  total: v.optional(v.boolean(), true),
})
export type ListHabits = v.InferOutput<typeof listHabitsSchema>

export const usualHabits: ListHabits = v.parse(listHabitsSchema, {})
