import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { type NoticeDuration, noticeDurationOptions, noticeKinds } from '#features/notices/notices.contract.ts'

export const noticeMessages = {
  kind: 'Please choose the type of notice.',
  hours: 'Please choose 1, 2, 4 or 12 hours.',
  alreadyShown: 'The portal already shows this notice. Extend it, or end it first.',
  gone: 'This notice has already ended.',
  alreadyEndsLater: 'This notice has already ended, or already runs for longer than the time you chose.',
} as const

const noticeSchema = v.object({
  id: v.string(),
  kind: v.picklist(noticeKinds),
  said: v.string(),
  said_by: v.string(),
  ends: v.string(),
})
export type ActiveNotice = v.InferOutput<typeof noticeSchema>

const hours = noticeDurationOptions.map((each): `${NoticeDuration}` => `${each}`)

export const publishNoticeBody = v.object({
  kind: v.picklist(noticeKinds, noticeMessages.kind),
  /** An empty value means that nobody knows when the outage will end. The notice then ends after a day. */
  hours: v.picklist([...hours, ''], noticeMessages.hours),
})

export const extendNoticeBody = v.object({ hours: v.picklist(hours, noticeMessages.hours) })

export const listNotices = endpoint({
  method: 'GET',
  path: '/api/desk/notices/',
  summary: 'Lists the notices that every page of the portal shows now',
  output: v.object({ notices: v.array(noticeSchema) }),
})

export const publishNotice = endpoint({
  method: 'POST',
  path: '/api/desk/notices/',
  summary: 'Publishes one of four notices on every page of the portal for a number of hours',
  body: publishNoticeBody,
  output: v.object({}),
})

const id = v.object({ id: v.pipe(v.string(), v.uuid()) })

export const extendNotice = endpoint({
  method: 'POST',
  path: '/api/desk/notices/:id/prolong/',
  summary: 'Extends a notice so that it ends a given number of hours from now',
  params: id,
  body: extendNoticeBody,
  output: v.object({}),
})

export const endNotice = endpoint({
  method: 'POST',
  path: '/api/desk/notices/:id/end/',
  summary: 'Ends a notice on the portal',
  params: id,
  output: v.object({}),
})
