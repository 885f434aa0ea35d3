import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from 'react'
import { Link } from '../Link.tsx'
import { useNavigate } from '../router/location.ts'
import { useKeys } from './use-keys.ts'
import * as s from './DataTable.module.css'

export type DataColumn = {
  title: string
  /** Names its row, and holds its link. */
  isName?: boolean
  /** Figures: on one line, to the right, so that they compare. */
  isFigure?: boolean
  /** On one line; any other column breaks where it must. */
  isShort?: boolean
  /** Breaks between words only. */
  hasWholeWords?: boolean
  /** An e-mail address: each half of most has room on one line. */
  isAddress?: boolean
  /** Left out where there is little room. */
  isExtra?: boolean
}

export type DataRow = {
  key: string | number
  /** One for each column. */
  cells: readonly ReactNode[]
  /** Where the row leads. */
  href?: string
}

type Props = {
  /** Names it to those who cannot see what it is about. */
  caption: string
  columns: readonly DataColumn[]
  rows: readonly DataRow[]
  /** What stands in the place of rows when there are none. */
  empty?: ReactNode
  /** Below the last row: what brings more. */
  more?: ReactNode
}

/**
 * Rows of the same kind under a head that stays. J and K go from row to row from anywhere on the page, the arrow keys, Home and End
 * once one is reached, Enter opens it. On a phone each row is a card, its columns named in it. One to a page listens to J and K:
 * one whose rows lead nowhere does not.
 */
export function DataTable({ caption, columns, rows, empty = 'There is nothing.', more }: Props) {
  const ref = useRef<HTMLTableElement>(null)
  const move = (by: Move) => moveIn(ref.current, by)
  const isLinked = rows.some(({ href }) => href)
  useKeys(isLinked ? { j: () => move(1), k: () => move(-1) } : {})
  return (
    <div className={s.frame}>
      <table ref={ref} className={`${s.table} ${isLinked ? s.linked : ''}`}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" className={lookOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, ...row }) => (
            <Row key={key} columns={columns} row={row} onMove={move} />
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className={s.empty}>{empty}</p>}
      {more && <div className={s.more}>{more}</div>}
    </div>
  )
}

type RowProps = { columns: readonly DataColumn[]; row: Omit<DataRow, 'key'>; onMove: (by: Move) => void }

function Row({ columns, row: { cells, href }, onMove }: RowProps) {
  const navigate = useNavigate()
  const keyDown = (event: KeyboardEvent) => {
    const by = moves[event.key]
    if (by === undefined || event.ctrlKey || event.altKey || event.metaKey || isInField(event)) return
    event.preventDefault()
    onMove(by)
  }
  return (
    <tr onClick={href ? (event) => isMeantForRow(event) && navigate(href) : undefined} onKeyDown={keyDown}>
      {columns.map((column, index) => {
        const cell = cells[index]
        const parts = { className: lookOf(column), 'data-title': column.title }
        if (!column.isName)
          return (
            <td key={column.title} {...parts}>
              {cell}
            </td>
          )
        return (
          <th key={column.title} scope="row" {...parts}>
            {href ? (
              <Link href={href} className={s.link} data-row="">
                {cell}
              </Link>
            ) : (
              cell
            )}
          </th>
        )
      })}
    </tr>
  )
}

const lookOf = ({ isName, isFigure, isShort, isExtra, hasWholeWords, isAddress }: DataColumn): string =>
  [
    isName && s.name,
    isFigure && s.figure,
    isShort && s.short,
    isExtra && s.extra,
    hasWholeWords && s.words,
    isAddress && s.address,
  ]
    .filter(Boolean)
    .join(' ')

/** To the next or the last one, or to an end. */
type Move = 1 | -1 | 'first' | 'last'
const moves: Record<string, Move> = { ArrowDown: 1, ArrowUp: -1, Home: 'first', End: 'last' }

function moveIn(table: HTMLTableElement | null, by: Move): void {
  const links = [...(table?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
  const present = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  const ends = { first: 0, last: links.length - 1 }
  const next = typeof by === 'string' ? ends[by] : Math.min(Math.max(present + by, 0), links.length - 1)
  links[next]?.focus()
}

const isInField = ({ target }: KeyboardEvent): boolean =>
  (target as Element).closest('input, select, textarea') !== null

/** What is in the row sees to itself, the browser to keys that are held; and text that has just been marked is to be copied. */
function isMeantForRow({ target, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  const isMarking = window.getSelection()?.isCollapsed === false
  const isOwn = (target as Element).closest('a, button, input, select, label, summary') !== null
  return !isMarking && !altKey && !ctrlKey && !metaKey && !shiftKey && !isOwn
}
