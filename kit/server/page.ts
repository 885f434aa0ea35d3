import { isUuid } from './uuid.ts'

export type Place = { at: Date; key: string }

export const writePlace = ({ at, key }: Place): string => `${at.toISOString()}~${key}`

export function readPlace(text: string): Place | null {
  const [, instant = '', key = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([\w:-]{1,100})$/.exec(text) ?? []
  const at = new Date(instant)
  return Number.isNaN(at.getTime()) ? null : { at, key }
}

/** A position in a list whose keys are UUIDs. `null` for any other text, so that the list begins anew. */
export function readPlaceById(text = ''): Place | null {
  const place = readPlace(text)
  return place && isUuid(place.key) ? place : null
}

/** A page of `rows`, and the position of the next page; `null` without one. The query returns up to one row more than `size`. */
export function pageOf<Row extends Place>(rows: Row[], size: number): { rows: Row[]; next: string | null } {
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { rows: page, next: rows.length > size && last ? writePlace(last) : null }
}
