import type { FoundGroup, FoundKind, FoundRow } from '../search.contract.ts'

export type PlaceToGo = { path: string; title: string; key: string }

export type ShownKind = FoundKind | 'do'
export type ShownRow = Omit<FoundRow, 'kind'> & { kind: ShownKind }
export type ShownGroup = Omit<FoundGroup, 'kind' | 'rows'> & { kind: ShownKind; rows: ShownRow[] }

export function placesFound(places: readonly PlaceToGo[], text: string): ShownGroup[] {
  const typed = text.toLowerCase()
  const rows = places.flatMap((place): ShownRow[] => {
    const start = ` ${place.title.toLowerCase()}`.indexOf(` ${typed}`)
    return start < 0 ? [] : [rowOf(place, { start, length: typed.length })]
  })
  return rows.length > 0 && typed ? [{ kind: 'do', title: 'Do', rows, more: false, too_long: false }] : []
}

const rowOf = ({ path, title, key }: PlaceToGo, mark: FoundRow['mark']): ShownRow => ({
  kind: 'do',
  hit: title,
  mark,
  name: '',
  email: '',
  detail: `G, then ${key.toUpperCase()}`,
  state: 'Go',
  href: path,
})
