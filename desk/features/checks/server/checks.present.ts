import { lookWords } from '#desk/features/customers/server/look-words.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import type { CheckedLook, Checks } from '../checks.contract.ts'
import type { checksFor } from './checks.ts'
import type { ListedLook } from './checks.view.ts'

type Read = Awaited<ReturnType<typeof checksFor>>

export const presentChecks = ({ week, found, looks, past }: Read, staff: Pick<SignedInStaff, 'id'>): Checks => ({
  week: week.toString(),
  found,
  looks: looks.map((look) => presentLook(look, staff)),
  past: past.map(({ week: monday, looks: all, in_order, asked }) => ({
    week: Temporal.PlainDate.from(monday).subtract({ days: 7 }).toString(),
    looks: Number(all),
    in_order: Number(in_order),
    asked: Number(asked),
  })),
})

const presentLook = (look: ListedLook, { id }: Pick<SignedInStaff, 'id'>): CheckedLook => ({
  id: look.id,
  who: look.who,
  is_own: look.staff_id === id,
  customer: { text: `Customer …${look.user_id?.slice(-4) ?? ''}`, path: `/customers/${look.user_id}/` },
  why: lookWords(look.reason, look.detail),
  at: look.at.toISOString(),
  decision: look.decision,
  decided_by: look.decided_by,
})
