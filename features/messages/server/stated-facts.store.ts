import { sql } from 'kysely'
import * as v from 'valibot'
import type { Db } from '#kit/server/db.ts'

/*
 * The facts that a reminder or a charge notice stated. They are stored with the message, so that staff can send a copy with the
 * original amount, days and card after these have changed. Instants are in ISO 8601, days are `YYYY-MM-DD`.
 */

const planFields = {
  /** When the message was written, according to the application's clock. A copy keeps the time of the original. */
  at: v.string(),
  msisdn: v.string(),
  /** The title of the plan that the message is about. */
  plan: v.string(),
  /** When the customer's current plan ends. */
  ends_at: v.string(),
}

const cardFields = v.nullable(v.object({ card_type: v.nullable(v.string()), last_four: v.string() }))

const statedFactsSchema = v.variant('of', [
  v.object({
    of: v.literal('charge'),
    ...planFields,
    cents: v.number(),
    gst_cents: v.number(),
    charge_at: v.string(),
    card: cardFields,
    trouble: v.nullable(v.picklist(['no-card', 'card-expired'])),
  }),
  v.object({ of: v.literal('card_problem'), ...planFields, charge_at: v.string(), card: cardFields }),
  v.object({
    of: v.literal('plan_end'),
    ...planFields,
    is_withdrawn: v.boolean(),
    renewal: v.nullable(v.object({ title: v.string(), cents: v.number() })),
    kept_days: v.number(),
  }),
  v.object({ of: v.literal('next_plan'), ...planFields, starts_on: v.string(), last_day: v.string() }),
  v.object({ of: v.literal('number_release'), ...planFields, kept_days: v.number() }),
])

type AnyStatedFacts = v.InferOutput<typeof statedFactsSchema>
export type StatedFacts<Of extends AnyStatedFacts['of'] = AnyStatedFacts['of']> = Extract<AnyStatedFacts, { of: Of }>

/** Returns `null` if a different version of the application stored facts that this version does not know. */
export function parseStatedFacts(stored: unknown): StatedFacts | null {
  const parseResult = v.safeParse(statedFactsSchema, stored)
  return parseResult.success ? parseResult.output : null
}

/** Returns which of these messages can be sent again as a copy. A message that has not been sent yet, or was dropped, has no copy. */
export async function findCopyableMessages(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('stated', 'is not', null)
    .where(({ eb, or }) => or([eb('sent_at', 'is not', null), eb('refused_at', 'is not', null)]))
    .execute()
  return new Set(rows.map(({ id }) => id))
}
