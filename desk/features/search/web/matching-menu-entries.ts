import type { ResultGroup, ResultType, ResultRow } from '../search.contract.ts'

export type MenuLink = { path: string; title: string; key: string }

export type ShownKind = ResultType | 'do'
export type ShownRow = Omit<ResultRow, 'kind'> & { kind: ShownKind }
export type ShownGroup = Omit<ResultGroup, 'kind' | 'rows'> & { kind: ShownKind; rows: ShownRow[] }

export function findMenuEntries(places: readonly MenuLink[], text: string): ShownGroup[] {
  const typed = text.toLowerCase()
  const rows = places.flatMap((place): ShownRow[] => {
    const start = ` ${place.title.toLowerCase()}`.indexOf(` ${typed}`)
    return start < 0 ? [] : [menuRow(place, { start, length: typed.length })]
  })
  return rows.length > 0 && typed ? [{ kind: 'do', title: 'Do', rows, more: false, too_long: false }] : []
}

const menuRow = ({ path, title, key }: MenuLink, mark: ResultRow['mark']): ShownRow => ({
  kind: 'do',
  hit: title,
  mark,
  name: '',
  email: '',
  detail: `G, then ${key.toUpperCase()}`,
  state: 'Go',
  href: path,
})
