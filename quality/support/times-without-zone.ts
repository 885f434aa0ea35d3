const spacePattern = /\u00A0|\u202F/g
/**
 * Matches a time of day, or midnight, that is not followed by the zone in the same sentence. A full stop inside a host name does not end a
 * sentence.
 */
const timePattern = /(?:\b\d{1,2}(?::\d\d)? [ap]m|\bmidnight)\b(?!(?:[^.?!]|[.?!](?=\S))*Sydney time)/gi
const tableTimePattern = /^\d{1,2}:\d\d [ap]m$/
const timeZoneNote = 'Times are in Sydney time.'

/**
 * Finds times of day in text of the Australian version whose sentence does not name the zone. Returns each with a few words around it. A
 * time alone on its line is in a table, and needs no zone if a sentence above the table names it.
 */
export function findTimesWithoutZone(text: string): string[] {
  const hasTimeZoneNote = text.includes(timeZoneNote)
  return text
    .replaceAll(spacePattern, ' ')
    .split('\n')
    .filter((line) => !(hasTimeZoneNote && tableTimePattern.test(line.trim())))
    .flatMap((line) =>
      Array.from(line.matchAll(timePattern), ({ 0: time, index }) =>
        line.slice(Math.max(0, index - 30), index + time.length + 20).trim(),
      ),
    )
}
