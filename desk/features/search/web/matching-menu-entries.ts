import type { ResultGroup, ResultType, ResultRow } from '../search.contract.ts'

export type MenuLink = { path: string; title: string; key: string }

export type DisplayedResultType = ResultType | 'do'
export type DisplayedRow = Omit<ResultRow, 'kind'> & { kind: DisplayedResultType }
export type DisplayedGroup = Omit<ResultGroup, 'kind' | 'rows'> & { kind: DisplayedResultType; rows: DisplayedRow[] }

export function findMenuEntries(places: readonly MenuLink[], text: string): DisplayedGroup[] {
  const typed = text.toLowerCase()
  const rows = places.flatMap((place): DisplayedRow[] => {
    const start = ` ${place.title.toLowerCase()}`.indexOf(` ${typed}`)
    return start < 0 ? [] : [toMenuRow(place, { start, length: typed.length })]
  })
  return rows.length > 0 && typed ? [{ kind: 'do', title: 'Do', rows, more: false, too_long: false }] : []
}

const toMenuRow = ({ path, title, key }: MenuLink, mark: ResultRow['mark']): DisplayedRow => ({
  kind: 'do',
  hit: title,
  mark,
  name: '',
  email: '',
  detail: `G, then ${key.toUpperCase()}`,
  state: 'Go',
  href: path,
})
