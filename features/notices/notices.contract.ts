/** The topics of notices on the portal. The texts are fixed, so that nobody has to write any during an incident. */
export const noticeKinds = ['payments', 'network', 'transfers', 'messages'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export const noticeWords: Readonly<Record<NoticeKind, { title: string; text: string }>> = {
  payments: {
    title: 'Payments do not go through at the moment.',
    text: 'You are not charged for one that fails. Please try again later.',
  },
  network: {
    title: 'The mobile network is slow to answer.',
    text: 'Activations, renewals and add-ons take longer than usual. They go on by themselves: please do not buy twice.',
  },
  transfers: {
    title: 'Number transfers are late.',
    text: 'Yours goes on by itself, and we tell you when it is done. Please keep your old SIM until then.',
  },
  messages: {
    title: 'Mails and text messages are late.',
    text: 'They come by themselves: asking for another one does not make them faster.',
  },
}

export const noticeHours = [1, 2, 4, 12] as const
export type NoticeHours = (typeof noticeHours)[number]

/** The duration of a notice without a chosen end, so that a forgotten notice ends within a day. */
export const longestNoticeHours = 24
