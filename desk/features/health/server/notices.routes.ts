import type { Actor } from '#kit/server/actor.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { conflict } from '#kit/server/refusal.ts'
import { longestNoticeHours, type NoticeHours } from '#features/notices/notices.contract.ts'
import { endOnPortal, prolongOnPortal, sayOnPortal } from '#features/notices/server/notices.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { actorOf, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  endNotice,
  listNotices,
  noticeMessages,
  prolongNotice,
  sayNotice,
  type StandingNotice,
} from '../notices.contract.ts'
import { type NoticeRow, readNotices } from './notices.view.ts'

export type NoticesDeps = { db: Db; clock: Clock }

const everybody = { who: 'staff' } as const

export const noticeRoutes = (deps: NoticesDeps): DeskRoute[] => [
  deskRoute(listNotices, everybody, async () => ({
    notices: (await readNotices(deps.db, deps.clock.now())).map(presentNotice),
  })),
  deskRoute(sayNotice, everybody, async ({ staff, body: { kind, hours } }) => {
    const isNew = await sayOnPortal(deps, outageOf(staff), {
      kind,
      hours: hours === '' ? longestNoticeHours : hoursOf(hours),
    })
    if (!isNew) throw conflict(noticeMessages.said)
    return {}
  }),
  deskRoute(prolongNotice, everybody, async ({ staff, params: { id }, body: { hours } }) => {
    if (!(await prolongOnPortal(deps, outageOf(staff), { id, hours: hoursOf(hours) })))
      throw conflict(noticeMessages.later)
    return {}
  }),
  deskRoute(endNotice, everybody, async ({ staff, params: { id } }) => {
    if (!(await endOnPortal(deps, outageOf(staff), id))) throw conflict(noticeMessages.gone)
    return {}
  }),
]

const hoursOf = (chosen: `${NoticeHours}`): NoticeHours => Number(chosen) as NoticeHours

const outageOf = (staff: SignedInStaff) => actorOf(staff, 'outage') as Extract<Actor, { by: 'staff' }>

const presentNotice = ({ id, kind, said_at, said_by, ends_at }: NoticeRow): StandingNotice => ({
  id,
  kind,
  said: said_at.toISOString(),
  said_by,
  ends: ends_at.toISOString(),
})
