/** Topics for notices on the portal. */
export const noticeKinds = ['payments', 'network', 'transfers', 'messages'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const noticeDurationOptions = [1, 2, 4, 12] as const
export type NoticeDuration = (typeof noticeDurationOptions)[number]

/** Default duration of a notice in hours, so that a forgotten notice disappears within a day. */
export const maxNoticeHours = 24
