import type { Actor } from '#kit/server/actor.ts'
import type { Clock } from '#kit/server/clock.ts'
import type { Db } from '#kit/server/db.ts'
import { conflict } from '#kit/server/http-error.ts'
import { maxNoticeHours, type NoticeDuration } from '#features/notices/notices.contract.ts'
import { removeNotice, extendPostedNotice, postNotice } from '#features/notices/server/notices.ts'
import type { SignedInStaff } from '#desk/features/staff/server/sessions.store.ts'
import { toStaffActor, type DeskRoute, deskRoute } from '#desk/features/staff/server/staff.guard.ts'
import {
  endNotice,
  listNotices,
  noticeMessages,
  extendNotice,
  publishNotice,
  type ActiveNotice,
} from '../notices.contract.ts'
import { type NoticeRow, readNotices } from './notices.view.ts'

export type NoticesDeps = { db: Db; clock: Clock }

const anyStaff = { who: 'staff' } as const

export const noticeRoutes = (deps: NoticesDeps): DeskRoute[] => [
  deskRoute(listNotices, anyStaff, async () => ({
    notices: (await readNotices(deps.db, deps.clock.now())).map(presentNotice),
  })),
  deskRoute(publishNotice, anyStaff, async ({ staff, body: { kind, hours } }) => {
    const isNew = await postNotice(deps, noticeActor(staff), {
      kind,
      hours: hours === '' ? maxNoticeHours : toHours(hours),
    })
    if (!isNew) throw conflict(noticeMessages.alreadyShown)
    return {}
  }),
  deskRoute(extendNotice, anyStaff, async ({ staff, params: { id }, body: { hours } }) => {
    if (!(await extendPostedNotice(deps, noticeActor(staff), { id, hours: toHours(hours) })))
      throw conflict(noticeMessages.alreadyEndsLater)
    return {}
  }),
  deskRoute(endNotice, anyStaff, async ({ staff, params: { id } }) => {
    if (!(await removeNotice(deps, noticeActor(staff), id))) throw conflict(noticeMessages.gone)
    return {}
  }),
]

const toHours = (chosen: `${NoticeDuration}`): NoticeDuration => Number(chosen) as NoticeDuration

const noticeActor = (staff: SignedInStaff) => toStaffActor(staff, 'outage') as Extract<Actor, { by: 'staff' }>

const presentNotice = ({ id, kind, said_at, said_by, ends_at }: NoticeRow): ActiveNotice => ({
  id,
  kind,
  said: said_at.toISOString(),
  said_by,
  ends: ends_at.toISOString(),
})
