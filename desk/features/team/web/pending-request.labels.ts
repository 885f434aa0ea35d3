import { formatDayAndTime } from '#desk/features/staff/web/time.labels.ts'

export const pendingRequestLabel = (effective: string, zone: string): string =>
  `Request sent. Waiting for approval: it takes effect on ${formatDayAndTime(effective, zone)} ` +
  'unless a team lead or another admin declines it.'
