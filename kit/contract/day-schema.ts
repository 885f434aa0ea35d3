import * as v from 'valibot'

export const calendarDaySchema = (message: string) =>
  v.pipe(
    v.string(message),
    v.isoDate(message),
    v.rawCheck(({ dataset, addIssue }) => {
      if (dataset.typed && !dataset.issues && !isExistingDay(dataset.value)) addIssue({ message })
    }),
  )

/**
 * Whether a calendar day exists. For a nonexistent day, `Date` rolls over to a later one or becomes invalid, so the text no longer matches.
 */
function isExistingDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
