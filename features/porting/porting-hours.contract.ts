import type { Region } from '#kit/contract/phone.ts'

/** Weekdays (1 is Monday) and local times (`HH:MM`) at which mobile providers process transfer requests. */
type WorkingHours = { days: readonly number[]; opens: string; closes: string }

/**
 * The hours in which a country's mobile providers process transfer requests. In New Zealand, a request sent after 17:45
 * is processed on the next business day. Australian providers follow the hours in the industry code for mobile number
 * portability.
 */
export const portingHours: Record<Region, { hours: readonly WorkingHours[]; words: string }> = {
  NZ: {
    hours: [{ days: [1, 2, 3, 4, 5], opens: '08:00', closes: '17:45' }],
    words: 'from 8 am to 5:45 pm on business days',
  },
  AU: {
    hours: [
      { days: [1, 2, 3, 4, 5], opens: '08:00', closes: '20:00' },
      { days: [6], opens: '10:00', closes: '18:00' },
    ],
    words: 'from 8 am to 8 pm on business days, and from 10 am to 6 pm on Saturdays',
  },
}
