import { isUuid } from './uuid.ts'

/** Where a list that is newest first goes on: behind the row with this instant and this key. */
export type Place = { at: Date; key: string }

/** A place as it is handed out, and handed in again for the next page. */
export const writePlace = ({ at, key }: Place): string => `${at.toISOString()}~${key}`

/** Null when it is none of ours. */
export function readPlace(text: string): Place | null {
  const [, instant = '', key = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([\w:-]{1,100})$/.exec(text) ?? []
  const at = new Date(instant)
  return Number.isNaN(at.getTime()) ? null : { at, key }
}

/** A place in a list whose keys are UUIDs; null for any other text, so that the list begins anew. */
export function readPlaceById(text = ''): Place | null {
  const place = readPlace(text)
  return place && isUuid(place.key) ? place : null
}

/** One page of rows of which one more was asked for than it holds, and where the next one begins; null: there is none. */
export function pageOf<Row extends Place>(rows: Row[], size: number): { rows: Row[]; next: string | null } {
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { rows: page, next: rows.length > size && last ? writePlace(last) : null }
}
