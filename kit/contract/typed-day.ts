import * as v from 'valibot'

/** A day as 2026-11-26, and one that there is: a month of thirty has no 31st. */
export const typedDay = (message: string) =>
  v.pipe(
    v.string(message),
    v.isoDate(message),
    // One fault is told of once.
    v.rawCheck(({ dataset, addIssue }) => {
      if (dataset.typed && !dataset.issues && !isDay(dataset.value)) addIssue({ message })
    }),
  )

/** The browser has no Temporal yet; a date that there is not becomes another, or none. */
function isDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
