import type { Schedule, Service } from '../services.contract.ts'

export const findCurrentSchedule = ({ schedules, plan_short_id }: Service): Schedule | undefined =>
  schedules[plan_short_id] ?? Object.values(schedules)[0]
