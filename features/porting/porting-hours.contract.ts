import type { Region } from '#kit/contract/phone.ts'

/** On which days of the week, Monday being 1, providers look at requests, and from when to when: local times, `HH:MM`. */
type Hours = { days: readonly number[]; opens: string; closes: string }

/**
 * When the providers of a country let numbers go. In New Zealand a request that comes after 17:45 is looked at on the next business
 * day; in Australia they work by the hours of the code for mobile number portability.
 */
export const portingHours: Record<Region, { hours: readonly Hours[]; words: string }> = {
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
