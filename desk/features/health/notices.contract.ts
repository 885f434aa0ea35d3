import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { type NoticeHours, noticeHours, noticeKinds } from '#features/notices/notices.contract.ts'

export const noticeMessages = {
  kind: 'Please choose what it is about.',
  hours: 'Please choose 1, 2, 4 or 12 hours.',
  said: 'This stands on the portal already. Prolong that one, or end it first.',
  gone: 'It is off the portal already.',
  later: 'It is off the portal already, or ends later than that.',
} as const

const noticeSchema = v.object({
  id: v.string(),
  kind: v.picklist(noticeKinds),
  said: v.string(),
  said_by: v.string(),
  ends: v.string(),
})
export type StandingNotice = v.InferOutput<typeof noticeSchema>

const hours = noticeHours.map((each): `${NoticeHours}` => `${each}`)

export const sayNoticeBody = v.object({
  kind: v.picklist(noticeKinds, noticeMessages.kind),
  /** Empty when nobody knows the end. The notice then ends after a day. */
  hours: v.picklist([...hours, ''], noticeMessages.hours),
})

export const prolongNoticeBody = v.object({ hours: v.picklist(hours, noticeMessages.hours) })

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/desk/notices/',
  summary: 'What customers are told on every page of the portal now',
  output: v.object({ notices: v.array(noticeSchema) }),
})

export const sayNotice = endpoint({
  method: 'POST',
  path: '/api/desk/notices/',
  summary: 'Says one of four things on every page of the portal, for so many hours',
  body: sayNoticeBody,
  output: v.object({}),
})

const id = v.object({ id: v.pipe(v.string(), v.uuid()) })

export const prolongNotice = endpoint({
  method: 'POST',
  path: '/api/desk/notices/:id/prolong/',
  summary: 'Has a notice end so many hours from now',
  params: id,
  body: prolongNoticeBody,
  output: v.object({}),
})

export const endNotice = endpoint({
  method: 'POST',
  path: '/api/desk/notices/:id/end/',
  summary: 'Takes a notice off the portal',
  params: id,
  output: v.object({}),
})
