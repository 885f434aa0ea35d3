import { isUuid } from './uuid.ts'

export type PagePosition = { at: Date; key: string }

export const formatPosition = ({ at, key }: PagePosition): string => `${at.toISOString()}~${key}`

export function parsePosition(text: string): PagePosition | null {
  const [, instant = '', key = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)~([\w:-]{1,100})$/.exec(text) ?? []
  const at = new Date(instant)
  return Number.isNaN(at.getTime()) ? null : { at, key }
}

/** Parses a position in a list whose keys are UUIDs. Returns `null` for any other text, so that the list restarts from the first page. */
export function parseUuidPosition(text = ''): PagePosition | null {
  const position = parsePosition(text)
  return position && isUuid(position.key) ? position : null
}

/**
 * Returns one page of `rows` and the position of the next page, or `null` for the position on the last page. The query must fetch up to one
 * row more than `size`.
 */
export function paginateRows<Row extends PagePosition>(
  rows: Row[],
  size: number,
): { rows: Row[]; next: string | null } {
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return { rows: page, next: rows.length > size && last ? formatPosition(last) : null }
}
