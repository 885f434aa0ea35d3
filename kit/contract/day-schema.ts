import * as v from 'valibot'

export const calendarDaySchema = (message: string) =>
  v.pipe(
    v.string(message),
    v.isoDate(message),
    v.rawCheck(({ dataset, addIssue }) => {
      if (dataset.typed && !dataset.issues && !isExistingDay(dataset.value)) addIssue({ message })
    }),
  )

/** Avoids Temporal, which some browsers lack. A Date turns a day that does not exist into another day, or into an invalid date. */
function isExistingDay(text: string): boolean {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
